"""Causes: the fewest of the flips that explain an engine which reproduce one mismatch, whatever was asked."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.faulty_engine import FaultyEngine
from tokparity.case import AnyCase, Case, Origin, text_case
from tokparity.diagnose import Base, causes_of, diagnose
from tokparity.difference import Difference
from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Failure
from tokparity.questions import Decode
from tokparity.quirks import flip_all, get, toys
from tokparity.quirks.toys import Toy
from tokparity.reference.tokenizer import Tokenizer

TOY = toys.spm("▁ a b ab", prefixes_nothing=True)
BASE = Base(TOY.vocabulary, TOY.behaviour)
BOS, SPACES, ABORTS = "doubles_bos", "collapses_spaces", "aborts_on_unknown_without_bytes"
HIDES = "hides_unknown_when_decoding"
COLLAPSES = toys.spm("▁ a", space_prefix="always", collapse_spaces=True, strip_decoded_prefix=True)
ONE, KEEPS = "strips_one_decoded_space", "keeps_extra_spaces"


def wrong(text: bytes, *quirks: str, toy: Toy = TOY) -> Mismatch:
    """What an engine with these quirks gives on a text, special tokens added."""
    behaviours = toy.behaviour, flip_all(map(get, quirks), toy.behaviour)
    right, deviant = (Tokenizer(toy.vocabulary, behaviour) for behaviour in behaviours)
    cases: list[AnyCase] = [text_case(text)]
    (mismatch,), _ = FaultyEngine(right, deviant).evidence(cases, 1, 0)
    return mismatch


def test_the_fewest_flips_of_all_sets() -> None:
    """A set of two is for texts that need both; single flips and all flips together are tried as well."""
    mismatches = [wrong(b"a", BOS), wrong(b"a  b", BOS, SPACES)]
    both = (SPACES, BOS)
    assert [(BOS,), both] == causes_of(BASE, [both], mismatches)
    assert [(BOS,), both] == causes_of(BASE, [(BOS,), (SPACES,)], mismatches)
    assert [(BOS,), ()] == causes_of(BASE, [(BOS,)], mismatches)
    assert [(), ()] == causes_of(BASE, [], mismatches)


def test_of_flips_that_do_as_well_the_first() -> None:
    """The order of the sets says which of two single flips is the likelier one."""
    mismatch = wrong("▁a".encode(), ONE, toy=COLLAPSES)
    base = Base(COLLAPSES.vocabulary, COLLAPSES.behaviour)
    assert [(ONE,)] == causes_of(base, [(ONE,), (KEEPS,)], [mismatch])
    assert [(KEEPS,)] == causes_of(base, [(KEEPS,), (ONE,)], [mismatch])


def test_a_failure() -> None:
    """Only a flip that crashes explains that an engine dies, and only where it crashes."""
    died = wrong(b"a\xc3\xa9b", ABORTS)
    assert isinstance(died.actual, Failure)
    elsewhere = replace(wrong(b"a", BOS), actual=died.actual)
    assert [(ABORTS,), ()] == causes_of(BASE, [(BOS,), (ABORTS,)], [died, elsewhere])


def test_a_row_of_ids() -> None:
    """What ids decode to has a cause of its own."""
    case = Case(Decode((0, 4), True), Origin("given"))
    pieces = tuple(TOY.vocabulary.pieces[i] for i in (0, 4))
    right, hidden = Decoding(" ⁇ a".encode()), Decoding(b"a")
    row = Mismatch(case, "toy", "e", "o", right, hidden, Difference("decode"), pieces, pieces)
    assert [(HIDES,), ()] == causes_of(BASE, [(BOS,), (HIDES,)], [row, replace(row, actual=Decoding(b"b"))])


def test_a_flip_that_changes_the_ids_explains_no_decoding_of_right_ids() -> None:
    """The engine that keeps spaces would decode the same text, but of other ids than this engine gave."""
    base = Base(COLLAPSES.vocabulary, COLLAPSES.behaviour)
    mismatch = wrong("  ▁a".encode(), ONE, toy=COLLAPSES)
    assert "decode" == mismatch.difference.aspect
    assert [()] == causes_of(base, [(KEEPS,)], [mismatch])
    assert [(ONE,)] == causes_of(base, [(KEEPS,), (ONE,)], [mismatch])
    assert [()] == [found.quirks for found in diagnose([base], [mismatch], [], [get(KEEPS)])]
