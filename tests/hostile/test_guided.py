"""What coverage-guided fuzzing begins with."""

from __future__ import annotations

from pathlib import Path

from tests.hostile.guided import KEPT, seeds
from tokparity import formats


def test_every_seed_is_a_small_file_that_is_read(tmp_path: Path) -> None:
    """One of each format that has a reader; a file that is refused at once would lead nowhere."""
    found = set()
    for name, data in seeds():
        (tmp_path / name).write_bytes(data)
        (tmp_path / "m.tiktoken.json").write_text('{"pattern": "."}')
        source = formats.read(tmp_path / name)
        found.add(source.format)
        assert 250 < len(source.vocabulary) <= KEPT + 10
    assert {"gguf", "sentencepiece", "tokenizer.json", "tiktoken", "tekken"} == found
