"""SentencePiece models: read exactly, written so that the library gives the same ids."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from tests.rings import nightly_but
from tests.shared_models import beside, pulled
from tokparity import formats
from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError, FormatError
from tokparity.formats import Source
from tokparity.models.record import EMBEDDED
from tokparity.reference.bpe import bpe
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources import corpus
from tokparity.vocabulary import AddedToken, Kind

TEXTS = [
    case.question.text
    for name in ("whitespace", "piece_markers", "normalisation", "invalid_utf8", "special_tokens")
    for case in corpus.load(name)
] + [case.question.text for i, case in enumerate(corpus.load("languages")) if i % 3 == 0]


MODELS = [*pulled("sentencepiece"), *beside("sentencepiece")]


def _library(path: Path) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


def _changed(tmp_path: Path, change: Any, name: str = "small-unigram") -> Path:
    """A model with its protobuf changed."""
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString((EMBEDDED / f"{name}.model").read_bytes())
    change(model)
    path = tmp_path / "changed.model"
    path.write_bytes(model.SerializeToString())
    return path


@pytest.mark.parametrize("path", nightly_but(MODELS[::2], MODELS), ids=lambda path: path.name)
def test_reference_and_rewritten_model_equal_the_library(path: Path, tmp_path: Path) -> None:
    """The reference gives the library's ids, and so does the library on the model as we write it."""
    source = formats.read(path)
    formats.write(source, "sentencepiece", tmp_path / "again.model")
    library, again = _library(path), _library(tmp_path / "again.model")
    reference = Tokenizer(source.vocabulary, source.behaviour)
    for text in TEXTS:
        expected = library.encode(text)
        assert expected == again.encode(text), text
        assert expected == reference.encode(text, add_special=False), text


@pytest.mark.parametrize("name", ["small-spm", "small-unigram"])
def test_write_then_read_is_the_identity(name: str, tmp_path: Path) -> None:
    """Also through GGUF and back."""
    source = formats.read(EMBEDDED / f"{name}.model")
    formats.write(source, "sentencepiece", tmp_path / "a.model")
    formats.write(source, "gguf", tmp_path / "b.gguf")
    formats.write(formats.read(tmp_path / "b.gguf"), "sentencepiece", tmp_path / "b.model")
    for path in (tmp_path / "a.model", tmp_path / "b.model"):
        again = formats.read(path)
        assert source.vocabulary == again.vocabulary
        assert source.behaviour == again.behaviour


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_roles_are_those_of_the_library(path: Path) -> None:
    """The ids of unknown, BOS, EOS and padding."""
    special, library = formats.read(path).vocabulary.special, _library(path)
    found = [special.get(role, -1) for role in ("unk", "bos", "eos", "pad")]
    assert [library.unk_id(), library.bos_id(), library.eos_id(), library.pad_id()] == found


FLAGS: dict[str, tuple[Any, str, object]] = {
    "add_dummy_prefix": (lambda m: setattr(m.normalizer_spec, "add_dummy_prefix", False), "space_prefix", "never"),
    "remove_extra_whitespaces": (
        lambda m: setattr(m.normalizer_spec, "remove_extra_whitespaces", False), "collapse_spaces", False,
    ),
    "escape_whitespaces": (lambda m: setattr(m.normalizer_spec, "escape_whitespaces", False), "space_marker", " "),
    "treat_whitespace_as_suffix": (
        lambda m: setattr(m.trainer_spec, "treat_whitespace_as_suffix", True), "space_as_suffix", True,
    ),
    "precompiled_charsmap": (lambda m: m.normalizer_spec.ClearField("precompiled_charsmap"), "normalise", None),
}  # fmt: skip


@pytest.mark.parametrize("flag", FLAGS)
def test_each_flag_is_read_and_written(flag: str, tmp_path: Path) -> None:
    """A flag changes its field and no other but the charsmap's and decoding's, and the ids are still the library's."""
    change, field, value = FLAGS[flag]
    path = _changed(tmp_path, change)
    plain, source = formats.read(EMBEDDED / "small-unigram.model").behaviour, formats.read(path)
    differing = {f.name for f in fields(Behaviour) if getattr(plain, f.name) != getattr(source.behaviour, f.name)}
    assert {field} == differing - {"decode_text", "decode"}
    assert value == getattr(source.behaviour, field)
    formats.write(source, "sentencepiece", tmp_path / "again.model")
    assert source.behaviour == formats.read(tmp_path / "again.model").behaviour
    library, reference = _library(path), Tokenizer(source.vocabulary, source.behaviour)
    for text in TEXTS:
        assert library.encode(text) == reference.encode(text, add_special=False), text


def _unknown_is_told(model: Any) -> None:
    model.trainer_spec.unk_surface = "<?>"


def _unknown_is_hidden(model: Any) -> None:
    model.trainer_spec.unk_surface = ""


def _spaces_stay(model: Any) -> None:
    model.normalizer_spec.escape_whitespaces = False


def _is_rewritten(model: Any) -> None:
    model.denormalizer_spec.CopyFrom(model.normalizer_spec)
    model.denormalizer_spec.add_dummy_prefix = model.denormalizer_spec.remove_extra_whitespaces = False
    model.denormalizer_spec.escape_whitespaces = False


