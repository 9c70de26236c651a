"""Several iterators run at the same time, each in its own process; the items keep the order of the iterators."""

from __future__ import annotations

import contextlib
import multiprocessing
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

from tokparity.engines.process.lifetime import how_it_ended, with_parent
from tokparity.errors import EngineError

Item = TypeVar("Item")

_FORKS = multiprocessing.get_context("fork")
"""An iterator stands on large tables: a copy of this process has them at no cost."""

_SECONDS = 5.0
"""Within which a process that is told to end has ended what it started."""


@dataclass(frozen=True)
class _End:
    """That an iterator has come to its end, or what it raised."""

    error: Exception | None = None


class _Lane(Generic[Item]):
    """One iterator, and the process that runs it."""

    def __init__(self, items: Iterable[Item]) -> None:
        ours, theirs = _FORKS.Pipe(duplex=False)
        self._yielded = ours
        self._process = _FORKS.Process(target=_run, args=(items, theirs, with_parent()), daemon=True)
        self._process.start()
        theirs.close()  # so that the pipe ends with the process

    def taken(self) -> Iterator[Item]:
        """What the iterator yields; what it raises is raised here."""
        try:
            while not isinstance(item := self._yielded.recv(), _End):
                yield item
        except EOFError:
            self._process.join()
            how = how_it_ended(self._process.exitcode or 0)
            raise EngineError(
                f"a process that compares one version ended: {how}", "check whether the machine has run out of memory"
            ) from None
        if item.error is not None:
            raise item.error

    def end(self) -> None:
        """End the process, and what it started."""
        self._process.terminate()
        self._process.join(_SECONDS)
        self._process.kill()
        self._process.join()
        self._yielded.close()


def at_once(iterators: Sequence[Iterable[Item]], most: int) -> Generator[Item, None, None]:
    """What all of them yield, the first one's items first; at most `most` of them run at a time.

    What one raises is raised when its turn comes. Where this is ended early, their processes are ended.
    """
    lanes: list[_Lane[Item]] = []
    with contextlib.ExitStack() as stack:

        def begin(some: Sequence[Iterable[Item]]) -> None:
            for items in some:
                lanes.append(_Lane(items))
                stack.callback(lanes[-1].end)

        begin(iterators[:most])
        for n in range(len(iterators)):
            yield from lanes[n].taken()
            begin(iterators[n + most : n + most + 1])


def _run(items: Iterable[object], yielded: Connection, dies_with_parent: Callable[[bool], None]) -> None:
    """In the process: send all that the iterator yields, and its end."""
    dies_with_parent(True)
    try:
        with contextlib.suppress(KeyboardInterrupt):  # the parent says so
            for item in items:
                yielded.send(item)
            yielded.send(_End())
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))  # a traceback does not go through a pipe
        yielded.send(_End(error))
