"""Rules that are found by asking an engine that fails on texts of one pattern, and what is made to test them."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from tokparity.case import text_case
from tokparity.diagnose.asking import Asking, Put
from tokparity.diagnose.budget import Budget
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.patterns.edits import edits
from tokparity.diagnose.families.rules import made
from tokparity.diagnose.families.rules.best import best_rule
from tokparity.diagnose.families.rules.pattern import pattern
from tokparity.diagnose.families.rules.rules import MEASURES, AtLeast, Flags, Pattern
from tokparity.diagnose.families.rules.series import edges
from tokparity.diagnose.families.texts import rewriting
from tokparity.diagnose.families.texts.rewriting import _made
from tokparity.diagnose.families.texts.rewritings import Rewriting, with_these
from tokparity.diagnose.policies import rule_stands
from tokparity.diagnose.separate.characters import members, universe
from tokparity.diagnose.separate.classes import CharacterClass, around, telling
from tokparity.diagnose.separate.other_than import excluding
from tokparity.diagnose.tokens import FIRST
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.pattern_parts import GPT2

RIGHT, WRONG = Encoding((1,)), Encoding(())


def seen(text: str, fails: str) -> Observation:
    """What an engine does that is wrong where the text has this pattern."""
    wrong = re.search(fails, text) is not None
    return Observation(text_case(text.encode()), RIGHT, WRONG if wrong else RIGHT)


def putting(fails: str) -> Put:
    """How cases are put to such an engine."""
    return lambda cases: [seen(case.question.shown.decode("utf-8", "surrogateescape"), fails) for case in cases]


def asking(fails: str, most: int = 4000) -> Asking:
    """How such an engine is asked."""
    return Asking(putting(fails), Encode(b""), Budget(), most)


FOUND = {
    (r"^[ \n]", " ("): "the text contains U+000A (LINE FEED) or U+0020 (SPACE) at its beginning",
    ("(?s)x!.", "x!y"): "the text contains U+0078 (LATIN SMALL LETTER X) followed by U+0021 (EXCLAMATION MARK) "
    "followed by any character",
    ("(?s).x!", "yx!"): "the text contains any character followed by U+0078 (LATIN SMALL LETTER X) followed by "
    "U+0021 (EXCLAMATION MARK)",
    ("x!", "yx!y"): "the text contains U+0078 (LATIN SMALL LETTER X) followed by U+0021 (EXCLAMATION MARK)",
    (r"[^\W_]\xa0[^\W_]", "n\xa0k"): "the text contains a letter or a number followed by U+00A0 (NO-BREAK SPACE) "
    "followed by a letter or a number",
    ("[\uac00-\ud7a3]", "\ub8e1"): "the text contains one of U+AC00 to U+D7A3",
    ("[\u3402-\u4dbe]", "\u3a00"): "the text contains one of U+3402 to U+4DBE",
    ("[\u0410-\u042f]", "\u0416"): "the text contains one of U+0410 to U+042F",
}


@pytest.mark.parametrize(("fails", "text"), FOUND)
def test_a_pattern_says_what_must_stand_side_by_side(fails: str, text: str) -> None:
    """Also that there must be something, whatever it is; what need not be there is left out."""
    found = pattern(text, asking(fails))
    assert found is not None
    assert FOUND[fails, text] == found.sentence


def test_what_fails_for_another_reason_is_no_text_that_was_made() -> None:
    """Of the mismatches only those that have the pattern are changed, to see whether they are right without it."""
    engine = asking("x|z")
    rule = pattern("x", asking("x"))
    assert rule is not None
    test = made.tested(
        rule, [seen("ax", "x|z"), seen("az", "x|z"), seen("z z", "x|z")], [seen("one two", "x|z")], engine
    )
    assert (test.with_made, 0) == (test.with_failing, test.without_failing)
    assert test.with_made > 9


def test_a_pattern_stands_beside_another_fault() -> None:
    """A mismatch with both faults is wrong without the pattern, too; what was right around it shows that it matters."""
    rule = pattern("x", asking("x"))
    assert rule is not None
    failing, right = ["ax", "bx", "xzz", "zz", "azz"], [f"word {n} and more" for n in range(40)]
    fails = "x|zz"
    test = made.tested(rule, [seen(t, fails) for t in failing], [seen(t, fails) for t in right], asking(fails))
    assert 1 == test.without_failing
    assert rule_stands(test, cover=0.6, precision=1.0, is_pattern=True, is_edge=False, spells=None, spared=0.0)


def test_a_test_has_questions_of_its_own() -> None:
    """Though the search for the rule has asked all that it may."""
    rule = pattern("x", asking("x"))
    assert rule is not None
    test = made.tested(rule, [seen("ax", "x")], [seen("one two", "x")], asking("x", most=0))
    assert test.with_made > 9


@pytest.mark.parametrize("most", range(0, 2000, 91))
def test_a_pattern_that_was_not_asked_to_its_end_is_none(most: int) -> None:
    """Where no more may be asked, "any character" would be said of a place at which one was tried."""
    whole = pattern("x1a1", asking("x.a"))
    found = pattern("x1a1", asking("x.a", most))
    assert whole is not None
    assert (whole.sentence if found is not None else None) == (None if found is None else found.sentence)


def test_what_a_pattern_begins_with_may_be_what_a_text_is_made_of() -> None:
    """The no-break space is what is replaced, for another letter would make it again."""
    fails = r"[^\W_]\xa0[^\W_]"
    rule = pattern("n\xa0k", asking(fails))
    assert rule is not None
    failing = [seen(text, fails) for text in ("n\xa0k", "an\xa0k", "n\xa0k\xa0k", "7\xa0b")]
    test = made.tested(rule, failing, [], asking(fails))
    assert (4, 0, test.with_made) == (test.without_made, test.without_failing, test.with_failing)


@pytest.mark.parametrize(
    ("says", "fails"),
    [
        ("one character stands 8 times or more in a row", r"(?s)(.)\1{7}"),
        ("9 spaces or more stand in a row", " {9}"),
        ("5 decimal digits or more stand in a row", r"\d{5}"),
        ("the text has 6 line ends or more", r"(?s)(.*\n){6}"),
        ("the text has 7 spaces or more", r"(?s)(.* ){7}"),
    ],
)
def test_enough_texts_are_made_at_an_edge(says: str, fails: str) -> None:
    """However few of the texts that were right can be made to reach it."""
    number = next(int(word) for word in says.split() if word.isdecimal())
    rule = next(AtLeast(one, number) for one in MEASURES if one.unit.format(number) == says)
    test = made.tested(rule, [], [], asking(fails))
    assert (test.with_made, 0) == (test.with_failing, test.without_failing)
    assert test.with_made >= 10
    assert test.without_made >= 20


def test_where_every_character_matters_not_all_others_are_tried() -> None:
    """A text of which each character must be as it is says what it says as a whole, or is long enough to fail."""
    for text in ("aaaaaaaa", "[mask]"):
        engine = asking(re.escape(text))
        assert pattern(text, engine) is None
        assert len(engine.seen) < 100


def test_texts_are_made_of_characters_that_no_sample_holds() -> None:
    """Of most ideographs none is among the characters of every sort; those that were seen are there."""
    only = CharacterClass("", "\u4e16".__eq__, is_one=True)
    assert not members(only)
    texts = list(_made(Rewriting("without {0}", only, lambda sort, text: (text,)), ["a\u4e16b"]))
    assert any("\u4e16" in text for text in texts)
    none = CharacterClass("", "\u4e16".__eq__)
    assert len(list(_made(Rewriting("without {0}", none, lambda sort, text: (text,)), ["ab"]))) < 20


def test_a_property_of_which_one_block_fails_is_not_told() -> None:
    """Mongolian and supplementary variation selectors are asked too, where those of one block go wrong."""
    block = [chr(point) for point in range(0xFE00, 0xFE10)]
    found = telling(block, [c for c in universe() if c not in block])
    assert found is not None
    assert "one of U+FE00 to U+FE0F" == found.says


def test_one_stray_mismatch_moves_no_edge() -> None:
    """Of a hundred texts that fail from 65 characters on one is shorter, and fails for another reason."""
    failing = [seen("x" * n, "x") for n in (53, *range(65, 165))]
    right = [seen("a" * n, "x") for n in range(65)]
    assert {53, 65} == {one.edge for one in edges(failing, right) if one.measure is MEASURES[0]}


def test_a_class_of_all_but_some_sorts() -> None:
    """As pre-tokenizers have them; the fewest sorts first."""
    first, *_ = excluding(["<", "\t", "।"], ["a", "5", " "])
    assert "a character that is not a letter nor a number nor U+0020 (SPACE)" == first.says
    assert [first.holds(c) for c in "<a 5\n"] == [True, False, False, False, True]


def test_a_class_around_one_character() -> None:
    """What fails beside it may fail for another reason; a few of it must have been seen."""
    digits = [*"12345"]
    one = around("1", [*digits, "x", "ß"], ["a", "b", "."])
    assert one is not None
    assert "an ASCII digit" == one.says
    assert around("1", ["1", "x"], ["a", "b", "."]) is None


def test_no_range_goes_from_characters_to_tokens() -> None:
    """A token stands behind all characters, and is told as it is spelled: U+0021 to "<unk>" would say nothing."""
    tokens = [chr(FIRST), chr(FIRST + 1)]
    found = telling({"!", "a", "\u2603", *tokens}, {" ", "\n"})
    assert found is not None
    assert "one of U+0021 to U+2603 or an added token" == found.says
    assert not found.holds("\U000f0000")
    assert all(map(found.holds, tokens))


def test_the_edits_of_a_pattern_are_patterns_and_none_comes_twice() -> None:
    """Groups, classes and look-aheads are taken apart where they begin and end."""
    every = [edit.pattern for edit in edits(GPT2)]
    assert len(every) == len({*every})
    assert GPT2 not in every
    for wanted in (
        GPT2.replace(r"(?!\S)", r"(?=\s)"),
        GPT2.replace(r" ?\p{N}+", r"\p{N}+"),
        GPT2.replace("'s|", ""),
        GPT2.replace(r"\p{L}", r"[A-Za-z]", 1).replace(r"[^\s\p{L}\p{N}]", r"[^\sA-Za-z\p{N}]"),
    ):
        assert wanted in every, wanted


def test_a_part_may_come_once_more_or_less() -> None:
    """Digits in groups of four or two in place of three, whatever the number is."""
    found = {edit.pattern for edit in edits(r"\p{N}{1,5}|\p{L}+")}
    assert {r"\p{N}{1,4}|\p{L}+", r"\p{N}{1,6}|\p{L}+"} <= found


def test_a_group_may_ignore_case_in_part() -> None:
    """In contractions of one letter only, say; each alternative by itself is tried as well."""
    found = {edit.pattern for edit in edits(r"(?i:'s|'t|'ll|'ve)|\p{L}+")}
    assert r"(?:(?i:'s|'t)|'ll|'ve)|\p{L}+" in found
    assert r"(?:(?i:'s|'t|'ve)|'ll)|\p{L}+" in found
    assert r"(?:'s|'t|'ll|'ve)|\p{L}+" in found


CONDITIONED = {
    (r"x(?![^\W\d_])", "x"): "U+0078 (LATIN SMALL LETTER X) where it does not stand before a letter (L)",
    (r"x(?=\d)", "x1"): "followed by",
    (r"^[\x00-\xff]*x[\x00-\xff]*$", "x"): "and nowhere else in it stands a character above U+00FF",
    (r"(?<![^\W\d_])%", "%"): "U+0025 (PERCENT SIGN) where it does not stand behind a letter (L)",
}


@pytest.mark.parametrize(("fails", "text"), CONDITIONED)
def test_a_pattern_may_need_that_something_is_missing(fails: str, text: str) -> None:
    """Beside it, or anywhere in the text; what is said is tested like any other rule."""
    engine = asking(fails)
    words = (
        "one two",
        "ab 12",
        "7 x",
        "x",
        "x.",
        "1x 2",
        "жx",
        "世 x",
        "caf\u00e9 x!",
        "% a",
        "a%",
        "5%",
        "x1",
        "ax1 b",
    )
    every = [seen(one, fails) for one in words]
    found = best_rule(
        seen(text, fails), [one for one in every if one.wrong], [one for one in every if not one.wrong], engine
    )
    assert found is not None
    rule, test = found
    assert CONDITIONED[fails, text] in rule.sentence, rule.sentence
    assert (test.with_made, 0) == (test.with_failing, test.without_failing)


def test_a_sort_of_characters_has_the_one_it_was_seen_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one explains nothing of the text, and there is nothing to ask beside."""
    facts = SimpleNamespace(asking=asking("a"), against=seen("a", "a"))
    monkeypatch.setattr(rewriting, "sort_of", lambda own, put: (telling(["b"], ["a"]), ["b"], ["a"]))
    search = rewriting._Rewritings(facts)  # type: ignore[arg-type]
    assert [] == list(search.of_sorts(next(with_these(("a",)))))


def test_a_pattern_of_nothing_is_said_in_words() -> None:
    """Where the smallest text that fails is empty, only flags may tell failing texts from right ones."""
    pattern = Pattern((), (), flags=Flags(add_special=True))
    assert "the text may be any, and special tokens are added" == pattern.sentence