@pytest.mark.parametrize("change", [_unknown_is_told, _unknown_is_hidden, _spaces_stay, _is_rewritten])
def test_what_decoding_shows(change: Any, tmp_path: Path) -> None:
    """The surface of the unknown piece, the marker as a space, decoded text rewritten; also when written again."""
    path = _changed(tmp_path, change)
    again = tmp_path / "again.model"
    formats.write(formats.read(path), "sentencepiece", again)
    library = _library(path)
    tokenizers = [Tokenizer(one.vocabulary, one.behaviour) for one in map(formats.read, (path, again))]
    rng = random.Random(0)
    for _ in range(300):
        ids = [rng.choice((0, rng.randrange(len(library)))) for _ in range(rng.randint(0, 6))]
        for tokenizer in tokenizers:
            assert library.decode(ids).encode() == tokenizer.decode(ids, skip_special=True), ids


def test_the_sidecar_says_which_special_ids_are_added(tmp_path: Path) -> None:
    """Without it BPE with byte fallback has BOS and unigram has EOS."""
    path = tmp_path / "m.model"
    path.write_bytes((EMBEDDED / "small-spm.model").read_bytes())
    behaviour = formats.read(path).behaviour
    assert ((1,), ()) == (behaviour.prefix_ids, behaviour.suffix_ids)
    unigram = formats.read(EMBEDDED / "small-unigram.model").behaviour
    assert ((), (1,)) == (unigram.prefix_ids, unigram.suffix_ids)
    (tmp_path / "tokenizer_config.json").write_text('{"add_bos_token": false, "add_eos_token": true}')
    behaviour = formats.read(path).behaviour
    assert ((), (2,)) == (behaviour.prefix_ids, behaviour.suffix_ids)
    (tmp_path / "tokenizer_config.json").write_text("{")
    with pytest.raises(FormatError, match="is not JSON"):
        formats.read(path)


def test_damaged_models(tmp_path: Path) -> None:
    """Truncation anywhere, another algorithm, no unknown piece, a byte piece that is none: each says so."""
    whole = (EMBEDDED / "small-spm.model").read_bytes()
    path = tmp_path / "cut.model"
    for length in range(16, len(whole) - 100, 1009):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError):
            formats.read(path)
    with pytest.raises(FormatError, match="model_type 'char' is not supported"):
        formats.read(_changed(tmp_path, lambda m: setattr(m.trainer_spec, "model_type", 4)))
    with pytest.raises(FormatError, match="precompiled charsmap of 5 bytes"):
        formats.read(
            _changed(tmp_path, lambda m: setattr(m.normalizer_spec, "precompiled_charsmap", b"\xff\xff\0\0\1"))
        )
    with pytest.raises(FormatError, match="0 pieces are marked as unknown"):
        formats.read(_changed(tmp_path, lambda m: setattr(m.pieces[2], "type", 1)))
    with pytest.raises(FormatError, match="piece 5 is marked as a byte"):
        formats.read(_changed(tmp_path, lambda m: setattr(m.pieces[5], "type", 6)))


def _source(**changes: Any) -> Source:
    source = formats.read(EMBEDDED / "small-unigram.model")
    return replace(source, behaviour=replace(source.behaviour, **changes))


INEXPRESSIBLE: dict[str, tuple[Source, str]] = {
    "normalizer": (_source(normalise=str.lower), "normalizer"),
    "algorithm": (_source(segment=bpe), "algorithm"),
    "pre-tokenizer": (_source(pretokenise=str.split), "pre-tokenizer"),
    "space prefix": (_source(space_prefix="nonempty_first"), "space prefix"),
    "penalty": (_source(unknown_penalty=3.0), "unknown penalty"),
    "fusing": (_source(fuse_unknown=False), "fusing of unknowns"),
}


@pytest.mark.parametrize("feature", INEXPRESSIBLE)
def test_what_has_no_words_is_named(feature: str, tmp_path: Path) -> None:
    """A CannotExpressError names the feature and its value."""
    source, named = INEXPRESSIBLE[feature]
    with pytest.raises(CannotExpressError, match=named):
        formats.write(source, "sentencepiece", tmp_path / "x.model")


def test_added_tokens_that_are_no_pieces_have_no_words(tmp_path: Path) -> None:
    """A token looked for in the raw text is not what SentencePiece calls user-defined."""
    source = formats.read(EMBEDDED / "small-spm.model")
    added = AddedToken(300, source.vocabulary.pieces[300].decode(), special=False, rstrip=True)
    with pytest.raises(CannotExpressError, match=r"added token .* \(id 300\)"):
        formats.write(
            replace(source, vocabulary=replace(source.vocabulary, added=(*source.vocabulary.added, added))),
            "sentencepiece",
            tmp_path / "x.model",
        )


def test_ids_without_a_piece_get_one_that_is_never_used(tmp_path: Path) -> None:
    """The library loads a model with holes."""
    source = formats.read(EMBEDDED / "small-unigram.model")
    vocabulary = source.vocabulary
    holes = replace(
        vocabulary,
        pieces=(*vocabulary.pieces[:-1], b"", b"", b"[EMPTY_2799]"),
        kinds=(*vocabulary.kinds[:-1], Kind.UNUSED, Kind.UNUSED, Kind.NORMAL),
        scores=(*vocabulary.scores, 0.0, -20.0),
    )
    formats.write(replace(source, vocabulary=holes), "sentencepiece", tmp_path / "x.model")
    library = _library(tmp_path / "x.model")
    assert ["[EMPTY_2799]_", "[EMPTY_2800]", "[EMPTY_2799]"] == [library.id_to_piece(i) for i in (2799, 2800, 2801)]
