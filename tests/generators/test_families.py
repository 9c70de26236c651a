"""What each family of texts is there for: that it makes what it promises."""

from __future__ import annotations

import unicodedata
from itertools import islice

import pytest
import regex

from tokparity import generators
from tokparity.errors import FormatError
from tokparity.generators import ascii_spaces, code_points
from tokparity.generators.regex_samples import alternatives, split_alternatives
from tokparity.generators.subject import Subject
from tokparity.quirks import toys
from tokparity.reference.splits import Split
from tokparity.vocabulary import AddedToken, Kind


def subject(**fields: object) -> Subject:
    """A small SPM model."""
    toy = toys.spm("▁ a b c ab bc abc cd ▁a é", **fields)
    return Subject(toy.vocabulary, toy.behaviour)


def texts(name: str, model: Subject, count: int = 2000) -> list[bytes]:
    """The first texts of a generator."""
    return list(islice(generators.texts(name, 0, model), count))


def test_code_points_reach_every_plane() -> None:
    """All seventeen planes are met within a few thousand texts."""
    met = {ord(c) >> 16 for text in texts("code_points", subject(), 4000) for c in text.decode()}
    assert set(range(17)) == met
    assert 0x30000 - 0x800 == sum(1 for _ in code_points.in_order())


def test_ascii_spaces_holds_what_is_described() -> None:
    """Two characters with spaces on either side; the enumeration has no doubles but those of the missing character."""
    found = set(islice(ascii_spaces.in_order(), 60000))
    assert {b"\x01\x02", b"  \x01\x02 ", b"\x01  \x02"} <= found


def test_graphemes_are_in_all_normal_forms() -> None:
    """Some texts are composed and others are not; joiners, jamo, flags and tags are there."""
    found = [text.decode() for text in texts("graphemes", subject())]
    assert any(not unicodedata.is_normalized("NFC", text) for text in found)
    assert any(not unicodedata.is_normalized("NFD", text) for text in found)
    for character in "\u200d\ufe0f\u20e3\U0001f1e6\u1100\u094d\U000e007f":
        assert any(character in text for text in found), hex(ord(character))


def test_joints_overlap() -> None:
    """ "abc" + "cd" as "abcd": the joint lies in both."""
    assert any(b"abcd" in text for text in texts("joints", subject()))


def test_blocked_merges() -> None:
    """(a, b) and (b, c) are merges: a b c is a text."""
    toy = toys.bpe("abc", "a+b b+c")
    assert b"abc" in texts("ties", Subject(toy.vocabulary, toy.behaviour))


def test_near_ties_are_found() -> None:
    """ "bc" scores nearly what "b" and "c" score together."""
    toy = toys.unigram(toys.NEAR_TIE)
    assert any(b"bc" in text for text in texts("ties", Subject(toy.vocabulary, toy.behaviour)))


def test_the_nearest_overlap_comes_most_often() -> None:
    """ "ab" and "bc" are nearly as good as each other, "bd" is much worse than both; by score, and by rank."""
    scored = toys.spm("ab bc cd da ac ca db bd a b c d")
    ranked = toys.bpe("abcd", "a+b b+c c+d b+d")
    for toy in (scored, ranked):
        found = texts("overlaps", Subject(toy.vocabulary, toy.behaviour))
        near, far = (sum(text in other for other in found) for text in (b"abc", b"abd"))
        assert near > far > 0, toy


def test_contractions_go_on_in_a_piece() -> None:
    """Where the piece goes on behind 's, a pattern that cuts there and one that does not give other ids."""
    toy = toys.spm("▁ a b sa ▁it treat '")
    found = texts("contractions", Subject(toy.vocabulary, toy.behaviour))
    assert any(b"'sa" in text for text in found)
    assert any(b"'TREAT" in text for text in found)


def test_fallbacks_cut_characters() -> None:
    """Some texts are not UTF-8, most are."""

    def is_utf8(text: bytes) -> bool:
        return text.decode("utf-8", "replace").encode() == text

    valid = sum(map(is_utf8, texts("fallbacks", subject())))
    assert 1400 < valid < 1950


def test_special_tokens_stand_everywhere() -> None:
    """Doubled, cut short, with spaces, inside words."""
    model = subject(kinds={"cd": Kind.USER_DEFINED}, added=(AddedToken(3, "<x>", special=True, lstrip=True),))
    found = set(texts("special_tokens", model, 6000))
    for text in (b"<x>", b" <x>", b"<x>\n", b"a<x>z", b"<x><x>", b"<x"):
        assert any(text in other for other in found), text


def test_samples_match_their_alternative() -> None:
    """What is drawn from an alternative is matched by it as a whole."""
    import random

    pattern = (
        r"(?i:'s|'t)| ?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|[\p{Lu}\p{M}]*[\p{Ll}]|\x{4E00}a|[^\]a]"
    )
    rng = random.Random(0)
    for sample, source in zip(alternatives(pattern), split_alternatives(pattern), strict=True):
        for _ in range(50):
            assert regex.fullmatch(source.replace(r"\x{4E00}", "一"), sample(rng)), source


def test_samples_of_a_pattern_that_is_none() -> None:
    """A group that is not closed is told."""
    with pytest.raises(FormatError, match="not closed"):
        alternatives("(a")


def test_pretokeniser_samples_put_boundaries_into_pieces() -> None:
    """A contraction and a piece that begins with its last letter: 'sa for the piece sa."""
    toy = toys.byte_bpe("s+a", pretokenise=Split("'s|[a-z]+"))
    found = texts("pretokeniser_samples", Subject(toy.vocabulary, toy.behaviour))
    assert any(b"'sa" in text for text in found)
