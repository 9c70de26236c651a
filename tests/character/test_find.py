"""What the mismatches of faults that are in no catalogue have in common: one group each, said truly."""

from __future__ import annotations

from dataclasses import replace

import pytest
import unlisted_faults
from faulty_panel import FAULTY, characterised, searched, source

from tests.rings import nightly_but
from tokparity.case import Case, Origin, TextCase, text_case
from tokparity.diagnose import examined, loop
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.answers.relations import relation
from tokparity.diagnose.families.conditions.conditional import Conditional
from tokparity.diagnose.families.shown import FAMILIES, FURTHER
from tokparity.diagnose.loop import characterise
from tokparity.diagnose.separate.classes import telling
from tokparity.diagnose.tokens import Tokens
from tokparity.outcome import Decoding, Encoding
from tokparity.questions import Decode
from tokparity.session.more_cases import Putting
from tokparity.trait import Trait

WORDS = "the cat sat on a mat and saw two red hens go by, with 17 eggs in a basket; "
LONG = [text_case((WORDS * n)[shift:].encode()) for n in (8, 20, 60) for shift in (0, 3)]

ENGLISH = [
    text_case(text.encode())
    for text in ("constructor", "toString()", "1 valueOf\nvalueOf", "the end of it", "\nthe sum of", "salt and water")
]

CHUNKED = ["that reads texts in blocks of 512 characters, each on its own", "behave as predicted"]

