"""The diagnoser: told only what an engine gave, it names what was planted, or says that it cannot."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from benchmarks.faulty_engine import FaultyEngine
from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.behaviour import Behaviour, Segmenter, Trace
from tokparity.case import AnyCase, Origin, TextCase, text_case
from tokparity.diagnose import Base, Explanation, Limits, diagnose, findings
from tokparity.diagnose.evidence import evidence_of
from tokparity.diagnose.families.catalogue.problem import pose
from tokparity.diagnose.families.catalogue.selection import Selection
from tokparity.diagnose.families.catalogue.stepwise import eliminate
from tokparity.diagnose.families.catalogue.verify import NearMiss
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.formats import Source
from tokparity.generators import Prepared, prepared
from tokparity.outcome import Encoding, Failure, FailureKind, Outcome
from tokparity.questions import Encode
from tokparity.quirk import SOURCE_DIFFERS, Quirk
from tokparity.quirks import toys
from tokparity.reference.bpe import bpe
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.unknown import fallback
from tokparity.sources import corpus
from tokparity.sources.random_texts import random_cases
from tokparity.vocabulary import Kind, Vocabulary

CRASH = Difference("failure", failure="crash")


@cache
def source(name: str) -> Source:
    """A model that ships with tokparity."""
    return models.primary_source(models.load(name))


@cache
def cases(name: str, count: int = 600) -> tuple[TextCase, ...]:
    """Generated texts for a model and some corpora, with and without special tokens, in a mixed order."""
    found = list(_cases(prepared(source(name).vocabulary, source(name).behaviour)))
    random.Random(1).shuffle(found)
    return tuple(found[:count])


def _cases(made_for: Prepared) -> Iterator[TextCase]:
    for index, case in enumerate(random_cases((), 0, 900, made_for)):
        yield replace(case, question=replace(case.question, parse_special=index % 3 == 0))
    for name in ("whitespace", "prompts", "special_tokens"):
        yield from islice((case for case in corpus.load(name) if len(case.question.text) < 500), 150)


def planted(name: str, wrong: Behaviour, vocabulary: Vocabulary | None = None) -> FaultyEngine:
    """A deviant engine on one of our models."""
    right = Tokenizer(source(name).vocabulary, source(name).behaviour)
    return FaultyEngine(right, Tokenizer(vocabulary or source(name).vocabulary, wrong), name)


def explained(
    name: str, wrong: Behaviour, asks: bool = False, most: int = 300
) -> tuple[list[Explanation], list[Mismatch]]:
    """What the diagnosis says of an engine that behaves like this, by so many wrong answers at most."""
    deviant = planted(name, wrong)
    mismatches, controls = deviant.evidence(cases(name), most, 100)
    assert mismatches
    bases = [Base(source(name).vocabulary, source(name).behaviour)]
    found = diagnose(bases, mismatches, controls, quirks.all_quirks(), deviant.ask if asks else None)
    return found, mismatches


def flipped(name: str, *names: str) -> Behaviour:
    """The behavior of a model with these quirks."""
    return quirks.flip_all([quirks.get(quirk) for quirk in names], source(name).behaviour)


SINGLES = (
    ("small-spm", "greedy_longest_match"),
    ("small-spm", "omits_space_prefix"),
    ("small-spm", "ignores_byte_fallback"),
    ("small-spm", "runs_viterbi_on_spm"),
    ("small-unigram", "skips_normalisation"),
    ("small-unigram", "merges_unigram_by_score"),
    ("small-bpe", "uses_pre_llama3"),
    ("small-wordpiece", "keeps_case"),
)


@pytest.mark.parametrize(("name", "quirk"), nightly_but(SINGLES[::2], SINGLES))
def test_one_quirk_is_named(name: str, quirk: str) -> None:
    """It is the explanation, or among the alternatives, and reproduces every mismatch."""
    (found,), mismatches = explained(name, flipped(name, quirk))
    assert (quirk,) in {found.quirks, *found.alternatives}
    assert (len(mismatches), len(mismatches)) == (len(found.members), found.verified)


@pytest.mark.parametrize("asks", nightly_but([False], [False, True]))
def test_two_quirks_are_named(asks: bool) -> None:
    """The two of the Gemma 3 case, from outcomes alone and with an engine that can be asked."""
    found, _ = explained("small-spm", flipped("small-spm", "greedy_longest_match", "writes_spaces_as_bytes"), asks)
    assert {"greedy_longest_match", "writes_spaces_as_bytes"} == causes(found)
    assert {"verified" if asks else "reproduced"} == {one.status for one in found}
    refuted = {one.quirks for one in found[0].ruled_out}
    assert {("greedy_longest_match",), ("writes_spaces_as_bytes",)} <= refuted


def test_decoding_is_explained_by_itself() -> None:
    """Equal ids that decode differently, and other ids, are two explanations."""
    wrong = flipped("small-spm", "keeps_decoded_prefix", "omits_bos")
    found = {explanation.aspect: explanation for explanation in explained("small-spm", wrong)[0]}
    assert ("omits_bos",) in {found["ids"].quirks, *found["ids"].alternatives}
    assert ("keeps_decoded_prefix",) == found["decode"].quirks


@pytest.mark.nightly
def test_decoding_is_judged_by_the_ids_that_the_engine_gave() -> None:
    """An unescaped space makes wrong ids, and only these show how spaces before punctuation are decoded."""
    both = ("cleans_up_spaces", "leaves_spaces_unescaped")
    found = explained("small-spm", flipped("small-spm", *both), asks=True)[0]
    assert {both[1]} == causes([one for one in found if one.aspect == "ids"])
    assert set(both) == causes([one for one in found if one.aspect == "decode"])


@pytest.mark.nightly
def test_how_wrong_ids_are_decoded_is_explained_too() -> None:
    """Only invalid bytes kept as they are, which are wrong ids, show the last of the three."""
    decoding = (
        "hides_unknown_when_decoding",
        "keeps_decoded_prefix_after_specials",
        "leaves_broken_utf8_when_decoding",
    )
    wrong = flipped("small-spm", *decoding, "keeps_invalid_bytes")
    found = [one for one in explained("small-spm", wrong, asks=True)[0] if one.aspect == "decode"]
    assert ({"verified"}, set(decoding)) == ({one.status for one in found}, causes(found))


@pytest.mark.nightly
def test_probes_ask_for_what_no_evidence_hints_at() -> None:
    """All that is dropped here is unknown; that a selector goes before words are looked up shows inside of words."""
    both = ("drops_emoji_selectors", "drops_unknown_text")
    assert set(both) == causes(explained("small-spm", flipped("small-spm", *both), asks=True)[0])


class LongestAnywhere:
    """Not in the catalogue: pieces are sorted by length before matching, and the longest in the word is taken first."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        matched = (Kind.NORMAL, Kind.USER_DEFINED)
        pieces = [piece.decode() for i, piece in enumerate(vocabulary.pieces) if vocabulary.kinds[i] in matched]
        self._pieces = sorted(pieces, key=len, reverse=True)
        self._ids = {piece.decode(): i for piece, i in vocabulary.ids.items()}
        self._fallback = fallback(vocabulary, behaviour)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        for piece in self._pieces if word else ():
            if piece in word:
                before, *others = word.split(piece)
                return [*self(before), *(i for part in others for i in (self._ids[piece], *self(part)))]
        return self._fallback(word) if word else []


