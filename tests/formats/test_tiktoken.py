"""tiktoken and tekken files: read so that the ids are the library's."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import mistral_common
import pytest
import regex
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
from tiktoken.load import load_tiktoken_bpe

from tests.shared_models import beside, mixed_lines, needs_shared_models
from tokparity import formats
from tokparity.errors import FormatError
from tokparity.models import load, primary_source
from tokparity.reference.fancy_regex import of_fancy_regex
from tokparity.reference.onig import compile_onig
from tokparity.reference.pretokeniser_patterns import CL100K_FANCY
from tokparity.reference.splits import Split
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources import corpus

TEKKEN = sorted((Path(mistral_common.__file__).parent / "data").glob("tekken_*.json"))
TEXTS = [
    "",
    " a",
    "don't DON'T",
    "12345 \n\n x  ",
    "漢字 é \u0301",
    "<|endoftext|>",
    "[INST] a",
    "a\r\n\r\nb \u00a0",
    "🙂" * 9,
]


@needs_shared_models
@pytest.mark.parametrize("path", beside("tiktoken") or [Path("none")], ids=lambda path: path.stem)
def test_ranks_give_the_librarys_ids(path: Path, tmp_path: Path) -> None:
    """A published file gives tiktoken's ids, and is written as it was."""
    source = formats.read(path)
    lines = (line.split() for line in path.read_bytes().splitlines())
    ranks = {base64.b64decode(piece): int(rank) for piece, rank in lines}
    special = source.metadata["special_tokens"]
    library = tiktoken.Encoding("x", pat_str=source.metadata["pattern"], mergeable_ranks=ranks, special_tokens=special)
    reference = Tokenizer(source.vocabulary, source.behaviour)
    for text in [*TEXTS, *mixed_lines()]:
        assert library.encode_ordinary(text) == reference.encode(text.encode(), parse_special=False)
        assert library.encode(text, allowed_special="all") == reference.encode(text.encode(), parse_special=True)
        assert text.encode() == reference.decode(library.encode_ordinary(text))
    formats.write(source, "tiktoken", tmp_path / path.name)
    assert path.read_bytes() == (tmp_path / path.name).read_bytes()


@pytest.mark.parametrize("path", TEKKEN, ids=lambda path: path.stem)
def test_tekken_gives_the_librarys_ids(path: Path) -> None:
    """Special tokens come first; the library never looks for them in a text, the reference only when asked to."""
    source, library = formats.read(path), Tekkenizer.from_file(path)
    reference = Tokenizer(source.vocabulary, source.behaviour)
    assert "tekken" == source.format
    assert library.n_words == len(source.vocabulary)
    for text in TEXTS:
        for bos in (True, False):
            assert library.encode(text, bos=bos, eos=False) == reference.encode(text.encode(), bos, False)
    assert [1, 3, 1261] == reference.encode(b"[INST] a", True, True)


def test_the_pattern_is_well_known_in_our_syntax_too() -> None:
    """The clock is not looked at for it."""
    assert compile_onig(of_fancy_regex(CL100K_FANCY)).seconds("abc") is None


BYTES = [f"{base64.b64encode(bytes((byte,))).decode()} {byte}" for byte in range(256)]


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.sampled_from([*"a1'sS \n\r\t.é", "١", "ſ"]), max_size=12))
def test_possessive_quantifiers_survive(text: str) -> None:
    """cl100k_base's pattern splits in our syntax as in tiktoken's."""
    ranks = {bytes((byte,)): byte for byte in range(256)}
    library = tiktoken.Encoding("x", pat_str=CL100K_FANCY, mergeable_ranks=ranks, special_tokens={})
    words = Split(of_fancy_regex(CL100K_FANCY))(text, True)
    assert [list(word.encode()) for word in words] == [piece for piece in _pieces(library, text) if piece]


def _pieces(library: tiktoken.Encoding, text: str) -> list[list[int]]:
    """The words that tiktoken splits a text into, with the `regex` package as its own documentation does."""
    return [list(word.encode()) for word in regex.findall(library._pat_str, text)]


@pytest.mark.parametrize(
    ("name", "lines", "beside", "problem"),
    [
        ("mine", BYTES, None, "pattern of 'mine' is not known"),
        ("gpt2", BYTES[1:], None, "no piece for the byte 0x00"),
        ("gpt2", [*BYTES, "x y z"], None, "line 257"),
        ("gpt2", [*BYTES, "YWI= 7", "YWM= 9"], None, "two pieces have the id 7$"),
        ("mine", BYTES, {"pattern": "a", "special_tokens": {"<s>": 5}}, "two pieces have the id 5$"),
        ("gpt2", [*BYTES, "YWI= 99999999"], None, "ids up to 99999999"),
        ("mine", BYTES, {"pattern": 1}, "pattern is '1'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, name: str, lines: list[str], beside: object, problem: str) -> None:
    """A file that is none, or whose pattern nobody knows, is refused."""
    path = tmp_path / f"{name}.tiktoken"
    path.write_text("\n".join(lines))
    if beside:
        path.with_name(path.name + ".json").write_text(json.dumps(beside))
    with pytest.raises(FormatError) as error:
        formats.read(path, "tiktoken")
    assert re.search(problem, error.value.message)


def test_a_pattern_beside_the_file_is_taken(tmp_path: Path) -> None:
    """Pattern and special tokens of an unknown encoding stand in a file beside it."""
    path = tmp_path / "mine.tiktoken"
    path.write_text("\n".join([*BYTES, "YWI= 256"]))
    path.with_name(path.name + ".json").write_text(json.dumps({"pattern": ".b|.", "special_tokens": {"<x>": 300}}))
    source = formats.read(path)
    assert [256, 97, 300] == Tokenizer(source.vocabulary, source.behaviour).encode(b"aba<x>", parse_special=True)


@pytest.mark.parametrize("model", ["small-bpe", "gpt-2"])
def test_merges_in_the_order_of_ids_are_ranks(model: str, tmp_path: Path) -> None:
    """A model with a list of merges that is ordered as its ids becomes a file that tiktoken itself reads to the ids."""
    source = primary_source(load(model))
    path = tmp_path / "m.tiktoken"
    formats.write(source, "tiktoken", path)
    beside = json.loads((tmp_path / "m.tiktoken.json").read_text(encoding="utf-8"))
    ranks = load_tiktoken_bpe(str(path))
    library = tiktoken.Encoding(
        "x", pat_str=beside["pattern"], mergeable_ranks=ranks, special_tokens=beside["special_tokens"]
    )
    reference, again = Tokenizer(source.vocabulary, source.behaviour), formats.read(path)
    for case in corpus.load("languages"):
        text = case.question.text.decode()
        assert library.encode_ordinary(text) == reference.encode(text.encode(), False, False)
    assert again.vocabulary.pieces == source.vocabulary.pieces