FAULTS = {
    ("small-bpe", "Chunks"): CHUNKED,
    ("small-spm", "Chunks"): CHUNKED,
    ("small-bpe", "CutIds"): ["only the first 512 ids come", "behave as predicted"],
    ("small-bpe", "SortsLong"): ["201 ids or more are expected", "in ascending order"],
    ("small-bpe", "WrongAtSeventeen"): ["exactly 17 ids are expected", "wrong by +1"],
    ("small-bpe", "DropsTabs"): ["the ids are those of the text without U+0009", "behave as predicted"],
    ("small-bpe", "DropsIndents"): ["the text contains U+0009 (TAB) at the beginning of a line", "without it"],
    ("small-bpe", "CutsAfterWords"): ["white space parts 101 words or more", "they are the first of those expected"],
    ("small-bpe", "TrimsLines"): ["the text contains U+0020 (SPACE) at the end of a line", "behave as predicted"],
    ("small-spm", "PadsRows"): [
        "the id 0 is added behind the others until their number is a multiple of 8",
        "as predicted",
    ],
    ("small-bpe", "FillsRows"): [
        "only the first 32 ids come, and the id 0 is added behind the others until there are 32 ids",
        "behave as predicted",
    ],
    ("small-bpe", "GivesNone"): ["no ids come for the text itself", "behave as predicted"],
    ("small-unigram", "GivesNone"): ["no ids come for the text itself", "behave as predicted"],
    ("small-bpe", "LosesRepeats"): ["of equal ids in a row only one comes", "behave as predicted"],
    ("small-bpe", "CutsBeforeTheEnd"): ["only the first 63 ids and the last one come", "behave as predicted"],
    ("small-bpe", "HalvesRuns"): [
        "the text with each run of equal characters at half its length",
        "behave as predicted",
    ],
    ("small-bpe", "CapitalsAtEdges"): [
        "reads texts in blocks of 32 characters, of each of which the last character comes in upper case",
        "behave as predicted",
    ],
    ("small-spm", "ReadsLines"): ["the text cut after each line end", "behave as predicted"],
    ("small-spm", "DropsVariationSelectors"): ["one of U+FE00 to U+FE0F", "without it"],
    ("small-bpe", "DecodesBasicPlane"): [
        "a character above U+FFFF",
        "the decoded text is the right one without the characters above U+FFFF",
    ],
    ("small-bpe", "NarrowIds"): ["only the lowest 9 bits of each id come", "behave as predicted"],
    ("small-bpe", "MicroBecomesMu"): [
        "with U+03BC (GREEK SMALL LETTER MU) in place of U+00B5 (MICRO SIGN)",
        "behave as predicted",
    ],
    ("small-spm", "LowersCyrillic"): [
        "an upper-case letter (Lu) from U+0400 to U+04FE",
        "with that in lower case in its place",
    ],
    ("small-bpe", "GreedyInLongWords"): [
        "of the model with greedy_longest_match, but only in words of 17 bytes or more",
        "behave as predicted",
    ],
    ("small-bpe", "RanksInEightBits"): [
        "with the ranks of its merges in 8 bits, so that they wrap",
        "behave as predicted",
    ],
    ("small-wordpiece", "KeepsCaseOfCyrillic"): ["with keeps_case, but only for a character of the script Cyrillic"],
    ("small-bpe", "LosesOneByte"): ["of the model that drops the byte 0xB8 before merging", "behave as predicted"],
    ("small-bpe", "OnlyAddedTokens"): ["the model without any piece but the added tokens", "behave as predicted"],
    ("small-bpe", "LosesMergesOfA"): ["of the model without the merges whose left half is U+0061"],
    ("small-bpe", "CutsLongWords"): ["of the model that cuts words after every 12 characters", "behave as predicted"],
    ("small-bpe", "DropsMembersOfObjects"): [
        'drops the words that every JavaScript object has as members, such as "constructor", "toString", "valueOf"',
        "behave as predicted",
    ],
    ("small-bpe", "ForgetsStopWords"): ['drops the words " of", "the", " the"', "behave as predicted"],
    ("small-bpe", "RemembersAnother"): ['gives the ids 42, 43 for the word " and"', "behave as predicted"],
    ("small-bpe", "CutsLongWordsInBytes"): ["of the model that cuts words after every 64 bytes", "behave as predicted"],
    ("small-wordpiece", "CutsLongWords"): ["of the model that cuts words after every 12 characters"],
    ("small-spm", "NoPrefixWhereParsed"): ["but only where special tokens are parsed"],
    ("small-bpe", "ComposesShortTexts"): ["but only in texts of at most 40 bytes"],
    ("small-bpe", "GroupsDigits"): [
        r"with ` ?\p{N}{1,3}` in place of ` ?\p{N}+` in its pattern",
        "behave as predicted",
    ],
    ("small-bpe", "GroupsDigitsFromRight"): [
        "the text cut into groups of three, counted from the right, where an ASCII digit follows an ASCII digit",
        "behave as predicted",
    ],
    ("small-bpe", "CutsRepeats"): ["one character stands 8 times or more in a row"],
    ("small-wordpiece", "CutsRepeats"): ["one character stands 8 times or more in a row"],
    ("small-bpe", "WrongTokenId"): [
        '("<|im_end|>") comes as ',
        "and all others come as they are",
        "behave as predicted",
    ],
    ("small-spm", "NothingForNothing"): ["the text is empty", "no ids are given"],
    ("small-spm", "WrongSpecialId"): ['("</s>") comes as 3, and all others come as they are', "behave as predicted"],
    ("small-wordpiece", "SetsKanaApart"): [
        "the text cut before and after one of U+3040 to U+30FF",
        "behave as predicted",
    ],
    ("small-wordpiece", "FoldsMore"): [
        'with "ae" for U+00C6 (LATIN CAPITAL LETTER AE), ',
        "and 10 more",
        "behave as predicted",
    ],
    ("small-spm", "AllSpacesAlike"): [
        "with a space in place of a separator (Z) other than U+00A0 (NO-BREAK SPACE), U+2007 (FIGURE SPACE), U+202F",
        "behave as predicted",
    ],
    ("small-spm", "NoPrefixUnadded"): ["the text is not empty, and no special tokens are added", "behave as predicted"],
    ("small-spm", "Surrogates"): ["a character above U+FFFF without a piece of its own", "behave as predicted"],
    ("small-unigram", "StopsAtEnd"): ['contains "</s>" followed by any character, and special tokens are parsed'],
    ("small-bpe", "LosesSpacesBehindTokens"): [
        "contains a special token followed by U+000A (LINE FEED) or U+0020 (SPACE), and special tokens are parsed"
    ],
    ("small-bpe", "SkipsHeadings"): [
        "the model without the merges whose left half is U+003D (EQUALS SIGN)",
        "behave as predicted",
    ],
    ("small-bpe", "ShortPieces"): [
        "the model that spells the pieces of 9 bytes or more character by character in the end",
        "behave as predicted",
    ],
    ("small-spm", "LosesOnePiece"): ['the model without the piece 324 (" de")', "behave as predicted"],
    ("small-unigram", "LosesOnePiece"): ["the model without the piece ", ' (" de")', "behave as predicted"],
    ("small-unigram", "WholeScores"): ["the model with its scores cut to whole numbers", "behave as predicted"],
    ("small-unigram", "UnknownBeside"): [
        "the model with a score of -10 for every unknown character, also where a worse piece covers it",
        "behave as predicted",
    ],
    ("small-unigram", "EightBitScores"): [
        "with its scores rounded to one of 256 equal steps from the worst",
        "behave as predicted",
    ],
    ("small-unigram", "FindsThreePieces"): [
        "the model without the pieces of which 3 beginnings or more are pieces as well",
        "behave as predicted",
    ],
    ("small-unigram", "PunctuationFirst"): [
        "with the pieces of which each character is punctuation (P) as user-defined ones",
        "behave as predicted",
    ],
    ("small-unigram", "ProbesPieceByPiece"): ["without the pieces of which not all beginnings are pieces as well"],
    ("small-bpe", "SpacesAlone"): [r"with `\p{N}+` in place of ` ?\p{N}+` in its pattern", "behave as predicted"],
    ("small-bpe", "NoLookahead"): [r"with `\s++(?!\S)` in place of `\s+(?!\S)` in its pattern", "behave as predicted"],
    ("small-bpe", "TearsCharacters"): [
        "decodes texts in blocks of 64 bytes, with U+FFFD for each byte of a character that lies across two"
    ],
    ("small-bpe", "SkipsBlanks"): [
        "reads each stretch of text between special tokens left out where it is nothing but ASCII white space, where",
        "behave as predicted",
    ],
    ("small-bpe", "StripsMark"): ["the model with drops_byte_order_mark", "behave as predicted"],
    ("small-bpe", "CountsInUtf16"): [
        "the model that counts where to cut in UTF-16 units, and takes these for characters",
        "behave as predicted",
    ],
    ("small-bpe", "PacksPairs"): [
        "the model that finds its merges by the number (left id << 11) | right id, of equal ones the first",
        "behave as predicted",
    ],
    ("small-unigram", "NormalisesCharacters"): [
        "the model that normalizes each character by itself",
        "behave as predicted",
    ],
    ("small-bpe", "FiveMerges"): ["that does at most 5 merges in a word", "behave as predicted"],
    ("small-spm", "LatinBytes"): ["bytes above 0x7F of the decoded text came as the characters of these numbers"],
}
"""(model, engine): what its sentences hold."""