def longest_anywhere(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter with that fault."""
    return LongestAnywhere(vocabulary, behaviour)


def two_of_three_merges(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """Not in the catalogue: every third merge is skipped."""
    kept = tuple(merge for n, merge in enumerate(vocabulary.merges) if n % 3 != 2)
    return bpe(replace(vocabulary, merges=kept), behaviour)


UNKNOWN = [("small-spm", longest_anywhere), ("small-bpe", two_of_three_merges)]


@pytest.mark.parametrize("asks", nightly_but([True], [False, True]))
@pytest.mark.parametrize(("name", "fault"), nightly_but(UNKNOWN[1:], UNKNOWN))
def test_what_is_not_in_the_catalogue_is_unexplained(name: str, fault: object, asks: bool) -> None:
    """It is not taken for something else, however near that comes."""
    wrong = replace(source(name).behaviour, segment=fault)  # type: ignore[arg-type]
    found, mismatches = explained(name, wrong, asks, most=60)
    assert [("unexplained", ())] == [(one.status, one.quirks) for one in found]
    assert len(mismatches) == len(found[0].members)


@pytest.mark.nightly
@pytest.mark.parametrize("forgets", [False, True])
def test_an_engine_that_does_not_repeat_itself(forgets: bool) -> None:
    """It is told of one that answers otherwise when asked again, and not of one whose fault is only unknown."""
    name = "small-spm"
    deviant = planted(name, replace(source(name).behaviour, segment=longest_anywhere))
    mismatches, controls = deviant.evidence(cases(name), 300, 100)
    right = FaultyEngine(deviant.right, deviant.right, name)
    bases = [Base(source(name).vocabulary, source(name).behaviour)]
    ask = right.ask if forgets else deviant.ask
    (found,) = diagnose(bases, mismatches, controls, quirks.all_quirks(), ask)
    assert "unexplained" == found.status
    assert forgets == found.why_unexplained.startswith("The engine does not repeat itself")


LOST = [("unavailable", False), ("timeout", False), ("crash", True)]


@pytest.mark.parametrize(("kind", "is_answer"), nightly_but(LOST[1:2], LOST))
def test_an_engine_that_does_not_answer_any_more_gives_no_other_answer(kind: FailureKind, is_answer: bool) -> None:
    """One that hung too often is not asked any more, and a busy machine keeps answers back."""
    name = "small-spm"
    deviant = planted(name, replace(source(name).behaviour, segment=longest_anywhere))
    mismatches, controls = deviant.evidence(cases(name), 60, 40)
    bases = [Base(source(name).vocabulary, source(name).behaviour)]

    def ask(asked: Sequence[AnyCase]) -> list[Outcome]:
        return [Failure(kind, "no") for _ in asked]

    (found,) = diagnose(bases, mismatches, controls, quirks.all_quirks(), ask)
    assert is_answer == found.why_unexplained.startswith("The engine does not repeat itself")


@pytest.mark.nightly
def test_an_unknown_cause_beside_a_known_one() -> None:
    """What the known one explains is told, the rest is unexplained; what explains none of that is not near it."""
    name = "small-spm"
    behaviour = flipped(name, "ignores_byte_fallback")

    def wrong(text: str) -> str:
        return text.replace("e", "o") if "an" in text else text

    found, _ = explained(name, replace(behaviour, normalise=wrong))
    by_status = {one.status: one for one in found}
    assert ("ignores_byte_fallback",) == by_status["reproduced"].quirks
    assert "" == by_status["unexplained"].nearest


@pytest.mark.nightly
def test_causes_are_found_one_after_the_other() -> None:
    """Three at once, of which no pair explains everything; each has its own texts, and all have a finding."""
    three = ("omits_bos", "keeps_invalid_bytes", "collapses_spaces")
    found, mismatches = explained("small-spm", flipped("small-spm", *three), asks=True)
    assert {"verified"} == {one.status for one in found}
    assert set(range(len(mismatches))) == {index for one in found for index in one.members}
    assert {*three} <= {name for one in found for names in (one.quirks, *one.alternatives) for name in names}


def test_a_cause_that_spoils_what_the_others_get_right_is_dropped() -> None:
    """In the end all causes are held against all evidence, and against texts that are asked for it."""
    name, right, wrong = "small-spm", quirks.get("ignores_byte_fallback"), quirks.get("omits_space_prefix")
    deviant = planted(name, flipped(name, right.name))
    mismatches, _ = deviant.evidence(cases(name), 50, 0)
    bases = [Base(source(name).vocabulary, source(name).behaviour)]
    problem = pose("ids", bases, quirks.all_quirks(), deviant.ask, Limits())
    selections = [Selection((wrong,)), Selection((right,))]
    kept, _ = eliminate(problem, evidence_of("ids", mismatches, []), 0, selections)
    assert [Selection((right,))] == kept


@pytest.mark.nightly
def test_half_an_explanation_is_completed() -> None:
    """A flip that explains the shortest text, and elsewhere only together with another."""
    names = ("groups_bytes_by_lead", "keeps_invalid_bytes", "ignores_scores")
    found, _ = explained("small-spm", flipped("small-spm", *names), asks=True)
    assert {"verified"} == {one.status for one in found}
    assert {*names} == {name for one in found for name in one.quirks}


def test_a_spent_budget_ends_the_search_alike_every_time() -> None:
    """What is found depends on the work that was done, not on the clock."""
    name, wrong = "small-spm", flipped("small-spm", "greedy_longest_match", "writes_spaces_as_bytes")
    deviant = planted(name, wrong)
    mismatches, controls = deviant.evidence(cases(name), 300, 100)
    bases = [Base(source(name).vocabulary, source(name).behaviour)]
    first, again = (
        diagnose(bases, mismatches, controls, quirks.all_quirks(), deviant.ask, Limits(work=100_000)) for _ in range(2)
    )
    assert first == again
    assert ["unexplained"] == [one.status for one in first]


def causes(found: Sequence[Explanation]) -> set[str]:
    """All quirks that explanations name: each has one cause, and texts that need two have one of their own."""
    return {name for one in found for name in one.quirks}


def toy_evidence(
    right: toys.Toy, wrong: Behaviour, texts: Sequence[str]
) -> tuple[list[Mismatch], list[Control], FaultyEngine]:
    """The evidence of a deviant toy on these texts."""
    tokenizer = Tokenizer(right.vocabulary, right.behaviour)
    deviant = FaultyEngine(tokenizer, tokenizer.with_behaviour(wrong))
    mismatches, controls = deviant.evidence([text_case(text.encode(), False) for text in texts], 99, 99)
    return mismatches, controls, deviant


def quirk(name: str, field: str, value: object) -> Quirk:
    """A quirk of our own."""
    return Quirk(name, name, "s", "c", "f", field, value)


DROPS = quirk("drops", "fallback", "drop")
BYTES = quirk("bytes", "fallback", "bytes")
LOWER = quirk("lowers", "normalise", str.lower)
UPPER_TO_A = quirk("uppers_to_a", "normalise", lambda text: "".join("a" if c.isupper() else c for c in text))


def test_alternatives_are_told_with_a_text_that_separates_them() -> None:
    """From "A" alone nobody can say which of two it was; "B" would tell."""
    toy = toys.spm("a b")
    mismatches, controls, _ = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "ab", "ba"])
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, [LOWER, UPPER_TO_A, DROPS])
    assert ("ambiguous", ("lowers",), (("uppers_to_a",),)) == (found.status, found.quirks, found.alternatives)
    assert isinstance(found.separating, Encode)
    assert found.separating.text != found.separating.text.lower()


def test_of_three_the_text_separates_all_where_one_does() -> None:
    """The shortest text would be "B", which says nothing about whether it was the one that leaves "C" as it is."""
    toy = toys.spm("a b B c C")
    spares_c = quirk("spares_c", "normalise", lambda text: "".join(c if c == "C" else c.lower() for c in text))
    mismatches, controls, _ = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "ab", "ba"])
    bases = [Base(toy.vocabulary, toy.behaviour)]
    (found,) = diagnose(bases, mismatches, controls, [LOWER, UPPER_TO_A, spares_c])
    assert (("lowers",), (("spares_c",), ("uppers_to_a",))) == (found.quirks, found.alternatives)
    assert isinstance(found.separating, Encode)
    assert b"C" in found.separating.text


def test_the_engine_is_asked_to_separate_them() -> None:
    """With an engine the one that is wrong goes, and what refuted it is told."""
    toy = toys.spm("a b")
    mismatches, controls, deviant = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "ab", "ba"])
    bases = [Base(toy.vocabulary, toy.behaviour)]
    (found,) = diagnose(bases, mismatches, controls, [LOWER, UPPER_TO_A, DROPS], deviant.ask)
    assert ("verified", ("lowers",), ()) == (found.status, found.quirks, found.alternatives)
    assert ("uppers_to_a",) == found.ruled_out[0].quirks


def test_controls_refute() -> None:
    """A flip that reproduces the mismatch, but also changes what was right, is not an explanation."""
    toy = toys.spm("a b")
    bases = [Base(toy.vocabulary, toy.behaviour)]
    mismatches, _, _ = toy_evidence(toy, UPPER_TO_A.flip(toy.behaviour), ["A"])
    spoilt = [Control(text_case(b"C", False), "planted", "deviant", Encoding((0,)))]
    (before,) = diagnose(bases, mismatches, [], [UPPER_TO_A])
    (after,) = diagnose(bases, mismatches, spoilt, [UPPER_TO_A])
    assert (("uppers_to_a",), ()) == (before.quirks, after.quirks)
    assert "" == after.nearest  # it spoils as much as it explains


def test_what_explains_more_than_it_spoils_is_nearest() -> None:
    """It is told with the unexplained mismatches that it explains, and the right cases that it changes."""
    toy = toys.spm("a b")
    mismatches, _, _ = toy_evidence(toy, UPPER_TO_A.flip(toy.behaviour), ["A", "B", "Ab"])
    spoilt = [Control(text_case(b"C", False), "planted", "deviant", Encoding((0,)))]
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, spoilt, [UPPER_TO_A])
    assert "uppers_to_a explains 3 of 3, but spoils 1 of 1 cases that are right" == found.nearest


def test_each_unexplained_finding_has_its_own_nearest() -> None:
    """The numbers are those of the finding, and what explains no more of it than it spoils is left out."""
    pieces = (b"a", b"1", b"1", b"1")
    mismatches = [
        Mismatch(
            text_case(b"x" * n), "m", "e", "o", Encoding((1,)), Encoding((2,)), Difference("ids"), (b"!",), (piece,)
        )
        for n, piece in enumerate(pieces)
    ]
    near = NearMiss(("lowers",), frozenset((0, 1, 2)), frozenset(range(4)), spoilt=1, controls=9)
    explanation = Explanation("ids", "unexplained", (0, 1, 2, 3), near_misses=(near,))
    found = {one.finding.mismatches: one.finding.nearest for one in findings(mismatches, [explanation])}
    assert {1: "", 3: "lowers explains 2 of 3, but spoils 1 of 9 cases that are right"} == found
    shrunk = replace(mismatches[3], case=replace(mismatches[3].case, origin=Origin("probe", shrunk=True)))
    found = {one.finding.mismatches: one.finding.nearest for one in findings([*mismatches[:3], shrunk], [explanation])}
    assert {1: "", 2: "lowers explains 2 of 2, but spoils 1 of 9 cases that are right"} == found


def test_a_reference_that_is_not_the_oracle_cannot_judge() -> None:
    """Where the unflipped reference does not give what the oracle gave, nothing is explained."""
    toy = toys.spm("a b")
    mismatches, _, _ = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "B"])
    odd = [replace(m, expected=Encoding((4, 4))) for m in mismatches]
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], odd, [], [LOWER])
    assert ("unexplained", ()) == (found.status, found.quirks)
    assert found.why_unexplained.startswith("cannot be judged: the reference is not what the oracle is on 2 of 2 cases")


def test_the_engine_may_obey_a_file_of_its_own() -> None:
    """Where the engine read another file, that file's behavior is an explanation, alone or with a quirk."""
    toy, other = toys.spm("a b ab"), toys.spm("a b ab", space_prefix="first")
    bases = [Base(toy.vocabulary, toy.behaviour), Base(other.vocabulary, other.behaviour)]
    mismatches, controls, _ = toy_evidence(toy, other.behaviour, ["a", "ab", "ba", "", "b a"])
    (alone,) = diagnose(bases, mismatches, controls, [LOWER, DROPS])
    mismatches, controls, _ = toy_evidence(toy, LOWER.flip(other.behaviour), ["a", "AB", "ba", "", "b a"])
    both = diagnose(bases, mismatches, controls, [LOWER, DROPS])
    assert [(SOURCE_DIFFERS,), {SOURCE_DIFFERS, "lowers"}] == [alone.quirks, causes(both)]


def test_a_quirk_that_breaks_explains_nothing() -> None:
    """A flip that raises on this model is refuted, and the others are still tried."""

    def breaks(text: str) -> str:
        raise IndexError(text)

    toy = toys.spm("a b")
    mismatches, controls, _ = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "ab"])
    broken = quirk("breaks", "pretokenise", lambda text, at_start: breaks(text))
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, [broken, LOWER])
    assert ("lowers",) == found.quirks


