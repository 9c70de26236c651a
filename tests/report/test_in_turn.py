"""What was asked before a question, in words: of many the first ones."""

from __future__ import annotations

from tokparity.questions import Encode
from tokparity.report.render.visible import in_turn


def test_of_many_questions_the_first_are_shown() -> None:
    """An engine whose cache is full answers otherwise after thousands of texts."""
    few = [Encode(text) for text in (b"a", b"b", b"b")]
    assert '"a", then 2 times "b"' == in_turn(few)
    many = [*few, *(Encode(str(n).encode()) for n in range(2_000))]
    assert '"a", then 2 times "b", then "0", then "1", then "2", then 1,997 others' == in_turn(many)
