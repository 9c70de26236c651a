"""The known models: their descriptions, and the files that come with tokparity."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokparity.errors import UsageError
from tokparity.models import load, names, record
from tokparity.models.record import EMBEDDED, FOLDER

ORACLES = {"sentencepiece", "tokenizers", "tiktoken", "mistral-common", "reference"}


def test_every_description_can_be_read() -> None:
    """Each .toml is a model with an oracle that is an engine; 19 vocabularies are pulled."""
    models = [load(name) for name in names()]
    assert set() == {model.oracle for model in models} - ORACLES
    assert 19 == sum("gguf" in model.sources for model in models)
    assert 4 == sum(model.embedded for model in models)


def test_every_accepted_finding_has_a_reason() -> None:
    """Without a reason nobody can tell later if it still holds. What an engine does everywhere stands elsewhere."""
    accepted = [(name, finding) for name in names() for finding in load(name).accepted]
    assert 0 < len(accepted) < 10
    assert [] == [name for name, finding in accepted if not finding.reason.strip()]
    assert [] == [name for name, finding in accepted if not (finding.quirks or finding.text or finding.origins)]


def test_pulled_files_are_pinned() -> None:
    """Each has a SHA-256 and a size, and a name that is only a name."""
    files = [file for name in names() for file in load(name).pulled]
    assert 19 <= len(files)
    for file in files:
        assert 64 == len(file.sha256)
        assert 0 < file.size < 1 << 25
        assert Path(file.name).name == file.name


def test_embedded_models_are_small_and_there() -> None:
    """Offline with nothing pulled they are what runs; together they stay under 300 KB."""
    sources = [path for name in names() if load(name).embedded for path in load(name).sources.values()]
    assert sorted(EMBEDDED.iterdir()) == sorted(sources)
    assert sum(path.stat().st_size for path in sources) < 300_000
    assert all(load(name).is_here for name in names() if load(name).embedded)


def test_the_cache_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """TOKPARITY_CACHE moves it; what is not there is missing, and looking doesn't make folders."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path))
    model = load("gpt-2")
    assert model.pulled == model.missing
    assert not model.is_here
    assert model.sources["gguf"].is_relative_to(tmp_path)
    assert [] == list(tmp_path.iterdir())


def test_a_description_with_a_misspelt_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is refused, not overlooked."""
    (tmp_path / "x.toml").write_text((FOLDER / "small-spm.toml").read_text() + '\n[acepted]\nengine = "x"\n')
    monkeypatch.setattr(record, "FOLDER", tmp_path)
    with pytest.raises(UsageError, match=r"x\.toml is not a description of a model: .*acepted"):
        load("x")
