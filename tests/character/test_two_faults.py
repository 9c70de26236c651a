"""An engine with several faults: one of them is told all the same, with how many of the texts made it predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from faulty_panel import FAULTY, characterised, searched, source
from unlisted_faults import Faithful, NarrowIds, SymbolsAreLetters, WholeScores

from benchmarks.faulty_engine import FaultyEngine
from tokparity import quirks
from tokparity.behaviour import Trace
from tokparity.case import AnyCase, text_case
from tokparity.diagnose import Base, Budget, Explanation, Observation, common_traits, diagnose, of_mismatch
from tokparity.diagnose.asking import Asking
from tokparity.diagnose.common_traits import as_explanation
from tokparity.diagnose.examined import judged_by, with_quirks
from tokparity.diagnose.explanation import completed
from tokparity.diagnose.families.texts import other_texts
from tokparity.diagnose.loop import characterise
from tokparity.diagnose.policies import beside_another_fault
from tokparity.outcome import Encoding
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.more_cases import Putting
from tokparity.trait import Trait
from tokparity.vocabulary import Kind

WORDS = ("датотек", "останем", "डिस्क", "پروگرام", "पंक्ति", "Программ", "резултат")
TEXTS = [
    *(text_case(text.encode()) for word in WORDS for text in (word, f"a {word} b", f"{word} 1")),
    *(text_case(text.encode()) for text in ("1aLLL", "aa0a=a=a===", "-111", "датотек1aLLL", "aa0a=a=a===останем")),
]


class TwoFaults(Faithful):
    """Pieces of 16 bytes and more are lost, and scores are summed in 64 bits."""

    def opened(self) -> None:
        own, behaviour = self.tokenizer.vocabulary, self.tokenizer.behaviour
        lost = {i for i, piece in enumerate(own.pieces) if len(piece) > 15 and own.kinds[i] is Kind.NORMAL}
        pieces = tuple(b"" if i in lost else piece for i, piece in enumerate(own.pieces))
        kinds = tuple(Kind.UNUSED if i in lost else kind for i, kind in enumerate(own.kinds))
        flipped = quirks.get("sums_scores_in_double").flip(behaviour)
        self.tokenizer = Tokenizer(replace(own, pieces=pieces, kinds=kinds), flipped)


class TwoCommonFaults(SymbolsAreLetters):
    """Symbols are letters, and format characters are kept."""

    def opened(self) -> None:
        super().opened()
        flipped = quirks.get("keeps_format_characters").flip(self.tokenizer.behaviour)
        self.tokenizer = self.tokenizer.with_behaviour(flipped)


class MarkersAndLetters(Faithful):
    """The marker is read as a space, and ø as an o."""

    def opened(self) -> None:
        flipped = quirks.get("reads_marker_as_space").flip(self.tokenizer.behaviour)
        self.tokenizer = Tokenizer(self.tokenizer.vocabulary, flipped)

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        return self.right(text.replace("ø".encode(), b"o"), add, parse)


class ShortWordsAndIdeographs(Faithful):
    """Words above 50 characters are unknown, and ideographs stand inside words."""

    def opened(self) -> None:
        behaviour = replace(self.tokenizer.behaviour, max_word_chars=50)
        behaviour = quirks.get("keeps_ideographs_together").flip(behaviour)
        self.tokenizer = Tokenizer(self.tokenizer.vocabulary, behaviour)


@pytest.mark.parametrize("is_beside", [True, False])
def test_a_limit_is_told_beside_what_a_quirk_explains(is_beside: bool) -> None:
    """Of words that nobody made smaller the edge is asked for; ideographs among new texts say nothing against it."""
    panel, recorder = searched("small-wordpiece", ShortWordsAndIdeographs, batches=2)
    for text in ("a" * 80, "the " + "internationalization" * 4):
        for batch in panel.results([[text_case(text.encode())]], lambda: False):
            recorder.take(batch)
    evidence, said = recorder.evidence[FAULTY], source("small-wordpiece")
    long = [
        one for one in evidence.mismatches if one.case.question.shown.endswith((b"a" * 80, b"internationalization"))
    ]
    put, base = Putting(panel, recorder.judge, FAULTY, lambda: False), Base(said.vocabulary, said.behaviour)
    groups = characterise(long, evidence.controls, put, base=base, is_beside=is_beside)
    told = "writes the ids of unknown text in place of words of more than 50 characters"
    assert is_beside == any(told in trait.says for group in groups for trait in group.traits)


class CutScoresWithoutPrefix(WholeScores):
    """No space is put before the text, and scores are read as whole numbers."""

    def opened(self) -> None:
        flipped = quirks.get("omits_space_prefix").flip(self.tokenizer.behaviour)
        self.tokenizer = Tokenizer(self.tokenizer.vocabulary, flipped)
        super().opened()


def test_a_second_fault_is_held_against_the_model_with_the_first() -> None:
    """Each text shows what the catalog explains; with that, all others are predicted, where nothing was before."""
    panel, recorder = searched("small-unigram", CutScoresWithoutPrefix, batches=6)
    evidence, said = recorder.evidence[FAULTY], source("small-unigram")
    base = Base(said.vocabulary, said.behaviour)
    first = with_quirks(base, ["omits_space_prefix", "no quirk of the catalog"])
    assert first is not None
    judged = judged_by(first[1], Budget())
    left = [one for one in evidence.mismatches if judged(of_mismatch(one)).wrong]
    assert 5 < len(left) < len(evidence.mismatches) - 50
    put = Putting(panel, recorder.judge, FAULTY, lambda: False)
    (group,) = characterise(left, evidence.controls, put, base=base, beside=first)
    assert "the ids are those of the model with omits_space_prefix, and with its scores cut to whole numbers" == (
        group.traits[0].says
    )
    assert len(left) == len(group.members)


class LongerWords(Faithful):
    """Words of up to 200 characters are taken, in place of 100."""

    def opened(self) -> None:
        self.tokenizer = self.tokenizer.with_behaviour(replace(self.tokenizer.behaviour, max_word_chars=200))


def test_another_limit_of_words_is_asked_for() -> None:
    """A few words beyond the model's own limit show it; the engine says where its own is."""
    texts = [text_case(("a" * length).encode()) for length in (101, 120, 150)]
    _, groups = characterised("small-wordpiece", LongerWords, texts)
    (group,) = groups
    assert "the ids are those of the model whose words may have up to 200 characters" == group.traits[0].says
    assert group.traits[0].predicts