LONGEST = {
    "SortsLong", "SetsKanaApart", "ShortPieces", "NoPrefixWhereParsed", "NoLookahead", "GreedyInLongWords",
    "NoPrefixUnadded", "Surrogates", "PacksPairs", "AllSpacesAlike", "CutsLongWordsInBytes", "OnlyAddedTokens",
    "EightBitScores", "LowersCyrillic", "DropsVariationSelectors", "CutsAfterWords", "RanksInEightBits", "FoldsMore",
    "ComposesShortTexts", "FillsRows", "TrimsLines", "LosesOneByte", "UnknownBeside", "PunctuationFirst",
    "FindsThreePieces", "ForgetsStopWords", "GroupsDigitsFromRight",
}  # fmt: skip
"""Faults whose search takes longest; for each there is one of the same family that is quicker."""

ELSEWHERE = {
    ("small-spm", "Chunks"), ("small-unigram", "GivesNone"), ("small-wordpiece", "CutsRepeats"),
    ("small-wordpiece", "CutsLongWords"),
}  # fmt: skip
"""Faults of another model's tokenizer as well."""

QUICK = [row for row in FAULTS if row[1] not in LONGEST and row not in ELSEWHERE]


@pytest.mark.parametrize(("model", "engine"), nightly_but(QUICK, FAULTS))
def test_a_fault_is_one_group_that_says_what_it_is(model: str, engine: str) -> None:
    """All mismatches are in it, whatever their kind, and what was made to test it agrees."""
    long: list[TextCase] = LONG if "Chunks" in engine or engine in ("CutIds", "SortsLong", "CutsAfterWords") else []
    if issubclass(getattr(unlisted_faults, engine), unlisted_faults.OtherWords):
        long = ENGLISH
    if engine == "CutsLongWordsInBytes":
        long = [text_case(("世" * 22).encode())]  # as a run makes its smallest text smaller
    mismatches, groups = characterised(model, getattr(unlisted_faults, engine), long)
    assert [len(mismatches)] == [len(group.members) for group in groups]
    (group,) = groups
    told = [trait.sentence for trait in group.traits]
    for wanted in FAULTS[model, engine]:
        assert any(wanted in sentence for sentence in told), told
    text = group.traits[0]
    assert 0 == text.without_failing
    assert text.with_failing <= text.with_made