def test_findings_have_every_mismatch_once() -> None:
    """Explained ones in one finding, others by kind; a crash is among the others; what was not kept is in none."""
    toy = toys.spm("a b")
    mismatches, controls, _ = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "B", "ab"])
    crash = replace(mismatches[0], actual=Failure("crash", "gone", 6), difference=CRASH)
    mismatches.append(crash)
    explanations = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, [LOWER])
    found = findings(mismatches, explanations, {"special-became-letter": 10})
    assert [0, 1, 2] == sorted(index for one in found for index in one.members)
    assert [("deviant-lowers", 2, 8), ("deviant-failure-crash-6", 1, 0)] == [
        (one.finding.name, one.finding.mismatches, one.finding.unexamined) for one in found
    ]


def test_what_nobody_looked_at_is_counted_to_no_finding() -> None:
    """Of two causes of one kind of mismatch none is given those that were only counted, whichever has more of it."""
    toy = toys.spm("a b")
    mismatches, controls, _ = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "B", "ab"])
    other = replace(mismatches[0], case=text_case(b"C"), actual=Encoding((4, 4)))
    explanations = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, [LOWER])
    kind = mismatches[0].kind
    assert kind == other.kind
    found = findings([*mismatches, other], explanations, {kind: 1000})
    assert [(2, 997), (1, 997)] == [(one.finding.mismatches, one.finding.unexamined) for one in found]
    told = "at least 2 cases; 997 more of the same kind were only counted: their cause may be this one or another"
    assert told == found[0].finding.cases


