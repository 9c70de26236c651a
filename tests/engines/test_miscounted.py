"""An engine that gives too many or too few answers to a request."""

from __future__ import annotations

import pytest

from tokparity.engines.answers import rows_of
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.process.frames import Kind, Request
from tokparity.engines.process.worker import answer


class Miscounts:
    """Right about each text alone; of several it leaves the last one out, and of an empty one it says nothing."""

    def __init__(self, skips_empty: bool = False) -> None:
        self.skips_empty = skips_empty

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The bytes of each text."""
        rows = [list(text) for text in texts.to_list()]
        if self.skips_empty:
            return Ids.from_list([row for row in rows if row])
        return Ids.from_list(rows[: max(len(rows) - 1, 1)])


@pytest.mark.parametrize(("skips_empty", "failed"), [(False, [0, 1, 2]), (True, [1])])
def test_who_is_to_blame_for_a_wrong_number_of_answers(skips_empty: bool, failed: list[int]) -> None:
    """A text that is answered by none alone; where there is no such text, the whole request."""
    request = Request(Kind.ENCODE, Texts.from_list([b"a", b"", b"b"]), False, False, False)
    found = answer(Miscounts(skips_empty), request)  # type: ignore[arg-type]
    assert failed == [index for index, _ in found.failures]
    assert all("answers to a batch of" in failure.message for _, failure in found.failures)


def test_what_can_be_read_once_is_read_once() -> None:
    """A generator of ids is a list of them; all of them were lost."""
    assert [[1, 2], [], [3]] == rows_of([(i for i in (1, 2)), iter(()), [3]], "encode").to_list()