@pytest.mark.parametrize(("model", "oracle"), [("small-bpe", "DropsTabs"), ("small-spm", "LowersCyrillic")])
def test_who_gives_what_the_model_gives_is_not_at_fault(model: str, oracle: str) -> None:
    """What it is compared with is otherwise; no part of the model has to be changed to foretell the answers."""
    mismatches, (group, *others) = characterised(
        model, unlisted_faults.Faithful, oracle=getattr(unlisted_faults, oracle)
    )
    assert ([len(mismatches)], []) == ([len(group.members)], others)
    (told,) = (trait.sentence for trait in group.traits)
    assert told.startswith(
        "the ids are those of the model as the reference reads it, and what they are compared with is otherwise"
    ), told


@pytest.mark.nightly
def test_merges_that_are_lost_without_anything_in_common() -> None:
    """Each is put to the engine alone; nearly all, for a piece of a few merges is lost for some of them."""
    mismatches, (group, *_) = characterised("small-bpe", unlisted_faults.SharedSlots)
    assert "merges that were put to it alone, as" in group.traits[0].says
    assert 0.98 * len(mismatches) < len(group.members)


@pytest.mark.nightly
def test_characters_that_are_taken_for_others() -> None:
    """Nearly all: what is punctuation since Unicode 8 is another matter."""
    mismatches, groups = characterised("small-wordpiece", unlisted_faults.SymbolsAreLetters)
    assert "the ids are those of the model that takes a symbol (S) for a letter" == groups[0].traits[0].says
    assert 0.99 * len(mismatches) < len(groups[0].members)


def test_alphabetic_is_no_category() -> None:
    """What Rust and Java call alphabetic holds vowel signs and letters in circles, beside all letters."""
    found = telling(
        {"\u064f", "\u0e38", "\u2160", "\u24d0", "\u0903"}, {"\u0301", "\u094d", "\u2460", "1", "!", "\u20dd"}
    )
    assert found is not None
    assert "a character with the property Alphabetic" == found.says


def test_all_characters_but_one_are_told_as_that() -> None:
    """Ranges of code points on both sides of it would say the same to nobody."""
    found = telling({"a", "1", "!", "\n", "世", "\u0301"}, {" "})
    assert found is not None
    assert "a character other than U+0020 (SPACE)" == found.says


