"""Causes of wrong spans: each is planted, found and named, in each of the ways in which spans are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.rings import nightly_but
from tokparity import formats, quirks
from tokparity.case import AnyCase, Case
from tokparity.diagnose import BY_LAWS, Base, Explanation
from tokparity.diagnose.spans import WAYS
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.generators import Prepared
from tokparity.generators.subject import Subject
from tokparity.models.record import EMBEDDED
from tokparity.outcome import Outcome, Spanning
from tokparity.questions import Spans
from tokparity.quirks import toys
from tokparity.reference.imitate import imitate
from tokparity.reference.spans import Spanner
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session import explain
from tokparity.sources.spans import span_cases
from tokparity.span_laws import judged

SOURCE = formats.read(EMBEDDED / "small-unigram.model")
"""It normalizes, adds a space, and has special tokens."""
BASE = Base(SOURCE.vocabulary, SOURCE.behaviour)
TEXTS = (
    "a\U0001f600b c",
    "éa </s> b",
    "e\u0301 ﬁ ",
    "  a",
    "e\u0300",
    "日本 a",
    "\u1100\u1161 a",
    "\u00ada b",
    "a\r\nb \r\n c",
)
CASES = [Case(Spans(text.encode(), True, parse)) for text in TEXTS for parse in (False, True)]
CASES += [*span_cases(Prepared(Subject(SOURCE.vocabulary, SOURCE.behaviour)), 0, 30)]
DROPPED = "counts_no_dropped_characters"
NAMES = [quirk.name for quirk in quirks.of_spans() if quirk.name != DROPPED]
"""Those that this model shows; all of its characters have ids."""


def diagnosed(engine: Tokenizer, base: Base = BASE, cases: Sequence[Case[Spans]] = CASES) -> list[Explanation]:
    """The explanations of all that an engine does wrongly."""

    def ask(cases: list[AnyCase]) -> list[Outcome]:
        return [imitate(engine, case.question) for case in cases]

    mismatches, controls = [], []
    for case, given in zip(cases, ask([*cases]), strict=True):
        right = imitate(base.tokenizer, case.question)
        assert isinstance(given, Spanning)
        assert isinstance(right, Spanning)
        found = judged(case.question.text.decode(), replace(given, reach=()), right)
        if found.law:
            difference = Difference.parse(f"spans-{found.law}:{found.place}")
            mismatches.append(Mismatch(case, "toy", "e", "e", right, found, difference))
        else:
            controls.append(Control(case, "toy", "e", found))
    return BY_LAWS["spans"](base, mismatches, controls, ask, ask)


@pytest.mark.parametrize("name", nightly_but(NAMES[::2], NAMES))
def test_each_fault_is_named(name: str) -> None:
    """All its mismatches have this one cause, which new texts do not refute."""
    (found,) = diagnosed(BASE.tokenizer.with_behaviour(quirks.get(name).flip(BASE.behaviour)))
    assert ((name,), "verified") == (found.quirks, found.status)
    assert 0 == found.attacked.otherwise < found.attacked.changes


def test_characters_without_an_id_that_are_not_counted_are_named() -> None:
    """A vocabulary without a piece for "x": behind it, the spans of its word lie too far to the left."""
    toy = toys.bpe("ab", "a+b", fallback="drop")
    base = Base(toy.vocabulary, toy.behaviour)
    cases = [Case(Spans(text.encode(), False)) for text in ("xa", "axb", "abxxab", "ab", "a", "bax", "xxbaab")]
    (found,) = diagnosed(base.tokenizer.with_behaviour(quirks.get(DROPPED).flip(base.behaviour)), base, cases)
    assert ((DROPPED,), "verified") == (found.quirks, found.status)
    assert 0 == found.attacked.otherwise < found.attacked.changes


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_ways_of_being_right_are_right(way: Spanner) -> None:
    """An engine that leaves spaces out, or gives a character to its last id, has no mismatch at all."""
    assert [] == diagnosed(BASE.tokenizer.with_behaviour(replace(BASE.behaviour, spans=way)))


@pytest.mark.parametrize("name", ["counts_spans_in_bytes", "counts_spans_in_utf16"])
def test_a_fault_is_named_whatever_the_way(name: str) -> None:
    """Beside a way that is right."""
    behaviour = quirks.get(name).flip(replace(BASE.behaviour, spans=WAYS[-1]))
    (found,) = diagnosed(BASE.tokenizer.with_behaviour(behaviour))
    assert ((name,), "verified") == (found.quirks, found.status)


@pytest.mark.nightly
def test_what_no_fault_explains_is_told_by_its_law() -> None:
    """Every second span is empty."""

    def odd(text: str, tokens: object, added: object) -> tuple[tuple[int, int], ...]:
        spans = Spanner()(text, tokens, added)  # type: ignore[arg-type]
        return tuple((end, end) if i % 2 else (start, end) for i, (start, end) in enumerate(spans))

    found = diagnosed(BASE.tokenizer.with_behaviour(replace(BASE.behaviour, spans=odd)))
    assert {("unexplained", "a character that an id comes from is in no span")} == {
        (one.status, one.why_unexplained) for one in found
    }


def test_what_comes_without_a_fault_has_no_cause() -> None:
    """Spans that are just those of the reference are no fault's, whatever law is said to be broken."""

    def ask(cases: list[AnyCase]) -> list[Outcome]:
        return [imitate(BASE.tokenizer, case.question) for case in cases]

    difference = Difference.parse("spans-elsewhere:0")
    mismatches = [
        Mismatch(one, "toy", "e", "e", given, given, difference)
        for one, given in zip(CASES, ask([*CASES]), strict=True)
    ]
    (found,) = BY_LAWS["spans"](BASE, mismatches, [], ask, ask)
    assert ("unexplained", ()) == (found.status, found.quirks)


def test_a_cause_that_new_texts_refute_is_none() -> None:
    """Spans that go wrong in the texts of the run alone are told by their law, whatever fault gives the same there."""
    flip = quirks.get("counts_spans_in_bytes").flip(BASE.behaviour).spans
    asked = {case.question.text.decode() for case in CASES}

    def here(text: str, tokens: object, added: object) -> tuple[tuple[int, int], ...]:
        return (flip if text in asked else Spanner())(text, tokens, added)  # type: ignore[arg-type, misc]

    found = diagnosed(BASE.tokenizer.with_behaviour(replace(BASE.behaviour, spans=here)))
    assert {((), "unexplained")} == {(one.quirks, one.status) for one in found}


def test_what_a_signal_left_without_a_cause_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say whether it is new."""
    told = [Explanation("spans-lost", "unexplained", (0,)), Explanation("spans-lost", "verified", (1,), quirks=("a",))]
    monkeypatch.setitem(explain.BY_LAWS, "spans", lambda *given: told)
    evidence = SimpleNamespace(mismatches=(), controls=())
    of = SimpleNamespace(asking=None, evidence=evidence, sources=(None,), interrupted=lambda: True)
    explainer = explain.Explainer()
    monkeypatch.setattr(explainer, "_base", lambda source: source)
    found = explainer._by_laws("spans", of)  # type: ignore[arg-type]
    assert [True, False] == [one.undiagnosed for one in found]
