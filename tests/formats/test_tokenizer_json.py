"""tokenizer.json: read so that the ids are the library's, written so that the library gives the same ids."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as Library

from tests.reference.models import vocabulary
from tests.rings import nightly_but
from tests.shared_models import beside, mixed_lines, pulled
from tokparity import formats
from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError, FormatError
from tokparity.formats.json_fields import JsonFields
from tokparity.formats.tokenizer_json import tokenizer_of
from tokparity.formats.tokenizer_json_models import model_json
from tokparity.formats.tokenizer_json_writer import json_of
from tokparity.models import load, names
from tokparity.reference.decode import decode_pieces
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.spm import spm
from tokparity.reference.text import replace_each_byte
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind, Vocabulary

FILES = [*pulled("tokenizer.json"), *beside("tokenizers")]
EACH_TIME = ("small-bpe", "small-wordpiece", "claude", "gpt2", "bert_base_cased")
GGUFS = [name for name in names() if "gguf" in load(name).sources]
ODD = [
    "",
    " ",
    "a  b",
    " a",
    "é",
    "e\u0301",
    "½\u0301",
    "\u0899",
    "漢字。",
    "don't",
    "1234567",
    "\n\n \n",
    "🙂\u200d",
    "▁a ▁",
]

MODEL: dict[str, Any] = {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}
PLAIN_SPM = Behaviour(
    segment=spm, decode=decode_pieces, decode_text=replace_each_byte, match_added=leftmost_longest, fallback="drop"
)


def _read(tmp_path: Path, data: object) -> formats.Source:
    path = tmp_path / "tokenizer.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return formats.read(path, "tokenizer.json")


def _encoded(source: formats.Source, text: bytes) -> list[int]:
    return Tokenizer(source.vocabulary, source.behaviour).encode(text)


def _same_ids(library: Library, reference: Tokenizer, texts: list[str]) -> None:
    for text in texts:
        for add_special in (True, False):
            for parse_special in (True, False):
                library.encode_special_tokens = not parse_special
                expected = library.encode(text, add_special_tokens=add_special).ids
                assert expected == reference.encode(text.encode(), add_special, parse_special), repr(text)


@pytest.mark.parametrize(
    "path", nightly_but([path for path in FILES if path.stem in EACH_TIME], FILES), ids=lambda path: path.stem
)
def test_real_files_give_the_librarys_ids(path: Path) -> None:
    """Each published file is read as the library reads it, special tokens and decoding included."""
    source = formats.read(path)
    library, reference = Library.from_file(str(path)), Tokenizer(source.vocabulary, source.behaviour)
    specials = [f"a {token.content} b" for token in source.vocabulary.added]
    _same_ids(library, reference, [*mixed_lines(), *ODD, *specials])
    for text in mixed_lines():
        ids = library.encode(text).ids
        for skip in (True, False):
            assert library.decode(ids, skip_special_tokens=skip).encode() == reference.decode(ids, skip)


@pytest.mark.parametrize(
    "path", nightly_but([path for path in FILES if path.stem in EACH_TIME], FILES), ids=lambda path: path.stem
)
def test_reading_what_was_written_gives_the_same(path: Path, tmp_path: Path) -> None:
    """Write, then read, is the identity on vocabulary and behavior."""
    source = formats.read(path)
    formats.write(source, "tokenizer.json", tmp_path / "tokenizer.json")
    again = formats.read(tmp_path / "tokenizer.json")
    assert source.vocabulary == again.vocabulary
    assert source.behaviour == again.behaviour


@pytest.mark.parametrize("name", nightly_but(["bert-bge", "gpt-2", "llama-spm"], GGUFS))
def test_gguf_vocabularies_before_the_library(name: str, tmp_path: Path) -> None:
    """What is written from a pulled GGUF loads, and gives the reference's ids (UGM's charsmap apart)."""
    path = load(name).sources["gguf"]
    if not path.is_file():
        pytest.skip(f"{name} has not been pulled")
    source = formats.read(path)
    formats.write(source, "tokenizer.json", tmp_path / "tokenizer.json")
    library = Library.from_file(str(tmp_path / "tokenizer.json"))
    written = formats.read(tmp_path / "tokenizer.json")
    _same_ids(library, Tokenizer(written.vocabulary, written.behaviour), ODD[:-1])
    if source.vocabulary.scores and source.behaviour.segment is not spm:
        return
    library.encode_special_tokens = True
    reference = Tokenizer(source.vocabulary, source.behaviour)
    for text in [text for text in ODD if "▁" not in text]:
        expected = library.encode(text, add_special_tokens=False).ids
        assert expected == reference.encode(text.encode(), False, False), repr(text)


@settings(max_examples=200, deadline=None)
@given(text=st.text("abc", max_size=12), scores=st.permutations(range(6)))
def test_spm_merges_in_the_order_of_scores(text: str, scores: list[int]) -> None:
    """SPM written as BPE merges alike, whatever the order of the scores."""
    pieces = ["a", "b", "c", "ab", "bc", "abc", "ca", "aa", "bca"]
    values = (0.0, 0.0, 0.0, *(-float(score) for score in scores))
    vocabulary = Vocabulary(tuple(p.encode() for p in pieces), (Kind.NORMAL,) * 9, values)
    reference = Tokenizer(vocabulary, PLAIN_SPM)
    data = {"model": model_json(vocabulary, PLAIN_SPM, pieces, {})}
    assert Library.from_str(json.dumps(data)).encode(text).ids == reference.encode(text.encode(), False, False)


@settings(max_examples=200, deadline=None)
@given(text=st.text(" ▁ab", max_size=8))
def test_user_defined_pieces_see_spaces_as_markers(text: str) -> None:
    """A space and a spelled-out marker are the same to SPM, also within a piece that is found whole."""
    pieces = {"▁": -1.0, "a": -2.0, "b": -3.0, "▁▁": 0.0, "▁a": 0.0, "ab": 0.0}
    kinds = dict.fromkeys(("▁▁", "▁a", "ab"), Kind.USER_DEFINED)
    spm_vocabulary = vocabulary(pieces, kinds)
    plain = replace(PLAIN_SPM, space_marker="▁")
    source = formats.Source("sentencepiece", Path(), spm_vocabulary, plain)
    library = Library.from_str(json_of(source))
    assert library.encode(text).ids == Tokenizer(spm_vocabulary, plain).encode(text.encode(), False, False)


def test_rivals_of_one_score_cannot_be_expressed() -> None:
    """x y and y z of one score, each way round: no list of merges prefers what stands left."""
    vocabulary = Vocabulary((b"a", b"b", b"ab", b"ba"), (Kind.NORMAL,) * 4, (0.0, 0.0, -1.0, -1.0))
    with pytest.raises(CannotExpressError, match="one score"):
        model_json(vocabulary, PLAIN_SPM, ["a", "b", "ab", "ba"], {})


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("{", "not JSON"),
        ("[1]", "JSON list"),
        ({"added_tokens": []}, "model is missing"),
        ({"model": {"type": "Mamba", "vocab": {}}}, "'Mamba'"),
        ({"model": {**MODEL, "vocab": {"a": 1 << 40}}}, "has ids up to"),
        ({"model": {**MODEL, "vocab": {"a": "x"}}}, "not an id"),
        ({"model": {"type": "BPE", "vocab": {}, "merges": ["a b c"]}}, "not two pieces"),
        ({"model": {"type": "BPE", "vocab": {}, "merges": [], "dropout": 0.1}}, "dropout"),
        ({"model": MODEL, "normalizer": {"type": "Nfc"}}, "'Nfc'"),
        (
            {"model": MODEL, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "[a"}, "behavior": "Isolated"}},
            "open",
        ),
        ({"model": MODEL, "decoder": {"type": "Loud"}}, "'Loud'"),
        ({"model": MODEL, "post_processor": {"type": "TemplateProcessing", "single": []}}, "text 0 times"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, data: object, problem: str) -> None:
    """A file that is none is refused with the field and the value."""
    with pytest.raises(FormatError, match=problem):
        _encoded(_read(tmp_path, data), b"a")


AFFIXES: list[dict[str, Any]] = [
    {
        "vocab": {"a": 0, "b": 1, "##b": 2, "##a": 3, "ab": 4, "##ba": 5, "aba": 6, "[U]": 7},
        "merges": [["a", "##b"], ["##b", "##a"], ["a", "##ba"]],
        "continuing_subword_prefix": "##",
    },
    {
        "vocab": {"a": 0, "b": 1, "b</w>": 2, "a</w>": 3, "ab": 4, "ba</w>": 5, "aba</w>": 6, "[U]": 7},
        "merges": [["a", "b"], ["b", "a</w>"], ["ab", "a</w>"], ["a", "ba</w>"]],
        "end_of_word_suffix": "</w>",
    },
    {"vocab": {"a": 0, "b": 1, "ab": 2, "[U]": 3}, "merges": [["a", "b"]]},
]
UNKNOWNS: list[dict[str, Any]] = [
    {"unk_token": "[U]"},
    {"unk_token": "[U]", "fuse_unk": True},
    {"unk_token": None},
    {"unk_token": None, "ignore_merges": True},
]


@pytest.mark.parametrize("unknown", UNKNOWNS, ids=str)
@pytest.mark.parametrize("affixes", AFFIXES, ids=["prefix", "suffix", "none"])
@settings(max_examples=60, deadline=None)
@given(text=st.text("aabbc#", max_size=60))
def test_affixes_and_unknowns_of_bpe(affixes: dict[str, Any], unknown: dict[str, Any], text: str) -> None:
    """Prefixes of continuing pieces, suffixes of words, and characters without a piece: fused, dropped, or unknown."""
    data = {"model": {"type": "BPE", **affixes, **unknown}}
    vocabulary, behaviour = tokenizer_of(JsonFields(Path("x.json"), "", data))
    expected = Library.from_str(json.dumps(data)).encode(text).ids
    assert expected == Tokenizer(vocabulary, behaviour).encode(text.encode())


@pytest.mark.parametrize(
    ("decoders", "strips", "stages"),
    [
        (({"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}), True, 1),
        (({"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 2, "stop": 0}), False, 2),
        (({"type": "ByteFallback"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}), False, 2),
    ],
)
def test_the_space_that_decoding_takes_away(
    decoders: tuple[dict[str, Any], ...], strips: bool, stages: int, tmp_path: Path
) -> None:
    """One space off the start of the whole text is the field that every format has; written, it is a decoder again."""
    data = {"model": MODEL, "decoder": {"type": "Sequence", "decoders": list(decoders)}}
    source = _read(tmp_path, data)
    assert strips == source.behaviour.strip_decoded_prefix
    assert stages == len(source.behaviour.decode.stages)  # type: ignore[union-attr]
    assert data["decoder"] == json.loads(json_of(source))["decoder"]


def test_a_merge_of_broken_characters_has_no_words(tmp_path: Path) -> None:
    """A GGUF may list one, for it counts bytes; JSON holds characters."""
    source = formats.read(load("small-bpe").sources["tokenizer.json"])
    merges = ((b"\xc3", b"a"), *source.vocabulary.merges)
    broken = replace(source, vocabulary=replace(source.vocabulary, merges=merges))
    with pytest.raises(CannotExpressError, match=r"cannot express a merge of b'.xc3'"):
        formats.write(broken, "tokenizer.json", tmp_path / "broken.json")
