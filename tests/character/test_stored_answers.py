"""What stored answers alone show of an engine: a text that was changed on its way, a vocabulary that ends too early."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence

import pytest
from faulty_panel import characterised, source
from unlisted_faults import Faithful

from tokparity.case import text_case
from tokparity.diagnose import Base, Explanation
from tokparity.diagnose import characterised as explained
from tokparity.diagnose.families.texts.escaped import CHANGES
from tokparity.diagnose.families.texts.other_texts import WHOLE
from tokparity.diagnose.families.vocabulary.lost_pieces import without_pieces
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding
from tokparity.reference.tokenizer import Tokenizer

MODEL = "small-bpe"
TEXTS = (
    'one\ntwo \\n three < four & "five" &lt; it\'s % 20%20+ é',
    "a line\nand\tanother \\n <b>bold</b> &amp; \"x\" 'y' 100%25 1+1 ü",
)

Ids = Callable[[str], Sequence[int]]


def traits(wrong: Ids, right: Sequence[str] = (), texts: Sequence[str] = TEXTS, model: str = MODEL) -> list[str]:
    """What is said of stored answers, `right` of which are those of the model."""
    said = source(model)
    base = Base(said.vocabulary, said.behaviour)

    def ids(text: str) -> tuple[int, ...]:
        return tuple(base.tokenizer.encode(text.encode(), False, False))

    mismatches = [
        Mismatch(
            text_case(text.encode(), False), "m", "e", "o", Encoding(ids(text)), Encoding(tuple(wrong(text))),
            Difference("ids", 0),
        )
        for text in texts
    ]  # fmt: skip
    controls = [Control(text_case(text.encode(), False), "m", "e", Encoding(ids(text))) for text in right]
    unexplained = [Explanation("ids", "unexplained", tuple(range(len(texts))))]
    (found,) = explained(unexplained, mismatches, controls, base=base)
    return [trait.sentence for trait in found.character]


def of_text(change: Callable[[str], str]) -> Ids:
    """The ids of the changed text."""
    said = source(MODEL)
    tokenizer = Tokenizer(said.vocabulary, said.behaviour)
    return lambda text: tokenizer.encode(change(text).encode(), False, False)


@pytest.mark.parametrize("says", CHANGES)
def test_a_text_that_was_escaped_is_told(says: str) -> None:
    """Two stored answers do; one right answer to a text that would have been escaped refutes it."""
    told = f"the ids are those of the text {says}"
    assert f"{told}: 2 of 2 failing texts" in traits(of_text(CHANGES[says]))
    assert not any(told in one for one in traits(of_text(CHANGES[says]), right=[TEXTS[0] + " ."]))


def test_a_text_that_was_not_escaped_is_not_told_so() -> None:
    """Nor is an answer that no escape makes."""
    assert not any("the ids are those of the text" in one for one in traits(of_text(lambda text: text + " zz")))


@pytest.mark.parametrize(
    "says",
    ["in upper case", "in title case", "in reverse", "with 0 in place of each digit", "without its first character"],
)
def test_a_text_that_was_changed_as_a_whole_is_told(says: str) -> None:
    """Two stored answers do; one right answer to a text that would have been changed refutes it."""
    told = f"the ids are those of the text {says}"
    assert f"{told}: 2 of 2 failing texts" in traits(of_text(WHOLE[says]))
    assert not any(told in one for one in traits(of_text(WHOLE[says]), right=[TEXTS[0] + " ."]))


LONG = (
    "Voilà, it was the best of times, it was the worst of all internationalizations, it was foolishness",
    "Le Café Ishmael. Some years ago - never mind how long precisely - having little or no money in my purse, I sailed",
)
CURLY = ("“Don’t” – she said", "l’été – “voilà” – ‘x’")


def _parts(text: str) -> list[int]:
    return [i for at in range(0, len(text), 64) for i in of_text(str)(text[at : at + 64])]


def _plain(text: str) -> str:
    return text.translate(str.maketrans("“”‘’–", "\"\"''-"))


@pytest.mark.parametrize(
    ("wrong", "texts", "told"),
    [
        (_parts, LONG, "of the model that reads texts in blocks of 64 characters, each on its own"),
        (
            of_text(lambda text: text.replace("😀", "\ufffd" * 2)),
            ["ok 😀!", "😀😀 x"],
            "with two U+FFFD in place of each",
        ),
        (of_text(_plain), CURLY, "with U+0027 (APOSTROPHE) in place of U+2019 (RIGHT SINGLE QUOTATION MARK)"),
    ],
    ids=["blocks", "halves", "quotes"],
)
def test_what_needs_no_engine_is_told_of_stored_answers(wrong: Ids, texts: Sequence[str], told: str) -> None:
    """Texts that are not shrunk show it as well; a right answer to one of them refutes it."""
    assert any(told in one and "2 of 2 failing texts" in one for one in traits(wrong, texts=texts))
    assert not any(told in one for one in traits(wrong, right=[f"{texts[0]} ."], texts=texts))


def test_lines_that_are_encoded_alone_are_told() -> None:
    """Each has a space prefix of its own, and the line end between them has none."""
    said = source("small-spm")
    tokenizer = Tokenizer(said.vocabulary, said.behaviour)
    (end,) = tokenizer.encode(b"a\n", False, False)[1:]

    def by_line(text: str) -> list[int]:
        rows = [tokenizer.encode(line.encode(), False, False) for line in text.split("\n")]
        return [i for nth, row in enumerate(rows) for i in ([end] if nth else []) + row]

    told = "the model that encodes each line as a text of its own, with the token of the line end between them"
    texts = ["a\n\nb", "one two\nthree", " a\n b\n"]
    assert any(f"{told}: 3 of 3 failing texts" in one for one in traits(by_line, texts=texts, model="small-spm"))
    assert not any(told in one for one in traits(by_line, right=["one\ntwo"], texts=texts, model="small-spm"))


def test_words_that_are_cut_short_are_told_of_stored_answers() -> None:
    """Right ones that are longer refute it."""
    short = of_text(lambda text: " ".join(word[:12] for word in text.split(" ")))
    texts = ["x internationalization", "the incomprehensibilities", "of antidisestablishmentarianism"]
    told = "the ids are those of the model that reads only the first 13 characters of a word: 3 of 3 failing texts"
    assert [told] == traits(short, texts=texts)
    assert told not in traits(short, right=["my internationalization"], texts=texts)


def test_a_string_that_came_as_another_is_told() -> None:
    """Also where no text has it once alone, and nobody can ask for one; a right text that has it refutes it."""
    texts = ["tabs\tand\ttabs of a table", "one\ttwo\tthree and four\tfive"]
    told = "the ids are those of the text with U+0020 (SPACE) in place of U+0009 (TAB)"
    wrong = of_text(lambda text: text.replace("\t", " "))
    assert [f"{told}: 2 of 2 failing texts"] == traits(wrong, texts=texts)
    assert not any(told in one for one in traits(wrong, ["x\ty"], texts))


def test_a_vocabulary_that_ends_too_early_is_told() -> None:
    """The number is one of those that fit; a right answer with a later piece refutes it."""
    said = source(MODEL)
    edge = 1000
    shorter = without_pieces(said.vocabulary, frozenset(range(edge, len(said.vocabulary))))
    short, whole = Tokenizer(shorter, said.behaviour), Tokenizer(said.vocabulary, said.behaviour)
    texts = ["The government of the United States", "different international organizations", "because something"]
    assert all(max(whole.encode(text.encode(), False, False)) >= edge for text in texts)
    found = traits(lambda text: short.encode(text.encode(), False, False), texts=texts)
    assert [one for one in found if "the ids are those of the model without the pieces whose id is " in one], found
    later = whole.decode([len(whole.vocabulary) - 9]).decode()
    assert max(whole.encode(later.encode(), False, False)) >= edge
    refuted = traits(lambda text: short.encode(text.encode(), False, False), [later], texts)
    assert not any("without the pieces whose id" in one for one in refuted)


def test_pieces_that_are_never_found_are_told_of_stored_answers() -> None:
    """Bytes alone are found, and a right answer with such a piece refutes it."""
    said = source(MODEL)
    spelled = Base(said.vocabulary, said.behaviour).generators.subject.spelled
    lost = {i for i, text in enumerate(spelled) if len(text) > 1 and max(text) > 0x7F}
    tokenizer = Tokenizer(without_pieces(said.vocabulary, lost), said.behaviour)
    texts = [
        "Привет, как дела?",
        "naïve café, für über",
        "“what” – he said",
        "été à l’œuvre",
        "한국어 世界 ไทย",
        "हिंदी",
    ]
    told = "the ids are those of the model without the pieces of several bytes that end with a byte above 0x7F"

    def wrong(text: str) -> list[int]:
        return tokenizer.encode(text.encode(), False, False)

    assert f"{told}: 6 of 6 failing texts" in traits(wrong, ["the cat sat on"], texts)
    assert not any(told in one for one in traits(wrong, ["on и"], texts))


def test_another_pattern_is_told_of_stored_answers() -> None:
    """Numbers in groups are told from a few texts; a right answer with a long number refutes it."""
    texts = ["1000 10100 1,000,000", "in 1040 and 1100", "tel 1115 30 111150"]
    told = r"with ` ?\p{N}{1,3}` in place of ` ?\p{N}+` in its pattern"

    def wrong(text: str) -> list[int]:
        return [i for part in re.findall(r"(?s)(?:(?!\d{3}\d).)*(?:\d{3}(?=\d))?", text) for i in of_text(str)(part)]

    assert any(told in one for one in traits(wrong, ["the cat"], texts)), traits(wrong, ["the cat"], texts)
    assert not any(told in one for one in traits(wrong, ["the 1000 10100"], texts))


class EscapesHtml(Faithful):
    """A web form escaped the text."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Entities in place of <, > and &."""
        escaped = html.escape(text.decode("utf-8", "surrogateescape"), quote=False)
        return self.right(escaped.encode("utf-8", "surrogateescape"), add, parse)


def test_an_engine_that_is_asked_shows_its_escapes() -> None:
    """All its mismatches are one group."""
    mismatches, (group, *others) = characterised(MODEL, EscapesHtml)
    assert ([], len(mismatches)) == (others, len(group.members))
    assert "the ids are those of the text with <, > and & as entities of HTML" == group.traits[0].says
