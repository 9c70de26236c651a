"""A unigram model with byte pieces, of which llama.cpp is known to use none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokparity import formats
from tokparity.cli import main
from tokparity.models.record import EMBEDDED
from tokparity.report.file import read
from tokparity.vocabulary import Kind


@pytest.mark.nightly
def test_a_right_file_is_right_though_llama_cpp_knows_no_byte_pieces(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the engine does with it is a known deviation, and the file is what the model says."""
    source = formats.read(EMBEDDED / "small-unigram.model")
    vocabulary, bytes_of = source.vocabulary, [f"<0x{byte:02X}>".encode() for byte in range(256)]
    vocabulary = replace(
        vocabulary,
        pieces=(*vocabulary.pieces, *bytes_of),
        scores=(*vocabulary.scores, *(0.0 for _ in bytes_of)),
        kinds=(*vocabulary.kinds, *(Kind.BYTE for _ in bytes_of)),
    )
    model, file = tmp_path / "bytes.model", tmp_path / "bytes.gguf"
    behaviour = replace(source.behaviour, fallback="bytes", fuse_unknown=False)
    formats.write(replace(source, vocabulary=vocabulary, behaviour=behaviour), "sentencepiece", model)
    assert 0 == main(["convert", str(model), "--to", "gguf", "-o", str(file)])
    words = ["check", str(file), "--against", str(model), "--engine", "llama.cpp", "--cases", "200"]
    assert 0 == main([*words, "--out", str(tmp_path / "out")])
    assert "Your file is right" in capsys.readouterr().out
    known = {finding.quirks for finding in read(tmp_path / "out" / "report.jsonl").findings if finding.known}
    assert ("has_no_bytes_in_unigram",) in known
