"""Priors: what an engine is known to do is learned from model to model, and explains it on the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tokparity.case import text_case
from tokparity.diagnose import Base, causes_of
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.fuzz import priors
from tokparity.fuzz.priors import Names, Priors, varied
from tokparity.outcome import Encoding, Failure
from tokparity.quirks import flip_all, get, names, toys
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.in_process import answers
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.recorder import Recorder
from tokparity.session.writer import Unwritten

TOY = toys.spm("▁ a b ab", prefixes_nothing=True)
BASE = Base(TOY.vocabulary, TOY.behaviour)
COLLAPSES = toys.spm("▁ a", space_prefix="always", collapse_spaces=True, strip_decoded_prefix=True)
TEXTS = (b"", b"a", b"b", b"ab", b"ba", b"a b", b"  a", b"b  ", b"a  b", b"aab", b"abb", b"bab", b"a\xc3\xa9b")


def put(
    *quirks: str, toy: toys.Toy = TOY, texts: Sequence[str | bytes] = TEXTS
) -> tuple[list[Mismatch], list[Control]]:
    """What an engine with these quirks does wrong and right on a toy."""
    right = Tokenizer(toy.vocabulary, toy.behaviour)
    wrong = Tokenizer(toy.vocabulary, flip_all(map(get, quirks), toy.behaviour))
    recorder = Recorder(Judge("toy", REFERENCE, toy.vocabulary.pieces), ["wrong"], Unwritten())
    for add_special in (False, True):
        cases = [text_case(text if isinstance(text, bytes) else text.encode(), add_special) for text in texts]
        given = {
            name: answers(engine, cases, skip_special=True) for name, engine in ((REFERENCE, right), ("wrong", wrong))
        }
        recorder.take(Batch(cases, given))
    evidence = recorder.evidence["wrong"]
    return evidence.mismatches, evidence.controls


def causes(*quirks: str) -> set[Names]:
    """The causes of all mismatches of an engine with these quirks."""
    return set(Priors().explain(BASE, *put(*quirks)).causes)


def test_each_text_has_the_fewest_quirks_that_give_it() -> None:
    """Of two quirks, a text that shows one of them is put down to that one."""
    found = causes("collapses_spaces", "doubles_bos")
    assert {("collapses_spaces",), ("doubles_bos",), ("collapses_spaces", "doubles_bos")} == found


def test_what_is_no_quirk_is_unexplained() -> None:
    """An engine that gives an id out of nowhere has no cause."""
    mismatches, controls = put("doubles_bos")
    odd = [replace(m, actual=Encoding((3, 3, 3)), difference=Difference("ids")) for m in mismatches]
    explained = Priors().explain(BASE, odd, controls)
    assert {()} == set(explained.causes)
    assert odd == explained.left(odd)
    assert () == explained.sets


def test_a_crash_of_the_algorithm_is_a_cause() -> None:
    """What dies on a character that no piece covers is explained, and nothing else is put down to it."""
    died, controls = put("aborts_on_unknown_without_bytes")
    assert all(isinstance(mismatch.actual, Failure) for mismatch in died)
    assert {("aborts_on_unknown_without_bytes",)} == set(Priors().explain(BASE, died, controls).causes)
    assert {b"a\xc3\xa9b"} == {mismatch.case.question.shown for mismatch in died}


def test_a_cause_holds_on_another_model_where_it_gives_the_same() -> None:
    """Causes are carried over to a model with other pieces."""
    mismatches, controls = put("doubles_bos")
    explained = Priors().explain(BASE, mismatches, controls)
    other = toys.spm("▁ a b ba", prefixes_nothing=True)
    text = next(m for m in mismatches if m.case.question.shown == b"a")
    assert [("doubles_bos",)] == causes_of(Base(other.vocabulary, other.behaviour), explained.sets, [text])


def test_a_second_look_tries_what_was_learned_since() -> None:
    """Texts that need two quirks at once are explained once the engine is known to have each of them."""
    quirks = ("collapses_spaces", "doubles_bos")
    mismatches, controls = put(*quirks)
    both = [m for m in mismatches if m.case.question.add_special and b"  " in m.case.question.shown]
    learned = Priors()
    for name in quirks:
        learned.explain(BASE, *put(name))
    nothing = priors.Explained((), ((),) * len(both))
    assert {quirks} == set(learned.explain(BASE, both, controls, nothing).causes)


def test_the_known_quirks_are_counted_the_commonest_first() -> None:
    """What explains most texts so far is tried first on the next model."""
    learned = Priors()
    learned.explain(BASE, *put("collapses_spaces", "doubles_bos"))
    assert ["doubles_bos", "collapses_spaces"] == learned.known("wrong")
    assert [] == learned.known("another engine")


def test_all_quirks_are_not_searched_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """After ten models on which nothing explained a kind of mismatch only what is known is tried for it."""
    mismatches, controls = put("doubles_bos")
    odd = [replace(mismatches[0], actual=Encoding((3, 3, 3)), difference=Difference("ids"))]
    widths: list[int] = []

    def counted(bases: Sequence[Base], wrong: object, right: object, quirks: Sequence[object], **more: object) -> list:
        widths.append(len(quirks))
        return []

    monkeypatch.setattr(priors, "diagnose", counted)
    learned = Priors()
    for _ in range(15):
        learned.explain(BASE, odd, controls)
    assert {len(names())} == set(widths)
    assert 10 == len(widths) // 2  # each search is made with what is known of the engine, and without


def test_a_quirk_that_is_like_the_cause_does_not_take_its_texts() -> None:
    """What is known gives some of the texts; the quirk that gives all of them takes these as well."""
    mismatches, controls = put("strips_one_decoded_space", toy=COLLAPSES, texts=("▁a", "  ▁a", " ▁▁a", "▁a a"))
    learned = Priors()
    known, right = put("keeps_extra_spaces", toy=COLLAPSES, texts=("a  a", "  a", " a a  a"))
    base = Base(COLLAPSES.vocabulary, COLLAPSES.behaviour)
    learned.explain(base, known, right)
    assert ["keeps_extra_spaces"] == learned.known("wrong")
    explained = learned.explain(base, mismatches, controls)
    assert {("strips_one_decoded_space",)} == set(explained.causes)
    assert (("strips_one_decoded_space",),) == explained.sets


def test_some_of_each_kind() -> None:
    """No kind is crowded out, and the shortest texts come first."""
    mismatches, _ = put("collapses_spaces", "doubles_bos")
    kinds = {m.kind for m in mismatches}
    some = varied(mismatches, len(kinds))
    assert kinds == {m.kind for m in some}
    assert len(mismatches) == len(varied(mismatches, 1000))