def test_a_crash_is_explained_by_what_would_crash() -> None:
    """The texts on which an engine dies, and no others, are those of the quirk."""
    toy = toys.byte_bpe("")
    beyond = [b"\xf4\x90\x80\x80", b"a\xf7\xbf\xbf\xbf"]
    died = Failure("crash", "SIGABRT", 6)
    mismatches = [Mismatch(text_case(text), "m", "e", "o", Encoding((3,)), died, CRASH) for text in beyond]
    controls = [Control(text_case(text), "m", "e", Encoding((3,))) for text in (b"a", b"\xf4\x8f\xbf\xbf", b"\xff")]
    bases = [Base(toy.vocabulary, toy.behaviour)]
    (found,) = diagnose(bases, mismatches, controls, quirks.all_quirks())
    assert ("failure", ("aborts_beyond_unicode",), 3) == (found.aspect, found.quirks, found.controls)
    elsewhere = [*mismatches, replace(mismatches[0], case=text_case(b"plain"))]
    (found,) = diagnose(bases, elsewhere, controls, quirks.all_quirks())
    assert ("unexplained", ()) == (found.status, found.quirks)


def test_an_engine_that_dies_is_not_made_to_die_again() -> None:
    """Where nothing explains a crash, its text is not shrunk with the engine's help: what lives says nothing of it."""
    toy = toys.byte_bpe("")
    died = Failure("crash", "SIGABRT", 6)
    mismatches = [
        Mismatch(text_case(b"plain"), "m", "e", "o", Encoding((3,)), died, Difference("failure", failure="crash"))
    ]
    asked: list[AnyCase] = []

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        asked.extend(cases)
        return [Encoding((3,), b"") for _ in cases]

    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, [], quirks.all_quirks(), ask)
    assert ("failure", "unexplained") == (found.aspect, found.status)
    assert [] == asked


