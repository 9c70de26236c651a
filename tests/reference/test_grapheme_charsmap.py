"""The charsmap as the tokenizers library applies it, and words looked up whole."""

from __future__ import annotations

import base64
import json
import random

from stage_texts import ALL, FRAGMENTS
from tokenizers import normalizers as library

from tests.shared_models import SHARED_MODELS, needs_shared_models
from tokparity.behaviour import Behaviour
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.decode import decode_byte_level
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.text import replace_each_byte
from tokparity.reference.word_level import word_level
from tokparity.vocabulary import Kind, Vocabulary

XLNET = SHARED_MODELS / "tokenizers/xlnet_base_cased.json"


@needs_shared_models
def test_equals_the_library() -> None:
    """A real charsmap gives what the library gives, and loses the mark that SentencePiece keeps."""
    stages = json.loads(XLNET.read_text(encoding="utf-8"))["normalizer"]["normalizers"]
    (encoded,) = [stage["precompiled_charsmap"] for stage in stages if stage["type"] == "Precompiled"]
    blob = base64.b64decode(encoded)
    theirs, ours = library.Precompiled(blob), GraphemeCharsmap(blob)
    chosen = random.Random(1)
    keys = [*Charsmap(blob).table, *FRAGMENTS * 100]
    for _ in range(3000):
        text = "".join(chosen.choice(chosen.choice((keys, ALL))) for _ in range(chosen.randrange(1, 6)))
        assert theirs.normalize_str(text) == ours(text), ascii(text)
    for start in range(0, len(ALL), 4096):
        text = "½".join(ALL[start : start + 4096])
        assert theirs.normalize_str(text) == ours(text), hex(ord(ALL[start]))
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