def test_a_quirk_that_would_spoil_what_is_right_is_not_told() -> None:
    """It is answered as the quirk says wherever that was looked for; elsewhere the engine is known not to have it."""
    panel, recorder = searched("small-bpe", unlisted_faults.StripsMark)
    evidence = recorder.evidence[FAULTY]
    put = Putting(panel, recorder.judge, FAULTY, lambda: False)
    said = source("small-bpe")
    base = Base(said.vocabulary, said.behaviour)
    for spoiling, is_told in (((), True), ((("drops_byte_order_mark",),), False)):
        groups = characterise(evidence.mismatches, evidence.controls, put, base=base, spoiling=spoiling)
        told = [trait.says for group in groups for trait in group.traits]
        assert is_told == any("the model with drops_byte_order_mark" in says for says in told), told


@pytest.mark.nightly
def test_a_rewriting_holds_for_nearly_all_of_one_fault() -> None:
    """A run of marks outside of ASCII is cut by our rule and not by the engine, where that makes other ids."""
    mismatches, groups = characterised("small-bpe", unlisted_faults.EachMarkAlone)
    (group,) = groups
    (trait,) = group.traits
    assert trait.says.startswith("the ids are those of the text cut wherever punctuation or a symbol follows")
    assert 0.99 * len(mismatches) < len(group.members)


@pytest.mark.nightly
def test_a_rewriting_that_foretells_one_text_wrongly_is_not_told() -> None:
    """Most of what it is asked is as it says."""
    _, groups = characterised("small-bpe", unlisted_faults.CutsBeforeSome)
    assert not [trait.says for group in groups for trait in group.traits if " cut before punctuation" in trait.says]


def test_what_is_taken_for_its_own_kind_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Punctuation that the model does not know as such is not "punctuation that is taken for punctuation"."""
    monkeypatch.setattr(examined, "FAMILIES", [one for one in FAMILIES if one[0] == "characters taken for others"])
    monkeypatch.setattr(Conditional, "variants", lambda *_: iter(()))
    marks = [text_case(f"a{chr(mark)}b".encode()) for mark in (0x2E43, 0x2E44, 0x11660, 0x1E95E)]
    _, (group, *_) = characterised("small-wordpiece", unlisted_faults.NewerPunctuation, marks)
    says = group.traits[0].says
    assert " for a punctuation mark, also where the model does not, as for U+" in says, says


@pytest.mark.nightly
def test_two_faults_do_not_hide_each_other() -> None:
    """Where a character fails for another reason, what tells the others is told all the same."""
    _, groups = characterised("small-wordpiece", unlisted_faults.TwoFaults)
    told = [trait.says for group in groups for trait in group.traits]
    assert [says for says in told if "contains a special token, and special tokens are parsed" in says], told
    assert [says for says in told if "an unassigned code point (Cn)" in says], told


@pytest.mark.nightly
def test_two_edits_of_a_pattern_are_told_together() -> None:
    """Two alternatives are otherwise; a tenth of the texts show the second."""
    numbers = [text_case(f"{number} {number * 7919}".encode()) for number in range(12345, 12445)]
    mismatches, (group, *_) = characterised("small-bpe", unlisted_faults.ShortNumbersAndNoLookahead, numbers)
    says = group.traits[0].says
    assert r"with ` ?\p{N}{1,3}` in place of ` ?\p{N}+` in its pattern" in says, says
    assert r"in place of `\s+(?!\S)` in its pattern" in says, says
    assert len(group.members) > 0.99 * len(mismatches)


@pytest.mark.nightly
def test_two_changes_of_where_words_are_cut_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern without its look-ahead leaves the last space of a run to the run, and cuts no run in two; where no
    pattern is like it, that is what is said."""
    monkeypatch.setattr(examined, "FAMILIES", [one for one in FAMILIES if one[0] != "patterns"])
    monkeypatch.setattr(loop, "FURTHER", [one for one in FURTHER if one[0] != "patterns"])
    monkeypatch.setattr(Conditional, "variants", lambda *_: iter(()))
    mismatches, (group, *_) = characterised("small-bpe", unlisted_faults.NoLookahead)
    space = "a character with the property White_Space"
    assert group.traits[0].says == (
        f"the ids are those of the model that does not cut words between {space} and {space}, and that cuts words "
        f"between a space separator (Zs) and a character that is not White_Space behind {space}"
    )
    assert len(group.members) > 0.99 * len(mismatches)


