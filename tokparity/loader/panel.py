"""A loader beside the raw file, as the panel of a session."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tokparity.case import AnyCase
from tokparity.loader.library import Library
from tokparity.session.judge import Batch


@dataclass
class LoaderPanel:
    """Two libraries of one environment, both with the model open, by the names that they have in the session."""

    libraries: dict[str, Library]
    versions: dict[str, str]
    unavailable: dict[str, str] = field(default_factory=dict)

    @property
    def undecoded(self) -> Sequence[str]:
        """Both libraries can leave special tokens out."""
        return ()

    def results(
        self,
        batches: Iterable[Sequence[AnyCase]],
        stop: Callable[[], bool],
        only: Collection[str] = (),
        abandon: Callable[[], bool] | None = None,
    ) -> Iterator[Batch]:
        """Each batch with the results of both (or of `only` these), in order."""
        for cases in batches:
            if stop():
                return
            asked = {name: library for name, library in self.libraries.items() if not only or name in only}
            yield Batch(cases, {name: library.results(cases) for name, library in asked.items()})

    def processor_seconds(self) -> dict[str, tuple[float, float]]:
        """Nothing: the time is not measured."""
        return {}

    def fresh(self, engine: str, path: str = "") -> LoaderPanel:
        """The same library with the same file, in a process of its own; to be closed. It opens no other file."""
        if path:
            raise ValueError(f"a loader opens its own file, not {path!r}")
        return LoaderPanel({engine: self.libraries[engine].another()}, {engine: self.versions[engine]})

    def close(self) -> None:
        """End the processes."""
        for library in self.libraries.values():
            library.close()
