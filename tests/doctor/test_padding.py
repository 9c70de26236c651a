"""doctor: rows of a GGUF beyond the pieces of the source, which no text may give."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest

from tests.rings import nightly_but
from tokparity import cli, formats, models
from tokparity.doctor import changes, examine, sayable
from tokparity.doctor.fitting import fitted
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.vocabulary import Kind


def padded(name: str, pieces: list[bytes], kind: Kind, tmp_path: Path) -> tuple[Path, Path]:
    """A small model's GGUF with rows more than its source, and the source."""
    source = models.primary_source(models.load(name)).path
    formats.write(formats.read(source), "gguf", tmp_path / "right.gguf")
    keys: dict[str, Any] = {key: f.value for key, f in read_metadata(tmp_path / "right.gguf").fields.items()}
    new = {
        PREFIX + "tokens": [*keys[PREFIX + "tokens"], *pieces],
        PREFIX + "token_type": array("i", [*keys[PREFIX + "token_type"], *[kind] * len(pieces)]),
    }
    if PREFIX + "scores" in keys:
        new[PREFIX + "scores"] = array("f", [*keys[PREFIX + "scores"], *[0.0] * len(pieces)])
    rewrite(tmp_path / "right.gguf", new, tmp_path / "padded.gguf")
    return tmp_path / "padded.gguf", source


@pytest.mark.parametrize("kind", nightly_but([Kind.CONTROL], [Kind.USER_DEFINED, Kind.CONTROL]))
@pytest.mark.parametrize(
    "name", nightly_but(["small-bpe", "small-unigram"], ["small-bpe", "small-spm", "small-unigram", "small-wordpiece"])
)
def test_padding_that_texts_find_is_told_and_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, kind: Kind
) -> None:
    """Converters write the rows that no piece belongs to as unused; of another kind, their names are tokens."""
    path, source = padded(name, [b"[PAD0]", b"[PAD1]", b"[PAD2]"], kind, tmp_path)
    first, fixed = len(formats.read(source).vocabulary), tmp_path / "fixed.gguf"
    assert 1 == cli.main(["doctor", str(path), "--against", str(source)])
    has = f"{kind.name.lower().replace('_', '-')} ({kind.value})"
    told = f'3 pieces have type {has}, should be unused (5): "[PAD0]" [{first}], '
    out = capsys.readouterr().out
    assert f"change {PREFIX}token_type, which differs in 3 of {first + 3:,} entries: {told}" in out
    assert "llama.cpp gives other ids with the GGUF on 0 of" not in out
    assert (name == "small-unigram") == (f"change {PREFIX}scores" in out)  # without, llama.cpp goes on to find them
    assert 0 == cli.main(["doctor", str(path), "--against", str(source), "--write", str(fixed)])
    assert [] == changes(fixed, formats.read(source))


def test_added_tokens_behind_the_padding_are_put_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where they were is padding again, with names of its own: llama.cpp opens no file with one name twice."""
    path, source = padded("small-bpe", [b"[PAD0]", b"[PAD1]", b"[PAD2]"], Kind.UNUSED, tmp_path)
    keys: dict[str, Any] = {key: f.value for key, f in read_metadata(path).fields.items()}
    added = [token.id for token in formats.read(source).vocabulary.added]
    tokens, kinds = list(keys[PREFIX + "tokens"]), array("i", keys[PREFIX + "token_type"])
    for one, other in zip(added, range(len(tokens) - 3, len(tokens)), strict=False):
        tokens[one], tokens[other] = tokens[other], tokens[one]
        kinds[one], kinds[other] = kinds[other], kinds[one]
    rewrite(path, {PREFIX + "tokens": tokens, PREFIX + "token_type": kinds}, tmp_path / "shifted.gguf")
    fixed = tmp_path / "fixed.gguf"
    assert 0 == cli.main(["doctor", str(tmp_path / "shifted.gguf"), "--against", str(source), "--write", str(fixed)])
    assert "after: llama.cpp gives other ids with the GGUF on 0 of" in capsys.readouterr().out


def test_a_word_among_the_padding_is_found_in_texts(tmp_path: Path) -> None:
    """A user-defined piece more than the source has."""
    path, source = padded("small-spm", [b"the"], Kind.USER_DEFINED, tmp_path)
    (change,) = changes(path, formats.read(source))
    assert '1 piece has type user-defined (4), should be unused (5): "the" [2800]' in change.describe()
    (one,) = examine(path, formats.read(source), "small-spm", ["reference"], 0)
    assert b"a the b" in {m.case.question.shown for m in one.mismatches}


@pytest.mark.parametrize("kind", [Kind.UNUSED, Kind.NORMAL])
def test_padding_that_no_text_finds_is_no_fault(tmp_path: Path, kind: Kind) -> None:
    """Whatever it is called."""
    path, source = padded("small-bpe", [b"[PAD0]", b"[PAD1]"], kind, tmp_path)
    assert [] == changes(path, formats.read(source))


def test_tokens_that_a_bare_model_does_not_list_stay(tmp_path: Path) -> None:
    """Those of a chat are in files beside a .model; in a tokenizer.json they would stand."""
    path, source = padded("small-spm", [b"<|im_end|>"], Kind.CONTROL, tmp_path)
    assert [] == changes(path, formats.read(source))
    path, source = padded("small-bpe", [b"<|im_other|>"], Kind.CONTROL, tmp_path)
    assert [PREFIX + "token_type"] == [change.key for change in changes(path, formats.read(source))]


def test_padding_is_compared_where_no_gguf_can_say_the_source(tmp_path: Path) -> None:
    """The kinds of the rows that only the file has do not depend on the algorithm."""
    path, _ = padded("small-spm", [b"[PAD0]"], Kind.USER_DEFINED, tmp_path)
    cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(tmp_path / "tokenizer.json")])
    found, unsaid = sayable(path, formats.read(tmp_path / "tokenizer.json"))
    assert unsaid
    assert [PREFIX + "token_type"] == [change.key for change in found]


def test_what_stands_on_an_id_without_a_piece_is_left() -> None:
    """A converter writes [PAD1] where the source has no piece; another piece than the source's is wrong."""
    pieces = [b"a", b"[PAD1]", b"x"]
    assert [b"a", b"[PAD1]", b"c"] == fitted(f"{PREFIX}tokens", pieces, pieces, [b"a", b"", b"c"])
