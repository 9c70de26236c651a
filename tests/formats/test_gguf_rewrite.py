"""A GGUF rewritten: what was asked for has changed, everything else is byte for byte what it was."""

from __future__ import annotations

from array import array
from pathlib import Path

import gguf
import numpy as np
import pytest

from tokparity.errors import FormatError, UsageError
from tokparity.formats import gguf_rewrite
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite, tensor_hash

SHAPES = {"a": (3, 5), "b": (1,), "c": (64, 2)}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A small GGUF with tensors and keys of many types."""
    path = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_bool("a.flag", True)
    writer.add_uint64("a.large", 2**40)
    writer.add_int32("a.signed", -3)
    writer.add_array("a.strings", ["x", "yz"])
    writer.add_array("a.floats", [0.5, 1.5])
    writer.add_string("a.text", "text")
    rng = np.random.default_rng(0)
    for name, shape in SHAPES.items():
        writer.add_tensor(name, rng.random(shape, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_no_change_is_the_same_file(model: Path, tmp_path: Path) -> None:
    """Without changes the copy is the original, byte for byte."""
    rewrite(model, {}, tmp_path / "copy.gguf")
    assert model.read_bytes() == (tmp_path / "copy.gguf").read_bytes()


def test_keys_change_and_tensors_do_not(model: Path, tmp_path: Path) -> None:
    """Keys are changed in their own type, added, removed; the gguf library reads the same tensors."""
    before, out = model.read_bytes(), tmp_path / "out.gguf"
    changes = {
        "a.flag": False,
        "a.large": 7,
        "a.strings": [b"longer than before", b"\xe2\x96\x81"],
        "a.floats": array("f", [2.5]),
        "a.text": None,
        "b.new": b"added",
        "b.bytes": array("B", [1, 2, 3]),
    }
    digest = rewrite(model, changes, out)
    fields = read_metadata(out).fields
    assert (False, 7, -3) == (fields["a.flag"].value, fields["a.large"].value, fields["a.signed"].value)
    assert fields["a.large"].type == read_metadata(model).fields["a.large"].type
    assert [b"longer than before", b"\xe2\x96\x81"] == fields["a.strings"].value
    assert "a.text" not in fields
    assert (b"added", [1, 2, 3]) == (fields["b.new"].value, list(fields["b.bytes"].value))  # type: ignore[call-overload]
    assert digest == tensor_hash(out) == tensor_hash(model)
    ours, theirs = ({t.name: t.data.tolist() for t in gguf.GGUFReader(path).tensors} for path in (model, out))
    assert ours == theirs
    assert before == model.read_bytes()


def test_memory_is_one_chunk(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors larger than a chunk come out whole."""
    monkeypatch.setattr(gguf_rewrite, "CHUNK", 7)
    assert tensor_hash(model) == rewrite(model, {"b.new": 1}, tmp_path / "out.gguf")


def test_the_original_is_never_written_to(model: Path, tmp_path: Path) -> None:
    """Neither by its name nor through a link."""
    (tmp_path / "link.gguf").symlink_to(model)
    for name in ("model.gguf", "link.gguf"):
        with pytest.raises(UsageError, match="never written to"):
            rewrite(model, {}, tmp_path / name)


def test_a_file_that_was_cut_is_refused(model: Path, tmp_path: Path) -> None:
    """It appears whole or not at all."""
    data = model.read_bytes()
    (tmp_path / "cut.gguf").write_bytes(data[: read_metadata(model).tensors_begin + 4])
    with pytest.raises(FormatError):
        rewrite(tmp_path / "cut.gguf", {}, tmp_path / "out.gguf")
    assert not (tmp_path / "out.gguf").exists()