def test_what_an_explanation_was_run_on_is_told() -> None:
    """The mismatches, the controls that were given, and the texts that the engine was asked."""
    toy = toys.spm("a b")
    mismatches, controls, deviant = toy_evidence(toy, LOWER.flip(toy.behaviour), ["A", "ab", "ba"])
    bases = [Base(toy.vocabulary, toy.behaviour)]
    asked: list[AnyCase] = []

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        asked.extend(cases)
        return deviant.ask(cases)

    (found,) = diagnose(bases, mismatches, controls, [LOWER, DROPS], ask)
    assert (1, 2, len(asked)) == (found.verified, found.controls, found.asked)
    (stored,) = diagnose(bases, mismatches, controls, [LOWER, DROPS])
    assert (1, 2, 0) == (stored.verified, stored.controls, stored.asked)


def test_a_crash_in_the_algorithm_is_explained() -> None:
    """An SPM vocabulary without byte pieces, on which llama.cpp dies at the first unknown character."""
    toy = toys.spm("a b ab")
    wrong = quirks.get("aborts_on_unknown_without_bytes").flip(toy.behaviour)
    mismatches, controls, _ = toy_evidence(toy, wrong, ["aéb", "ab", "é", "ba", "世界"])
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, quirks.all_quirks())
    assert ("failure", ("aborts_on_unknown_without_bytes",)) == (found.aspect, found.quirks)
    assert 3 == len(found.members)


