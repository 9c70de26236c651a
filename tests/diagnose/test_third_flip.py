"""A pair of flips that nearly fits is tried with a third; ids below 0 stay apart from those of pieces left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Normalise
from tokparity.case import text_case
from tokparity.diagnose import Base, Limits, diagnose
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.reduce import ReducedModel
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import flip_all, toys
from tokparity.reference.tokenizer import Tokenizer

TOY = toys.spm("a b q Q")


@dataclass(frozen=True)
class CapitalQ:
    """Normalizes, then writes each q as a capital."""

    inner: Normalise | None

    def __call__(self, text: str) -> str:
        return (self.inner(text) if self.inner else text).replace("q", "Q")


def quirk(name: str, field: str, value: object = None, derive: Derived | None = None) -> Quirk:
    """A flip that needs no words."""
    return Quirk(name, "t", "s", "c", "f", field, value, derive=derive)


LOWERS = quirk("lowers", "normalise", str.lower)
DROPS = quirk("drops", "fallback", "drop")
CAPITAL = quirk(
    "capital_q", "normalise", derive=Derived(Place.AFTER, 1, lambda behaviour: CapitalQ(behaviour.normalise))
)


def evidence(behaviour: Behaviour, texts: Sequence[str]) -> tuple[list[Mismatch], list[Control]]:
    """What an engine of this behavior does with texts: where it is wrong, and where it is right."""
    right, wrong = (Tokenizer(TOY.vocabulary, b) for b in (TOY.behaviour, behaviour))
    mismatches, controls = [], []
    for text in texts:
        case = text_case(text.encode(), False)
        expected, actual = (Encoding(tuple(t.encode(text.encode(), False))) for t in (right, wrong))
        if expected == actual:
            controls.append(Control(case, "m", "e", actual))
        else:
            mismatches.append(Mismatch(case, "m", "e", "o", expected, actual, Difference("ids", 0)))
    return mismatches, controls


def test_a_third_flip_makes_a_pair_fit() -> None:
    """Only one right text, which is not in the sample, shows the third cause."""
    behaviour = flip_all([LOWERS, DROPS, CAPITAL], TOY.behaviour)
    mismatches, controls = evidence(behaviour, ["A", "é", "éA", "bé", "AB", "a", "aab" * 3 + "Q"])
    assert 2 == len(controls)
    bases, every = [Base(TOY.vocabulary, TOY.behaviour)], [LOWERS, DROPS, CAPITAL]
    limits = Limits(sample_controls=1)
    found = diagnose(bases, mismatches, controls, every, limits=limits)
    assert {"reproduced"} == {one.status for one in found}
    assert len(mismatches) == sum(len(one.members) for one in found)
    without = diagnose(bases, mismatches, controls, every, limits=replace(limits, completed_fits=0))
    assert "unexplained" in {one.status for one in without}


def test_ids_below_zero_stay_apart() -> None:
    """-1 is not a name for a piece that the reduced model lacks, nor the other way round."""
    small = ReducedModel([], {5: 0, 7: 1})
    reduced = small.observation(Observation(text_case(b"a"), Encoding((5, 6, 7, 0)), Encoding((-1, 1_000))))
    assert isinstance(reduced.expected, Encoding)
    assert isinstance(reduced.actual, Encoding)
    expected, actual = reduced.expected.ids, reduced.actual.ids
    assert (0, 1, -1) == (expected[0], expected[2], actual[0])
    assert 6 == len({*expected, *actual})
