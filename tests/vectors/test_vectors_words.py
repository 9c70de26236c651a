"""Comments, tags, hashes and acceptable answers."""

from __future__ import annotations

import pytest

from tokparity import quirks
from tokparity.case import Origin
from tokparity.questions import Decode, Encode
from tokparity.quirks import toys
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.comments import Commentator
from tokparity.vectors.conventions import settled
from tokparity.vectors.faults import Answers, mutants
from tokparity.vectors.spelling import case_id, fnv1a, hashed, matches, short


@pytest.mark.parametrize(
    ("text", "comment", "tags"),
    [
        (b"  1", "two spaces before a digit", ("digits", "whitespace")),
        (b"", "the empty text", ("empty",)),
        (b"a\xff", "a small letter before an invalid byte", ("Latin", "invalid UTF-8")),
        ("<s>世".encode(), "a special token before a CJK letter, special tokens parsed", ("CJK", "special tokens")),
        ("\u00a0".encode(), "a no-break space", ("whitespace",)),
        ("\U0001f44d".encode(), "an emoji", ("emoji",)),
        (b"a 1 b 2", "7 characters: small letters, spaces, digits", ("Latin", "digits", "whitespace")),
    ],
)
def test_a_text_is_described_in_plain_words(text: bytes, comment: str, tags: tuple[str, ...]) -> None:
    """What the text consists of, and tags by which a runner can leave it out."""
    describes = Commentator(["<s>"])
    question = Encode(text, True, True)
    assert comment == describes.comment(question)
    assert tags == describes.tags(question)


def test_sentences_name_their_language() -> None:
    """An ordinary sentence of the corpus says which language it is in."""
    origin = Origin("corpus", "languages/ko-Kore.txt", 2)
    assert "an ordinary sentence in Korean" == Commentator([]).comment(Encode("안녕".encode()), origin)


def test_comments_are_ascii() -> None:
    """A comment goes to a terminal as it is, whatever the text holds."""
    describes = Commentator([])
    texts = (chr(point) for point in (*range(0x250), *range(0x2000, 0x2100), 0xFEFF, 0x1F600, 0xE0001, 0x10FFFF))
    comments = [describes.comment(Encode(text.encode())) for text in texts]
    assert [] == [one for one in comments if not (one.isascii() and one.isprintable())]


def test_the_hash_is_fnv_1a() -> None:
    """The published values of 32-bit FNV-1a; ids are hashed as decimals with commas."""
    assert ["811c9dc5", "e40c292c", "bf9cf968"] == [fnv1a(b""), fnv1a(b"a"), fnv1a(b"foobar")]
    assert fnv1a(b"1,22") == hashed((1, 22))


def test_long_answers_match_by_their_hash() -> None:
    """A long wrong answer is stored as a hash, and only that answer matches."""
    ids = tuple(range(50))
    assert matches(ids, short(ids))
    assert not matches(ids[:-1], short(ids))
    assert (1, 2) == short((1, 2))
    assert not matches(None, short(ids))


def test_ids_of_cases_do_not_change() -> None:
    """A case is known by its question alone, so its name is the same in every file."""
    assert "e-16c5e99a" == case_id(Encode(b"Hello", True, False))
    assert "d" == case_id(Decode((1, 2)))[0]
    assert case_id(Encode(b"a", True, False)) != case_id(Encode(b"a", False, False))


def test_replacing_or_keeping_invalid_bytes_is_acceptable() -> None:
    """Of text that is not UTF-8 there are several sound readings; to lose the bytes is none of them."""
    toy = toys.spm("a b", byte_pieces=True)
    right = Tokenizer(toy.vocabulary, toy.behaviour)
    names = ("replaces_each_invalid_byte", "drops_invalid_bytes")
    answers = Answers(right, mutants(right, [quirks.get(name) for name in names]))
    question = Encode(b"a\xe2\x96b", False, False)
    answers.put([question])
    accepted, wrong = settled(answers)
    assert [("replaces_each_invalid_byte",), ()] == [one.faults for one in accepted[question]]
    assert None is accepted[question][-1].answer
    assert {"replaces_each_invalid_byte": {}, "drops_invalid_bytes": answers.wrong["drops_invalid_bytes"]} == wrong


def test_a_fault_that_another_reading_of_invalid_bytes_shows_is_told() -> None:
    """An engine that keeps invalid bytes, and takes as many as the lead byte announces, gives an answer of its own."""
    toy = toys.spm("a b", byte_pieces=True)
    right = Tokenizer(toy.vocabulary, quirks.get("replaces_each_invalid_byte").flip(toy.behaviour))
    names = ("keeps_invalid_bytes", "groups_bytes_by_lead", "drops_invalid_bytes")
    answers = Answers(right, mutants(right, [quirks.get(name) for name in names]))
    question = Encode(b"\xc0a", False, False)
    answers.put([question, Encode(b"a", False, False)])
    assert {} == answers.wrong["groups_bytes_by_lead"]
    _, wrong = settled(answers)
    behaviour = quirks.flip_all(map(quirks.get, names[:2]), right.behaviour)
    both = tuple(right.with_behaviour(behaviour).encode(question.text, False, False))
    assert {question: both} == wrong["groups_bytes_by_lead"]
    assert {} == wrong["keeps_invalid_bytes"]