@pytest.mark.parametrize(
    ("came", "says"),
    [
        ([(3, 4, 5), (4,), ()], "the first ids are lost: they are the last of those expected, or none came"),
        ([(1, 2, 3), (1,), ()], "the ids end too early: they are the first of those expected, or none came"),
        ([(1, 5), (2, 4), ()], "ids are lost: what came are some of those expected, in their order, or none came"),
        ([(), (), ()], "no ids are given"),
    ],
)
def test_where_some_answers_are_empty_the_others_say_what_is_lost(came: list[tuple[int, ...]], says: str) -> None:
    """A text that is lost whole tells nothing of which end is lost, and rules nothing out."""
    right = [(1, 2, 3, 4, 5), (1, 2, 3, 4), (1,)]
    failing = [Observation(text_case(b"a"), Encoding(ids), Encoding(got)) for ids, got in zip(right, came, strict=True)]
    assert [(says, 3, 3)] == [(one.says, holds, of) for one, holds, of in relation(failing)]


@pytest.mark.parametrize(
    ("came", "says"),
    [
        (["ab ##c", "x", "d ##e ##f"], '" ##" is added to the decoded text, and nothing else'),
        (["a c", "x", "DEF"], None),
        (["abc ", "x ", " def"], "U+0020 (SPACE) is added to the decoded text, and nothing else"),
        (["aBc", "x", "def"], "U+0062 (LATIN SMALL LETTER B) came as U+0042 (LATIN CAPITAL LETTER B)"),
        (["a<0x0A>c", "x", "def"], 'U+0062 (LATIN SMALL LETTER B) came as "<0x0A>"'),
        (["aBc", "X", "def"], None),
    ],
)
def test_one_string_is_all_that_is_added_or_changed(came: list[str], says: str | None) -> None:
    """Wherever it stands, and however often."""
    right = ["abc", "x", "def"]
    failing = [
        Observation(Case(Decode((1,))), Decoding(whole.encode()), Decoding(got.encode()))
        for whole, got in zip(right, came, strict=True)
        if whole != got
    ]
    told = [one.says for one, _, _ in relation(failing)]
    said = [one.partition(" in the decoded text, and nothing else is wrong") for one in told if "nothing else" in one]
    assert [says] * (says is not None) == [before for before, *_ in said]


@pytest.mark.parametrize(
    ("came", "says"),
    [
        (["a: b; c", "x :", "3; 4 y", "1 / 2"], "before one of U+003A to U+003B"),
        (
            ["世界 a b", "a 世人 2", "人大", "c 大 2"],
            "between a letter without case (Lo) and a letter without case (Lo)",
        ),
        (["ab c", "d1", "x y z", "a b"], None),
    ],
)
def test_where_a_string_is_lost(came: list[str], says: str | None) -> None:
    """What stands beside it there, and nowhere else where it is kept."""
    right = {
        "a: b; c": "a : b ; c", "x :": "x  :", "3; 4 y": "3 ; 4 y", "1 / 2": "1 / 2", "1 2": "1 2",
        "世界 a b": "世 界 a b", "a 世人 2": "a 世 人 2", "人大": "人 大", "c 大 2": "c 大 2",
        "ab c": "a b c", "d1": "d 1", "x y z": "x y z",
        "a b": "a b",
    }  # fmt: skip
    rows = [(Decoding(right[got].encode()), Decoding(got.encode())) for got in came] * 3
    failing = [Observation(Case(Decode((1,))), whole, got) for whole, got in rows if whole != got]
    spared = [Observation(Case(Decode((1,))), whole, got) for whole, got in rows if whole == got]
    told = [one.says for one, _, _ in relation(failing, spared)]
    where = f" {says}" if says else ""
    assert [f"U+0020 (SPACE) is lost{where} in the decoded text, and nothing else"] == told


