"""The charsmap as the tokenizers library applies it, and words looked up whole."""

from __future__ import annotations

import random

import pytest
from stage_texts import ALL, FRAGMENTS
from tokenizers import normalizers as library

from tests.reference.test_charsmap import charsmap_of
from tests.rings import nightly_but
from tokparity.behaviour import Behaviour
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.decode import decode_byte_level
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.text import replace_each_byte
from tokparity.reference.word_level import word_level
from tokparity.vocabulary import Kind, Vocabulary


@pytest.mark.parametrize("every", nightly_but([16], [1, 16]))
def test_equals_the_library(every: int) -> None:
    """A real charsmap gives what the library gives, and loses the mark that SentencePiece keeps."""
    blob = charsmap_of("nmt_nfkc").blob
    theirs, ours = library.Precompiled(blob), GraphemeCharsmap(blob)
    chosen = random.Random(1)
    keys = [*Charsmap(blob).table, *FRAGMENTS * 100]
    for _ in range(3000 // every):
        text = "".join(chosen.choice(chosen.choice((keys, ALL))) for _ in range(chosen.randrange(1, 6)))
        assert theirs.normalize_str(text) == ours(text), ascii(text)
    some = ALL[::every]
    for start in range(0, len(some), 4096):
        text = "½".join(some[start : start + 4096])
        assert theirs.normalize_str(text) == ours(text), hex(ord(some[start]))
    assert ("1\u20442", "1\u20442\u0301") == (ours("½\u0301"), Charsmap(blob)("½\u0301"))


def test_words_are_pieces_or_unknown() -> None:
    """A whole word is looked up; without an unknown id it is dropped."""
    behaviour = Behaviour(
        segment=word_level,
        decode=decode_byte_level,
        decode_text=replace_each_byte,
        match_added=leftmost_longest,
    )
    vocabulary = Vocabulary((b"<unk>", b"ab"), (Kind.UNKNOWN, Kind.NORMAL), special={"unk": 0})
    assert [[1], [0]] == [word_level(vocabulary, behaviour)(word) for word in ("ab", "abc")]
    assert [] == word_level(Vocabulary((b"ab",), (Kind.NORMAL,)), behaviour)("x")
