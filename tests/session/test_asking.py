"""How a diagnosis asks: what is remembered of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from tokparity.case import AnyCase, text_case
from tokparity.engines.buffers import Ids
from tokparity.engines.results import Results
from tokparity.outcome import Failure
from tokparity.session.asking import AskedEngine
from tokparity.session.judge import Batch


class Panel:
    """One engine, which hangs on a text."""

    unavailable: ClassVar[dict[str, str]] = {}

    def results(self, batches: Iterable[Sequence[AnyCase]], *_: Any, **__: Any) -> Iterator[Batch]:
        """No ids for any text."""
        for cases in batches:
            hung = [
                (i, Failure("timeout", "no answer")) for i, case in enumerate(cases) if b"hang" in case.question.shown
            ]
            yield Batch(cases, {"e": Results(Ids.from_list([[]] * len(cases)), None, tuple(hung))})

    def fresh(self, engine: str) -> Panel:
        """Another process."""
        return self

    def close(self) -> None:
        """Nothing to end."""


def test_what_hung_is_not_remembered_as_asked() -> None:
    """To put it again would cost all the time that a text may take, each time."""
    cases = [text_case(text) for text in (b"a", b"hang", b"b")]
    with AskedEngine(Panel(), "e") as asking:  # type: ignore[arg-type]
        assert ["timeout"] == [found.kind for found in asking(cases) if isinstance(found, Failure)]
        asking.fresh([text_case(b"c"), text_case(b"hang on")])
        asking.anew([text_case(b"d")])
        assert [b"a", b"b", b"c"] == [case.question.shown for case in asking.asked]
