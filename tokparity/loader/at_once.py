"""Several iterators run at the same time in threads of their own, and what they yield in the order of the iterators."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass
class _End:
    """That an iterator has come to its end, or what it raised."""

    error: BaseException | None = None


@dataclass
class _Lane(Generic[Item]):
    """One iterator, and what it has yielded that nobody has taken yet."""

    items: Iterable[Item]
    yielded: queue.SimpleQueue[Item | _End] = field(default_factory=queue.SimpleQueue)

    def run(self, stop: threading.Event) -> None:
        """Take all of it, unless nobody wants it any more."""
        try:
            for item in self.items:
                if stop.is_set():
                    break
                self.yielded.put(item)
        except BaseException as error:
            self.yielded.put(_End(error))
        else:
            self.yielded.put(_End())


def at_once(iterators: Sequence[Iterable[Item]], most: int) -> Iterator[Item]:
    """What all of them yield, the first one's items first; at most `most` of them run at a time.

    What one raises is raised when its turn comes. Nobody waits for the threads where this is ended early: they end with
    the program, and the processes that they started end with them.
    """
    lanes = [_Lane(items) for items in iterators]
    waiting: queue.SimpleQueue[_Lane[Item]] = queue.SimpleQueue()
    for lane in lanes:
        waiting.put(lane)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set() and not waiting.empty():
            try:
                lane = waiting.get_nowait()
            except queue.Empty:
                return
            lane.run(stop)

    for _ in range(min(most, len(lanes))):
        threading.Thread(target=work, daemon=True).start()
    try:
        for lane in lanes:
            while not isinstance(item := lane.yielded.get(), _End):
                yield item
            if item.error is not None:
                raise item.error
    finally:
        stop.set()
