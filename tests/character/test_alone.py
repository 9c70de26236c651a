"""Where an answer depends on more than the text, that is said, and nothing else about the texts."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.case import AnyCase, text_case
from tokparity.diagnose.character.seen import Seen
from tokparity.diagnose.character.unexplained import ALONE, characterised
from tokparity.diagnose.explanation import Explanation
from tokparity.difference import Difference
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure, Outcome

RIGHT, WRONG = Encoding((1,)), Encoding((2,))
MISMATCHES = [
    Mismatch(text_case(text), "m", "e", "o", RIGHT, WRONG, Difference("ids", 0)) for text in (b"tab\t", b"a\t", b"\tb")
]
EXPLAINED = [Explanation("ids", "unexplained", (0, 1, 2))]


def put(cases: Sequence[AnyCase]) -> list[Seen | None]:
    """Texts with a tab are answered wrongly."""
    tabs = [(case.question, b"\t" in case.question.shown) for case in cases]
    return [Seen(question, RIGHT, WRONG if wrong else RIGHT, wrong) for question, wrong in tabs]


def said(alone: Outcome) -> list[str]:
    """The sentences, where a new process gives that answer to everything."""
    found = characterised(EXPLAINED, MISMATCHES, [], lambda case: alone, put)
    return [trait.sentence for one in found for trait in one.character]


def test_what_does_not_come_again_is_said_and_nothing_else() -> None:
    """Though all that was wrong has a tab: that need not be why."""
    assert [f"{ALONE}: 3 of 3"] == said(RIGHT)


def test_what_comes_again_is_characterised() -> None:
    """As is what a process that cannot be opened, or that a busy machine keeps from answering, leaves unknown."""
    for alone in (WRONG, Failure("unavailable", "gone"), Failure("timeout", "no answer in 10 s")):
        assert said(alone)[0].startswith("the text contains U+0009: 3 of 3"), alone


def test_what_quirks_explain_is_asked_nothing() -> None:
    """Where nothing is left unexplained, no process is opened and no text is put."""
    explained = [Explanation("ids", "verified", (0, 1, 2), ("some_quirk",))]

    def never(given: object) -> Outcome:
        raise AssertionError(given)

    assert explained == characterised(explained, MISMATCHES, [], never, never)  # type: ignore[arg-type]
