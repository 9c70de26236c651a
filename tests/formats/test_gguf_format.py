"""GGUF tokenizers: read as what the model was trained with, written so that llama.cpp gives the same ids."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import gguf_bytes as build
import pytest

from tests.rings import nightly_but
from tokparity import formats
from tokparity.doctor import changes
from tokparity.errors import CannotExpressError, FormatError
from tokparity.formats import Source
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_tokenizer import tokenizer_of
from tokparity.formats.gguf_writer import keys_of, write_keys
from tokparity.models import load, names
from tokparity.models.record import EMBEDDED
from tokparity.reference import normalise
from tokparity.reference.bpe import bpe
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.normalise import UnicodeForm
from tokparity.reference.splits import Chain, Metaspace, whitespace_split
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm
from tokparity.sources import corpus
from tokparity.vocabulary import AddedToken, Kind

GGUFS = [name for name in names() if "gguf" in load(name).sources]
TEXTS = [
    case.question.text for name in ("special_tokens", "chat_templates", "piece_markers") for case in corpus.load(name)
] + [case.question.text for i, case in enumerate(corpus.load("languages")) if i % 9 == 0]


def _pulled(name: str) -> Path:
    path = load(name).sources["gguf"]
    if not path.is_file():
        pytest.skip(f"{name} has not been pulled")
    return path


def _llama_cpp(path: Path, texts: Sequence[bytes]) -> list[list[int]]:
    """The ids of llama.cpp, without and with special tokens added and parsed."""
    import llama_cpp

    model = llama_cpp.Llama(str(path), vocab_only=True, verbose=False)
    return [model.tokenize(text, add_bos=both, special=both) for text in texts for both in (False, True)]


def _written(path: Path, **keys: Any) -> Path:
    """A GGUF with these keys under `tokenizer.ggml.` and others that make it complete."""
    tokens = keys.pop("tokens", [b"<unk>", b"<s>", b"</s>", b"a", b"b", b"ab"])
    usual: dict[str, Any] = {
        "model": b"llama",
        "tokens": tokens,
        "scores": array("f", range(0, -len(tokens), -1)),
        "token_type": array("i", [2, 3, 3] + [1] * (len(tokens) - 3)),
    }
    values = {PREFIX + key: value for key, value in (usual | keys).items() if value is not None}
    write_keys({"general.architecture": b"llama", "general.name": b"test", **values}, path)
    return path


def test_the_key_that_later_llama_cpp_wants_is_written(tmp_path: Path) -> None:
    """llama.cpp of autumn 2026 opens no file without a context length, not even for its vocabulary."""
    for name in (EMBEDDED / "small-unigram.model", EMBEDDED / "small-spm.model"):
        path = tmp_path / f"{name.stem}.gguf"
        formats.write(formats.read(name), "gguf", path)
        fields = gguf.GGUFReader(path).fields
        architecture = fields["general.architecture"].contents()
        assert 2048 == fields[f"{architecture}.context_length"].contents(), name


def test_small_file_against_gguf_reader(tmp_path: Path) -> None:
    """What the gguf package reads from a file is what our reader made of it."""
    path = tmp_path / "small.gguf"
    formats.write(formats.read(EMBEDDED / "small-unigram.model"), "gguf", path)
    theirs, ours = gguf.GGUFReader(path), formats.read(path)

    def field(key: str) -> Any:
        return theirs.fields[PREFIX + key].contents()

    assert field("tokens") == [piece.decode() for piece in ours.vocabulary.pieces]
    assert field("scores") == list(ours.vocabulary.scores)
    assert field("token_type") == list(map(int, ours.vocabulary.kinds))
    assert isinstance(ours.behaviour.normalise, Charsmap)
    assert bytes(field("precompiled_charsmap")) == ours.behaviour.normalise.blob
    assert ("t5", 1, True) == (field("model"), field("eos_token_id"), field("add_eos_token"))


@pytest.mark.parametrize("name", nightly_but(["bert-bge", "gpt-2", "llama-spm"], GGUFS))
def test_every_known_vocabulary_round_trips(name: str, tmp_path: Path) -> None:
    """Written and read again it is the same, and llama.cpp gives the same ids for both files."""
    path, again = _pulled(name), tmp_path / "again.gguf"
    source = formats.read(path)
    formats.write(source, "gguf", again)
    found = formats.read(again)
    assert source.vocabulary == found.vocabulary
    assert source.behaviour == found.behaviour
    assert _llama_cpp(path, TEXTS[::4]) == _llama_cpp(again, TEXTS[::4])


@pytest.mark.parametrize(
    ("name", "segment", "prefix", "suffix"),
    [
        ("llama-spm", spm, (1,), ()),
        ("llama-bpe", bpe, (128000,), ()),
        ("gpt-2", bpe, (), ()),
        ("qwen2", bpe, (), ()),
        ("gemma-4", bpe, (2,), ()),
        ("nomic-bert-moe", ugm, (0,), (2,)),
        ("bert-bge", wpm, (101,), (102,)),
        ("command-r", bpe, (5,), ()),
    ],
)
def test_algorithm_and_added_ids(name: str, segment: object, prefix: tuple[int, ...], suffix: tuple[int, ...]) -> None:
    """The algorithm and what goes around the ids, said by a flag or implied by the type or the pre-tokenizer."""
    behaviour = formats.read(_pulled(name)).behaviour
    assert (segment, prefix, suffix) == (behaviour.segment, behaviour.prefix_ids, behaviour.suffix_ids)


def test_the_prompt_of_the_gemma_3_case() -> None:
    """The six right ids, and no more."""
    source = formats.read(_pulled("gemma-4"))
    ids = Tokenizer(source.vocabulary, source.behaviour).encode(b"The capital of France is")
    assert [2, 818, 5279, 529, 7001, 563] == ids


def test_tokens_that_eat_spaces_are_known_by_name() -> None:
    """Phi-3's special tokens eat spaces on the right, the mask of the nomic model those on its left."""
    phi = {token.content: token for token in formats.read(_pulled("phi-3")).vocabulary.added}
    assert AddedToken(2, "</s>", special=False, rstrip=True) == phi["</s>"]
    assert (True, False) == (phi["<|end|>"].rstrip, phi["<s>"].rstrip)
    nomic = {token.content: token for token in formats.read(_pulled("nomic-bert-moe")).vocabulary.added}
    assert (True, False) == (nomic["<mask>"].lstrip, nomic["<pad>"].lstrip)