def test_a_crash_while_the_ids_of_a_text_are_decoded_is_explained() -> None:
    """An engine decodes what it encodes, so a text may end it that it has the right ids of."""
    toy = toys.spm("a b ab", suffix_ids=(99,))
    name = "aborts_on_ids_out_of_range"
    tokenizer = Tokenizer(toy.vocabulary, toy.behaviour)
    deviant = FaultyEngine(tokenizer, tokenizer.with_behaviour(quirks.get(name).flip(toy.behaviour)))
    asked = [text_case(text, add) for text in (b"ab", b"b a", b"aab") for add in (True, False)]
    mismatches, controls = deviant.evidence(asked, 99, 99)
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, quirks.all_quirks())
    assert ("failure", (name,), 3, 3) == (found.aspect, found.quirks, len(found.members), found.controls)


def test_a_text_on_which_a_quirk_would_crash_is_evidence_like_any_other() -> None:
    """A large model is reduced to its texts, whatever a flip makes of them."""
    pieces = tuple(f"p{i}" for i in range(13_000))
    toy = toys.byte_bpe("")
    vocabulary = replace(
        toy.vocabulary,
        pieces=(*toy.vocabulary.pieces, *(piece.encode() for piece in pieces)),
        kinds=(*toy.vocabulary.kinds, *[Kind.NORMAL] * len(pieces)),
    )
    wrong = quirks.get("drops_invalid_bytes").flip(toy.behaviour)
    tokenizer = Tokenizer(vocabulary, toy.behaviour)
    deviant = FaultyEngine(tokenizer, tokenizer.with_behaviour(wrong))
    texts = [b"\xf4\x90\x80\x80", b"a\xff", b"\xfe", b"plain"]
    mismatches, controls = deviant.evidence([text_case(text) for text in texts], 99, 99)
    (found,) = diagnose([Base(vocabulary, toy.behaviour)], mismatches, controls, quirks.all_quirks())
    assert ("drops_invalid_bytes",) in {found.quirks, *found.alternatives}


