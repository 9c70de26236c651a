"""Recognition: what is known of an engine is told as such, also where something else about it is contradicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from benchmarks.faulty_engine import FaultyEngine
from tokparity.case import AnyCase, text_case
from tokparity.diagnose import Base, Explanation, Limits, diagnose
from tokparity.outcome import Outcome
from tokparity.quirk import Quirk
from tokparity.quirks import flip_all, toys
from tokparity.reference.tokenizer import Tokenizer

MARKED = Quirk("marked", "t", "s", "c", "f", "normalise", lambda text: text.replace("x!", "y!"))
ASKED = Quirk(
    "asked", "t", "s", "c", "f", "decode_text", lambda data: data.decode().replace("x?", "x!").replace("a", "y")
)
TEXTS = ("x!", "!x!", "a", "x", "b", "x?", "bx?b")


def explained(limits: Limits, new: str) -> list[Explanation]:
    """The diagnosis of an engine that has both quirks, though never in one text: "x?" is right, and says so.

    The reader of the toy model has neither "?" nor "!", so each quirk alone gives the right ids of "x?", and only both
    together contradict it. A `new` character is read as "a", which nobody knows of it.
    """
    toy = toys.spm("x y a b n")
    both = {"x!": "y!", "a": "y", new: "a"}

    def wrong(text: str) -> str:
        for read, given in both.items():
            text = text.replace(read, given)
        return text

    right = Tokenizer(toy.vocabulary, toy.behaviour)
    engine = FaultyEngine(right, right.with_behaviour(replace(toy.behaviour, normalise=wrong)))
    mismatches, controls = engine.evidence([text_case(text.encode(), False) for text in (*TEXTS, new)], 99, 99)
    bases = [Base(toy.vocabulary, toy.behaviour)]
    return diagnose(bases, mismatches, controls, [MARKED, ASKED], limits=limits, known=("marked", "asked"))


def test_one_contradiction_does_not_take_all_down() -> None:
    """Without time to search one known quirk is told; what the other would give is open, and what none gives is new."""
    known, *left = explained(Limits(seconds=0.0), new="n")
    assert ("asked",) == known.quirks
    assert [(1, False), (2, True)] == sorted((len(one.members), one.undiagnosed) for one in left)


@pytest.mark.parametrize(("share", "status", "is_asked"), [(0.0, "reproduced", False), (0.25, "verified", True)])
def test_what_is_known_is_attacked_unless_the_limits_allow_no_text(share: float, status: str, is_asked: bool) -> None:
    """A quick check names a known quirk by the evidence alone, does not call it verified, and puts no further text."""
    toy = toys.spm("x y a b n")
    right = Tokenizer(toy.vocabulary, toy.behaviour)
    engine = FaultyEngine(right, right.with_behaviour(ASKED.flip(toy.behaviour)))
    mismatches, controls = engine.evidence([text_case(text.encode(), False) for text in TEXTS], 99, 99)
    asked: list[AnyCase] = []

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        asked.extend(cases)
        return engine.ask(cases)

    bases, limits = [Base(toy.vocabulary, toy.behaviour)], Limits(quick_attack=share)
    (found,) = diagnose(bases, mismatches, controls, [ASKED], ask, limits, ("asked",), fresh=ask)
    assert (status, ("asked",)) == (found.status, found.quirks)
    assert is_asked is bool(asked)


def recognised(first: Quirk, second: Quirk, *texts: str) -> dict[tuple[str, ...], tuple[int, ...]]:
    """What is told without a search of an engine that has both quirks, which are known of it: mismatches by quirks."""
    toy, both = toys.spm("x y a b n"), [first, second]
    right = Tokenizer(toy.vocabulary, toy.behaviour)
    engine = FaultyEngine(right, right.with_behaviour(flip_all(both, toy.behaviour)))
    mismatches, controls = engine.evidence([text_case(text.encode(), False) for text in texts], 99, 99)
    bases, known = [Base(toy.vocabulary, toy.behaviour)], [quirk.name for quirk in both]
    found = diagnose(bases, mismatches, controls, both, limits=Limits(seconds=0.0), known=known)
    assert [] == [one for one in found if one.undiagnosed]
    return {one.quirks: one.members for one in found}


def test_one_known_quirk_may_undo_what_another_spoils() -> None:
    """Alone the one contradicts what is right, and the other changes nothing that is wrong; both are what it does."""
    spoils = replace(ASKED, name="spoils", value=lambda data: data.decode().replace("a", "y").replace("b", "x!"))
    undoes = replace(MARKED, name="undoes", value=lambda text: text.replace("x!", "b"))
    assert {("spoils", "undoes"): (0,)} == recognised(spoils, undoes, "a", "b", "x", "xb")


def test_a_known_quirk_may_show_only_beside_another() -> None:
    """By itself it changes nothing, as taking one of two spaces away where nothing but another quirk leaves two."""
    leaves = replace(ASKED, name="leaves", value=lambda data: data.decode().replace("a", "yy").replace("b", "n"))
    takes = replace(MARKED, name="takes", value=lambda text: text.replace("yy", "y"))
    assert {("leaves",): (0,), ("leaves", "takes"): (1,)} == recognised(leaves, takes, "b", "a", "x")