def test_defaults_of_llama_and_t5(tmp_path: Path) -> None:
    """A file without any flag has those of its type."""
    llama = formats.read(_written(tmp_path / "a.gguf"))
    assert {"bos": 1, "eos": 2, "unk": 0} == llama.vocabulary.special
    assert ("always", (1,), ()) == (
        llama.behaviour.space_prefix, llama.behaviour.prefix_ids, llama.behaviour.suffix_ids,
    )  # fmt: skip
    t5 = formats.read(_written(tmp_path / "b.gguf", model=b"t5")).behaviour
    assert ("never", (), (1,)) == (t5.space_prefix, t5.prefix_ids, t5.suffix_ids)
    assert ("unknown", True) == (t5.fallback, t5.fuse_unknown)


def test_flags_of_the_file_win(tmp_path: Path) -> None:
    """add_bos_token, add_eos_token, add_space_prefix, remove_extra_whitespaces and the special ids."""
    behaviour = formats.read(
        _written(
            tmp_path / "a.gguf",
            add_bos_token=False,
            add_eos_token=True,
            eos_token_id=5,
            add_space_prefix=False,
            remove_extra_whitespaces=True,
        )
    ).behaviour
    assert ((), (5,)) == (behaviour.prefix_ids, behaviour.suffix_ids)
    assert ("never", True) == (behaviour.space_prefix, behaviour.collapse_spaces)


def test_an_end_that_is_wanted_and_not_named_is_eleven(tmp_path: Path) -> None:
    """llama.cpp has a number of its own for it, which stands for some plain piece; the reader says what it will do."""
    source = formats.read(EMBEDDED / "small-bpe.json")
    keys = keys_of(source)
    for name in ("bos", "eos"):
        keys.pop(f"{PREFIX}{name}_token_id", None)
        keys[f"{PREFIX}add_{name}_token"] = True
    write_keys(keys, tmp_path / "b.gguf")
    read = formats.read(tmp_path / "b.gguf")
    expected = [11, *Tokenizer(source.vocabulary, source.behaviour).encode(b"a b"), 11]
    assert expected == Tokenizer(read.vocabulary, read.behaviour).encode(b"a b")
    assert expected == _llama_cpp(tmp_path / "b.gguf", [b"a b"])[1]
    wrong = {f"{PREFIX}add_bos_token", f"{PREFIX}add_eos_token"}
    assert wrong == {change.key for change in changes(tmp_path / "b.gguf", source)}


@pytest.mark.parametrize(("lowercase", "strip_accents"), [(True, None), (False, None), (True, False), (False, True)])
def test_berts_normaliser_is_in_the_file(lowercase: bool, strip_accents: bool | None, tmp_path: Path) -> None:
    """Written and read, for models with capitals and without; accents go with the capitals if it is not said."""
    source = formats.read(EMBEDDED / "small-wordpiece.json")
    stage = normalise.Bert(lowercase=lowercase, strip_accents=strip_accents)
    formats.write(replace(source, behaviour=replace(source.behaviour, normalise=stage)), "gguf", tmp_path / "a.gguf")
    found = formats.read(tmp_path / "a.gguf").behaviour.normalise
    assert isinstance(found, normalise.Bert)
    assert stage("Élan VITAL") == found("Élan VITAL")
    assert (lowercase, stage.drops_accents) == (found.lowercase, found.drops_accents)


