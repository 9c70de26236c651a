"""Where an answer depends on more than the text, that is said, and nothing else about the texts."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.case import AnyCase, text_case
from tokparity.diagnose.common_traits import ANEW, characterised
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.explanation import Explanation
from tokparity.difference import Difference
from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure, Outcome

RIGHT, WRONG = Encoding((1,)), Encoding((2,))
MISMATCHES = [
    Mismatch(text_case(text), "m", "e", "o", RIGHT, WRONG, Difference("ids", 0)) for text in (b"tab\t", b"a\t", b"\tb")
]
EXPLAINED = [Explanation("ids", "unexplained", (0, 1, 2))]


def put(cases: Sequence[AnyCase]) -> list[Observation | None]:
    """Texts with a tab are answered wrongly."""
    return [Observation(case, RIGHT, WRONG if b"\t" in case.question.shown else RIGHT) for case in cases]


def said(anew: Outcome, longest: Outcome | None = None) -> list[str]:
    """The sentences, where a new process gives that answer to everything, or another one to the longest text."""

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        return [longest if longest and case.question.size == 4 else anew for case in cases]

    found = characterised(EXPLAINED, MISMATCHES, [], ask, put)
    return [trait.sentence for one in found for trait in one.character]


def test_what_does_not_come_again_is_said_and_nothing_else() -> None:
    """Though all that was wrong has a tab: that need not be why."""
    assert [f"{ANEW}: 3 of 3 failing texts"] == said(RIGHT)


def test_what_comes_again_only_together_is_no_fault_of_the_text() -> None:
    """All three come again when a new process is asked for all of them, and one alone does not."""
    alone = iter([[WRONG] * 3, [WRONG], [WRONG] * 9 + [RIGHT]])
    found = characterised(EXPLAINED, MISMATCHES, [], lambda cases: next(alone), put)
    assert [(True, (0, 1, 2))] == [(one.strays, one.members) for one in found]


def test_a_fault_of_the_text_stands_beside_what_does_not_come_again() -> None:
    """The longest text is answered otherwise by a new process; the others have a tab, and that is why."""
    told = said(WRONG, longest=RIGHT)
    said_first = [one.partition(" failing")[0] for one in told[:2]]
    assert [f"{ANEW}: 1 of 3", "the text contains U+0009 (TAB): 2 of 2"] == said_first


def test_what_comes_again_is_characterised() -> None:
    """As is what a process that cannot be opened, or that a busy machine keeps from answering, leaves unknown."""
    for alone in (WRONG, Failure("unavailable", "gone"), Failure("timeout", "no answer in 10 s")):
        assert said(alone)[0].startswith("the text contains U+0009 (TAB): 3 of 3"), alone


def test_what_quirks_explain_is_asked_nothing() -> None:
    """Where nothing is left unexplained, no process is opened and no text is put."""
    explained = [Explanation("ids", "verified", (0, 1, 2), ("some_quirk",))]

    def never(given: object) -> Outcome:
        raise AssertionError(given)

    assert explained == characterised(explained, MISMATCHES, [], never, never)  # type: ignore[arg-type]
