"""The cache is not trusted: exports and stamps are checked, and a cache that can't be written is done without."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tokparity import formats, models
from tokparity.errors import FormatError
from tokparity.models import cache
from tokparity.models.cache import STAMPS, location, put, sha256
from tokparity.models.exports import exported
from tokparity.models.prepare import prepare
from tokparity.models.record import PULLED, Model, PulledFile


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("damage", [lambda data: data[:100], lambda data: data[:-1] + b"!", lambda data: b""])
def test_a_damaged_export_is_made_anew(damage) -> None:  # type: ignore[no-untyped-def]
    """Cut off, changed by one byte, or empty: the next one to ask gets it as it was."""
    path = prepare(models.load("small-spm"), ("gguf",)).path
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert path == prepare(models.load("small-spm"), ("gguf",)).path
    assert whole == path.read_bytes()


@pytest.mark.parametrize("record", [b"", b"{", b"[" * 5000, b"[]", b'{"model.gguf": 1}'])
def test_a_damaged_record_makes_an_export_anew(record: bytes) -> None:
    """It is not an error."""
    path = prepare(models.load("small-spm"), ("gguf",)).path
    (path.parent.parent / f"{path.parent.name}.json").write_bytes(record)
    path.write_bytes(b"other")
    assert (
        formats.read(models.load("small-spm").sources["sentencepiece"]).vocabulary
        == formats.read(prepare(models.load("small-spm"), ("gguf",)).path).vocabulary
    )


def test_many_at_once_make_one_export() -> None:
    """One makes it, the others wait for it; all get it whole."""
    made: list[float] = []

    def write(path: Path) -> None:
        made.append(time.monotonic())
        time.sleep(0.2)
        put(path, b"whole")

    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: exported("k", {"a": write}), range(8)))
    assert 1 == len(made)
    assert [b"whole"] * 8 == [(folder / "a").read_bytes() for folder in folders]


def test_one_file_can_be_written_by_many() -> None:
    """Each has a temporary name of its own, also within one process."""
    source = formats.read(models.load("small-spm").sources["sentencepiece"])
    path = cache.directory("x") / "m.gguf"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: formats.write(source, "gguf", path), range(8)))
    assert ["m.gguf"] == os.listdir(path.parent)
    assert source.vocabulary == formats.read(path).vocabulary


def test_a_cache_that_cannot_be_written_is_done_without(root: Path) -> None:
    """Exports go to a temporary folder, and are made once there too."""
    root.write_text("in the way")
    first = prepare(models.load("small-spm"), ("gguf",)).path
    assert not first.is_relative_to(root)
    before = first.stat().st_mtime_ns
    assert first == prepare(models.load("small-spm"), ("gguf",)).path
    assert before == first.stat().st_mtime_ns


def _large(path: Path, age: float = 10.0) -> Path:
    path.write_bytes(b"a" * cache.WORTH_A_STAMP)
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def test_a_large_file_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as size, times and inode are what they were; a damaged stamp counts as none."""
    monkeypatch.setattr(cache, "AT_REST", 0)
    path = _large(tmp_path / "large")
    found = sha256(path)
    (stamp,) = location(STAMPS).iterdir()
    stamp.write_text(stamp.read_text().replace(found, "0" * 64))
    assert "0" * 64 == sha256(path)  # so it was not hashed
    for damaged in ("", "[" * 5000, "[]", '{"sha256": 1}', '{"stamp": 7, "sha256": "x"}'):
        stamp.write_text(damaged)
        assert found == sha256(path)


def test_a_change_that_keeps_size_and_time_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the last change can't be set back, and a file that has just changed gets no stamp."""
    path = _large(tmp_path / "large")
    found = sha256(path)
    assert not location(STAMPS).exists()
    monkeypatch.setattr(cache, "AT_REST", 0)
    assert found == sha256(path)
    status = path.stat()
    time.sleep(0.05)
    path.write_bytes(b"b" + path.read_bytes()[1:])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (status.st_size, status.st_mtime_ns) == (path.stat().st_size, path.stat().st_mtime_ns)
    assert found != sha256(path)


def test_a_damaged_pulled_file_is_not_used(tmp_path: Path) -> None:
    """One byte is enough: the model counts as missing, and opening it says what to do."""
    source = models.load("small-spm").sources["sentencepiece"]
    data = source.read_bytes()
    file = PulledFile("m.model", sha256(source), len(data))
    model = Model("m", {"sentencepiece": file.path}, "sentencepiece", pulled=(file,))
    assert (file,) == model.missing
    put(cache.directory(PULLED) / "m.model", data)
    assert () == model.missing
    put(file.path, data[:-1] + b"!")
    assert (file,) == model.missing
    assert not model.is_here
    for use in (lambda: prepare(model, ("sentencepiece",)), lambda: models.primary_source(model)):
        with pytest.raises(FormatError, match=r"m\.model is damaged: .*`tokparity models pull` to fetch it again"):
            use()