def test_an_id_that_there_is_not_is_ignored(tmp_path: Path) -> None:
    """As llama.cpp does it: the default stays."""
    vocabulary = formats.read(_written(tmp_path / "a.gguf", bos_token_id=99)).vocabulary
    assert 1 == vocabulary.special["bos"]


def test_duplicate_pieces_and_missing_types(tmp_path: Path) -> None:
    """Both are read; of two equal pieces the later one wins."""
    path = _written(
        tmp_path / "a.gguf", model=b"gpt2", pre=b"gpt-2", token_type=None, scores=None,
        tokens=[b"a", b"b", b"ab", b"a"], merges=[b"a b"],
    )  # fmt: skip
    vocabulary = formats.read(path).vocabulary
    assert (Kind.NORMAL,) * 4 == vocabulary.kinds
    assert ((b"a", b"b"),) == vocabulary.merges
    assert 3 == vocabulary.ids[b"a"]


def test_ids_without_a_piece_survive(tmp_path: Path) -> None:
    """An empty string is an id without a piece."""
    source = formats.read(_written(tmp_path / "a.gguf", tokens=[b"<unk>", b"<s>", b"</s>", b"", b"b"]))
    assert (b"", Kind.UNUSED) == (source.vocabulary.pieces[3], source.vocabulary.kinds[3])
    formats.write(source, "gguf", tmp_path / "b.gguf")
    assert source.vocabulary == formats.read(tmp_path / "b.gguf").vocabulary


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "unknown model": ({"model": b"rwkv"}, "'rwkv' is not supported; supported: llama, gpt2, t5, bert, gemma4"),
    "no model": ({"model": None}, "there is no tokenizer in it"),
    "few scores": ({"scores": array("f", [1.0])}, "scores has 1 items for 6 tokens"),
    "no scores": ({"scores": None}, "scores is missing"),
    "few types": ({"token_type": array("i", [1])}, "token_type has 1 items"),
    "wrong type": ({"token_type": array("i", [1, 1, 1, 1, 1, 42])}, "token_type holds 42"),
    "byte": ({"token_type": array("i", [2, 3, 3, 1, 1, 6])}, r"piece 5 is marked as a byte and spelled b'ab'"),
    "merge": ({"model": b"gpt2", "pre": b"gpt-2", "merges": [b"ab"]}, r"merges\[0\] is b'ab'"),
    "flag": ({"add_bos_token": b"yes"}, "add_bos_token is a bytes"),
    "charsmap": ({"precompiled_charsmap": array("B", [255, 255, 0, 0, 1])}, "trie takes 65535"),
    "charsmap of numbers": ({"precompiled_charsmap": array("i", [1])}, "precompiled_charsmap has items of type 'i'"),
    "pre": ({"model": b"gpt2", "pre": b"gpt-9000", "merges": [b"a b"]}, "gpt-9000"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_contradicts_itself_is_named(broken: str, tmp_path: Path) -> None:
    """A FormatError with the key and the value."""
    keys, named = BROKEN[broken]
    with pytest.raises(FormatError, match=named):
        formats.read(_written(tmp_path / "a.gguf", **keys))


def test_tokens_of_another_type(tmp_path: Path) -> None:
    """Numbers where strings are expected."""
    values = {PREFIX + "model": b"llama", PREFIX + "tokens": array("i", [1, 2])}
    with pytest.raises(FormatError, match="tokens is an array of int, not of strings"):
        tokenizer_of(Keys(tmp_path / "a.gguf", values))


def test_a_file_without_a_tokenizer(tmp_path: Path) -> None:
    """A GGUF with other keys only (an adapter, say)."""
    path = tmp_path / "a.gguf"
    path.write_bytes(build.file({"general.x": build.number(1)}))
    with pytest.raises(FormatError, match="there is no tokenizer in it"):
        formats.read(path)


def _source(name: str, **changes: Any) -> Source:
    source = formats.read(EMBEDDED / name)
    return replace(source, behaviour=replace(source.behaviour, **changes))


def _with_token(**attributes: Any) -> Source:
    source = formats.read(EMBEDDED / "small-spm.model")
    first, *others = source.vocabulary.added
    return replace(source, vocabulary=replace(source.vocabulary, added=(replace(first, **attributes), *others)))


def _suffixed() -> Source:
    """CLIP's kind: words have a suffix, and an added token is normalized."""
    source = _source("small-bpe.json", word_suffix="</w>", normalise=normalise.Lowercase())
    first, *others = source.vocabulary.added
    return replace(source, vocabulary=replace(source.vocabulary, added=(replace(first, normalized=True), *others)))


INEXPRESSIBLE: dict[str, tuple[Source, str]] = {
    "normalizer": (_source("small-spm.model", normalise=str.lower), "normalizer"),
    "normalizer of a pre": (
        _source("small-bpe.json", normalise=UnicodeForm("NFKC")),
        r'this normalizer: \{"type": "NFKC"\} \(it would be read as None\)',
    ),
    "normalizer before a token": (_suffixed(), "this normalizer"),
    "pre-tokenizer before Metaspace": (
        _source(
            "small-unigram.model",
            space_marker=" ",
            space_prefix="never",
            pretokenise=Chain((whitespace_split(), Metaspace("▁", "always", True))),
        ),
        r'this pre-tokenizer: \{"type": "Sequence", "pretokenizers": \[\{"type": "WhitespaceSplit"\}',
    ),
    "suffix": (_source("small-spm.model", space_as_suffix=True), "space as suffix"),
    "first only": (_source("small-spm.model", space_prefix="first"), "space prefix"),
    "marker": (_source("small-spm.model", space_marker="_"), "space marker"),
    "two ids": (_source("small-spm.model", prefix_ids=(1, 2)), "ids before the text"),
    "lstrip": (_with_token(lstrip=True), "attribute lstrip=True of '<unk>'"),
    "single word": (_with_token(single_word=True), "attribute single_word=True of '<unk>'"),
    "added token": (_with_token(special=False), "added token '<unk>'"),
    "algorithm": (_source("small-spm.model", segment=print), "algorithm print"),
}


@pytest.mark.parametrize("feature", INEXPRESSIBLE)
def test_what_has_no_words_is_named(feature: str, tmp_path: Path) -> None:
    """A CannotExpressError names the feature and its value."""
    source, named = INEXPRESSIBLE[feature]
    with pytest.raises(CannotExpressError, match=named):
        formats.write(source, "gguf", tmp_path / "x.gguf")


@pytest.mark.parametrize(
    ("feature", "way_on"),
    [
        ("normalizer", "precompiled charsmap"),
        ("normalizer of a pre", "normalize texts before"),
        ("pre-tokenizer before Metaspace", "cuts nothing"),
        ("first only", "after a special token"),
        ("two ids", "at most one id"),
        ("lstrip", "by the model's name"),
        ("single word", "inside of words"),
        ("added token", "special"),
    ],
)
def test_a_refusal_says_what_llama_cpp_does_instead(feature: str, way_on: str, tmp_path: Path) -> None:
    """The hint of a refusal is about llama.cpp and says which way to go."""
    with pytest.raises(CannotExpressError) as caught:
        formats.write(INEXPRESSIBLE[feature][0], "gguf", tmp_path / "x.gguf")
    assert (True, True) == ("llama.cpp" in caught.value.hint, way_on in caught.value.hint)


@pytest.mark.parametrize("name", ["small-spm.model", "small-unigram.model", "small-bpe.json", "small-wordpiece.json"])
def test_llama_cpp_loads_what_we_write(name: str, tmp_path: Path) -> None:
    """The embedded models as GGUF: on plain English llama.cpp and the reference agree."""
    source = formats.read(EMBEDDED / name)
    formats.write(source, "gguf", tmp_path / "x.gguf")
    # Plain, because llama.cpp takes bytes that merely begin like a user-defined piece ("<", 0xE2) for that piece, and
    # looks for user-defined pieces before spaces are escaped.
    texts = [text for text in TEXTS if text.isascii() and b"<" not in text and b"  " not in text]
    reference = Tokenizer(source.vocabulary, source.behaviour)
    expected = [
        reference.encode(text, add_special=both, parse_special=both) for text in texts for both in (False, True)
    ]
    assert expected == _llama_cpp(tmp_path / "x.gguf", texts)


@pytest.mark.parametrize("name", ["small-spm.model", "small-unigram.model", "small-bpe.json", "small-wordpiece.json"])
def test_a_gguf_means_what_its_source_means(name: str, tmp_path: Path) -> None:
    """The reference gives the same ids for both, also where a text spells GGUF's own mark of a word's beginning."""
    source = formats.read(EMBEDDED / name)
    formats.write(source, "gguf", tmp_path / "x.gguf")
    found = formats.read(tmp_path / "x.gguf")
    original, again = Tokenizer(source.vocabulary, source.behaviour), Tokenizer(found.vocabulary, found.behaviour)
    for text in [*TEXTS, "the▁the ▁the the▁".encode()]:
        assert original.encode(text) == again.encode(text), text
