"""Why an engine disagrees on a generated model: the fewest quirks for each text, learned from model to model."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.case import text_case
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.fuzz.causes import Causes, controls, varied
from tokparity.fuzz.why import Why
from tokparity.outcome import Encoding, Failure
from tokparity.quirks import flip_all, get, toys
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.in_process import answers
from tokparity.session.judge import REFERENCE, Batch, Judge

TOY = toys.spm("▁ a b ab", prefixes_nothing=True)
TEXTS = (b"", b"a", b"b", b"ab", b"ba", b"a b", b"  a", b"b  ", b"a  b", b"aab", b"abb", b"bab", b"a\xc3\xa9b")


def put(*names: str) -> tuple[Tokenizer, list[Mismatch], list[Control]]:
    """The toy, and what an engine with these quirks does wrong and right."""
    right = Tokenizer(TOY.vocabulary, TOY.behaviour)
    wrong = Tokenizer(TOY.vocabulary, flip_all([get(name) for name in names], TOY.behaviour))
    found: list[Mismatch] = []
    agreeing: list[Control] = []
    for add_special in (False, True):
        cases = [text_case(text, add_special) for text in TEXTS]
        results = {
            REFERENCE: answers(right, cases, skip_special=True),
            "wrong": answers(wrong, cases, skip_special=True),
        }
        batch = Batch(cases, results)
        judge = Judge("toy", REFERENCE, TOY.vocabulary.pieces)
        verdict = judge.verdict(batch, "wrong")
        assert verdict is not None
        mismatches = [judge.mismatch(batch, seen) for seen in verdict.sightings]
        found += mismatches
        agreeing += controls("toy", "wrong", batch, verdict.sightings)
    return right, found, agreeing


def causes_of(why_texts: Sequence[Mismatch], *names: str) -> set[tuple[str, ...]]:
    """The causes of all mismatches of an engine with these quirks."""
    right, found, agreeing = put(*names)
    why = Causes().study(right, found, agreeing)
    return {why.cause(mismatch) for mismatch in why_texts or found}


def test_each_text_has_the_fewest_quirks_that_give_it() -> None:
    """Of two quirks, a text that shows one of them is put down to that one."""
    causes = causes_of((), "collapses_spaces", "doubles_bos")
    assert {("collapses_spaces",), ("doubles_bos",)} <= causes
    assert causes <= {("collapses_spaces",), ("doubles_bos",), ("collapses_spaces", "doubles_bos")}


def test_what_is_no_quirk_is_unexplained() -> None:
    """An engine that gives an id out of nowhere has no cause."""
    right, found, agreeing = put("doubles_bos")
    odd = [
        Mismatch(m.case, m.model, m.engine, m.oracle, m.expected, Encoding((3, 3, 3)), Difference("ids")) for m in found
    ]
    why = Causes().study(right, odd, agreeing)
    assert {()} == {why.cause(mismatch) for mismatch in odd}


def test_a_crash_of_the_algorithm_is_a_cause() -> None:
    """What dies on a character that no piece covers is explained, and nothing else is put down to it."""
    right, found, agreeing = put("aborts_on_unknown_without_bytes")
    died = [
        Mismatch(
            m.case,
            m.model,
            m.engine,
            m.oracle,
            m.expected,
            Failure("crash", "", 6),
            Difference("failure", failure="crash"),
        )
        for m in found
    ]
    why = Causes().study(right, died, agreeing)
    assert {("aborts_on_unknown_without_bytes",)} == {why.cause(mismatch) for mismatch in died}
    assert {b"a\xc3\xa9b"} == {mismatch.case.question.text for mismatch in died}


def test_a_cause_holds_on_another_model_where_it_gives_the_same() -> None:
    """Causes are carried over to a model with other pieces."""
    right, found, agreeing = put("doubles_bos")
    why = Causes().study(right, found, agreeing)
    other = toys.spm("▁ a b ba", prefixes_nothing=True)
    again = Why(Tokenizer(other.vocabulary, other.behaviour), why.causes)
    assert why.causes == again.causes
    assert ("doubles_bos",) == again.cause(next(m for m in found if m.case.question.text == b"a"))


def test_a_second_look_tries_several_known_quirks_at_once() -> None:
    """A text that needs two quirks is explained once the engine is known to have each of them."""
    names = ("collapses_spaces", "doubles_bos")
    causes = Causes()
    for name in names:
        causes.study(*put(name))
    right, found, agreeing = put(*names)
    both = [m for m in found if m.case.question.add_special and b"  " in m.case.question.text]
    why = causes.study(right, both, agreeing, again=True)
    assert {names} == {why.cause(mismatch) for mismatch in both}


def test_some_of_each_kind_and_the_others() -> None:
    """No kind is crowded out, and no mismatch is lost."""
    _, found, _ = put("collapses_spaces", "doubles_bos")
    some, others = varied(found, 3)
    assert 3 == len(some)
    assert len(found) == len({id(m) for m in [*some, *others]})