def test_a_reduced_model_has_what_two_flips_make_of_a_text_together() -> None:
    """Decomposed, and the charsmap then stopped at the shorter key: a piece that neither brings up alone."""
    charsmap = toys.charsmap({"e": "x", "e\N{COMBINING ACUTE ACCENT}": "é"})
    toy = toys.unigram({"é": -1, "a": -2, **{f"p{i}": -9 for i in range(13_000)}, "x": -3}, normalise=charsmap)
    names = ("applies_nfkd", "takes_shortest_charsmap_key")
    tokenizer = Tokenizer(toy.vocabulary, toy.behaviour)
    flipped = quirks.flip_all([quirks.get(name) for name in names], toy.behaviour)
    deviant = FaultyEngine(tokenizer, tokenizer.with_behaviour(flipped))
    mismatches, controls = deviant.evidence([text_case(text.encode()) for text in ("é", "aé", "éa", "aa", "a")], 99, 99)
    (found,) = diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, quirks.all_quirks())
    assert names in {found.quirks, *found.alternatives}


def test_rare_kinds_are_put_together() -> None:
    """What is unexplained is at most so many findings (four, here)."""
    pieces = (b"a", b"1", b"!", b" ", b"<0x00>", b"\xcc\x81")
    mismatches = [
        Mismatch(
            text_case(b"x" * n),
            "m",
            "e",
            "o",
            Encoding((1,)),
            Encoding((2,)),
            Difference("ids"),
            (pieces[0],),
            (piece,),
        )
        for n, piece in enumerate((*pieces, *pieces[:3]))
    ]
    found = findings(mismatches, [], limits=Limits(unexplained_findings=4))
    assert [2, 2, 2, 3] == sorted(len(one.members) for one in found)
    assert "e-other" in {one.finding.name for one in found}