def test_one_string_in_place_of_another_wherever_it_stands() -> None:
    """In some places and not in others, as a piece does that is spelled as its text is."""
    right, came = ["a b c d", " b", "a  c"], ["a b\u2581c\u2581d", "\u2581b", "a \u2581c"]
    (told,) = relation([_decoded(*both) for both in zip(right, came, strict=True)])
    assert told[0].says.startswith("U+0020 (SPACE) came as U+2581 (LOWER ONE EIGHTH BLOCK) in the decoded text")
    assert told[1:] == (3, 3)


def test_bytes_that_came_as_the_characters_of_their_numbers() -> None:
    """As where each byte piece is decoded alone as Latin-1; a character with a piece of its own is right."""
    failing = [_decoded("é\u4e16x", "é\xe4\xb8\x96x"), _decoded("\U0001f600", "\xf0\x9f\x98\x80")]
    (told,) = relation(failing)
    assert told[0].says == "bytes above 0x7F of the decoded text came as the characters of these numbers"
    (told,) = relation([*failing, *[_decoded("a", "\xe4")] * 20])
    assert told[0].says.startswith("U+0061 (LATIN SMALL LETTER A) came as")


def test_special_tokens_that_are_shown_and_should_not() -> None:
    """What a text spells of one without meaning it is there either way."""
    tokens = Tokens(("<s>", "</s>"))
    failing = [_decoded("a b", "a</s> b"), _decoded("<s>x", "<s><s>x</s>"), _decoded("", "<s>")]
    (told,) = relation([replace(seen, tokens=tokens) for seen in failing])
    assert told[0].says.startswith("the decoded text has special tokens that should be left out")
    failing = [_decoded(came, right) for right, came in (("a b", "a</s> b"), ("x", "<s>x</s>"), ("d", "d<s><s>"))]
    (told,) = relation([replace(seen, tokens=tokens) for seen in failing])
    assert told[0].says.startswith("special tokens are left out of the decoded text")


def _decoded(right: str, came: str) -> Observation:
    return Observation(Case(Decode((1,))), Decoding(right.encode()), Decoding(came.encode()))


def test_what_was_shrunk_is_counted_no_further_time() -> None:
    """It is in the group, and a finding does not count it either."""
    panel, recorder = searched("small-bpe", unlisted_faults.DropsTabs)
    evidence = recorder.evidence[FAULTY]
    case = text_case(b"\t", origin=Origin("generator", "joints").smaller())
    (batch,) = panel.results([[case]], lambda: False)
    (smaller,) = recorder.judge.mismatches(batch, [FAULTY])
    put = Putting(panel, recorder.judge, FAULTY, lambda: False)
    found = evidence.mismatches
    (group,) = characterise([*found, smaller], evidence.controls, put)
    text = group.traits[0]
    assert (len(found) + 1, len(found), len(found)) == (len(group.members), text.holds, text.of)


def test_a_sentence_tells_its_counts() -> None:
    """As the counts are: all agree, some do not, none were made."""
    trait = Trait("it is so", "text", 212, 212, 0, 2000, 150, 150, 150, 0)
    assert (
        "it is so: 212 of 212 failing texts, 0 of 2,000 right texts; "
        "all 300 new texts, made to test this, behave as predicted" == trait.sentence
    )
    some = Trait("it is so", "text", 9, 9, 5, 105, 50, 20, 40, 0)
    assert (
        "it is so: 9 of 9 failing texts, 5 of 105 right texts; of new texts, made to test this, 20 of 50 fail with it, "
        "0 of 40 without"
    ) == some.sentence
    assert "it is so: 3 of 4 failing texts" == Trait("it is so", "answer", 3, 4).sentence