class NarrowAndPlain(NarrowIds):
    """Ids are kept in nine bits, and no special token is found."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        return super().ids(text, add, False)


def test_a_rule_of_ids_is_one_group_of_all_kinds() -> None:
    """Where answers show another fault as well, those of one kind tell the rule; it is held against all others."""
    specials = [text_case(f"{n} <|im_end|> {n}".encode(), parse_special=True) for n in range(200)]
    mismatches, groups = characterised("small-bpe", NarrowAndPlain, specials)
    narrow = [group for group in groups if any("only the lowest 9 bits" in trait.says for trait in group.traits)]
    assert 1 == len(narrow), [[trait.sentence for trait in group.traits] for group in groups]
    assert narrow[0].traits[0].predicts
    plain = [one for one in mismatches if not (one.case.question.parse_special and b"<" in one.case.question.text)]
    assert len(narrow[0].members) >= len(plain)


def test_a_quirk_beside_another_fault_has_its_name() -> None:
    """It is what the catalog has, in part; a rule would tell less."""
    texts = [text_case(text.encode()) for n in range(20) for text in (f"▁a{n}", f"x▁ {n}", f"ø{n}", f"▁ {n}")]
    _, groups = characterised("small-unigram", MarkersAndLetters, texts, nearest=["reads_marker_as_space"])
    (named,) = (group for group in groups if group.quirks)
    assert ("reads_marker_as_space",) == named.quirks
    unexplained = [Explanation("ids", "unexplained", named.members)]
    found = as_explanation(named, unexplained)
    assert ("in part", named.quirks, len(named.members)) == (found.status, found.quirks, found.verified)
    assert found.controls > 100
    assert (found.attacked.asked, found.character) == (named.traits[0].with_made + named.traits[0].without_made, ())
    assert (1, "in part") == (found.attacked.otherwise, completed([found])[0].status)
    found = replace(found, attacked=replace(found.attacked, otherwise=0))
    assert "in part" == completed([found, Explanation("ids", "unexplained", (999,))])[0].status
    assert "verified" == completed([found])[0].status


def test_one_of_two_faults_is_told() -> None:
    """What it does not predict has other causes; how many of the texts that were made are so is said."""
    _, groups = characterised("small-unigram", TwoFaults, TEXTS)
    (trait,) = (group.traits[0] for group in groups if "without the pieces of 16 bytes" in group.traits[0].says)
    assert trait.holds < trait.of
    assert 49 * trait.without_made <= trait.with_made


@pytest.mark.nightly
def test_two_common_faults_are_both_told() -> None:
    """What the first does not explain is held against the model with it, so the second is told of texts with both."""
    texts = [
        text_case(text.encode()) for text in ("\xad", "a\xadb", "\u200d 1", "x\u2060", "\ufeffa", "\u200b+", "<\u2064")
    ]
    _, groups = characterised("small-wordpiece", TwoCommonFaults, texts)
    said = {group.traits[0].says for group in groups}
    assert "the ids are those of the model that takes a symbol (S) for a letter" in said
    both = "the ids are those of the model that takes a symbol (S) for a letter, and with keeps_format_characters"
    assert both in said


@pytest.mark.parametrize(
    ("made", "odd", "is_open", "believed"),
    [(150, 0, False, True), (150, 3, True, True), (150, 4, True, False), (150, 1, False, False), (49, 1, True, False)],
)
def test_what_another_fault_may_spoil(made: int, odd: int, is_open: bool, believed: bool) -> None:
    """One text of fifty, and only where another fault is open."""
    assert believed == beside_another_fault(made, odd, is_open)


def test_what_is_wrong_in_another_way_is_counted() -> None:
    """The sentence never says "all" where it is not so."""
    trait = Trait("the ids are so", "answer", 46, 51, with_made=148, with_failing=120, without_made=2)
    assert (
        "the ids are so: 46 of 51 failing texts; 148 of 150 new texts, made to test this, behave as predicted; "
        "the others are wrong in another way" == trait.sentence
    )


@pytest.mark.parametrize(("ids", "told"), [((2,), ', but "A" is read as it is'), ((1,), "")])
def test_what_all_wrong_answers_show_is_not_said_of_right_ones(ids: tuple[int, ...], told: str) -> None:
    """A right text that is not changed so is shown; where the model itself makes the change there is none."""
    lower, upper = (
        Observation(text_case(text), Encoding(of), Encoding(of)) for text, of in ((b"a", (1,)), (b"A", ids))
    )
    known = {b"a": lower, b"A": upper}
    asking = Asking(lambda cases: [known[case.question.shown] for case in cases], upper.question, Budget(), 9)
    assert told == other_texts._but(str.lower, asking, [lower, upper])


class CutsLowered(Tokenizer):
    """Reads its text in lower case, and gives the first sixty ids at most."""

    def encode(
        self, text: bytes, add_special: bool = True, parse_special: bool = False, trace: Trace | None = None
    ) -> list[int]:
        """The ids of the text in lower case."""
        return super().encode(text, add_special, parse_special, trace)[:60]


def test_a_quirk_that_leaves_open_only_what_another_finding_predicts_is_verified() -> None:
    """The catalog has one of two faults: long texts, of the run and of the attack, show the other one as well."""
    said = source("small-bpe")
    right = Tokenizer(said.vocabulary, said.behaviour)
    flip = quirks.get("lowers_whole_text").flip
    deviant = FaultyEngine(right, CutsLowered(said.vocabulary, flip(said.behaviour)))
    words = ("The Cat sat", "on A Mat", "and saw", "two RED hens", "in 17 Beds", "Ünter", "go by", "X")
    texts = [f"{one} {other}{'.' * n}" for one in words for other in words for n in range(3)]
    texts += [" ".join((*words[n:], *words * 3, *words[:n])) for n in range(len(words))]
    mismatches, controls = deviant.evidence(map(text_case, map(str.encode, texts)), 500, 100)
    put = [text_case(f"{text} {text} {text}".encode()) for text in texts[-4:]]
    base = Base(said.vocabulary, said.behaviour)
    known = [quirks.get(name) for name in ("lowers_whole_text", "strips_accents")]
    explained = diagnose([base], mismatches, controls, known, deviant.ask, put=put)
    assert ["in part", "unexplained"] == [one.status for one in explained]

    def observed(cases: Sequence[AnyCase]) -> list[Observation]:
        answers = zip(cases, deviant.ask(cases), strict=True)
        return [Observation(case, deviant.expected(case), answer) for case, answer in answers]

    lowers, cuts = common_traits.characterised(explained, mismatches, controls, put=observed, base=base)
    assert ("verified", ("lowers_whole_text",), None) == (lowers.status, lowers.quirks, lowers.rest)
    told = "the ids are those of the model with lowers_whole_text, and only the first 60 ids come"
    assert told == cuts.character[0].says
    without = [replace(one, foretells=None) for one in (explained[0], cuts)]
    assert "in part" == completed(without)[0].status
