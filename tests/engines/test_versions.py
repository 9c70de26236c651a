"""Which version an engine may be had at, and what is said of one that cannot be had."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.engines.buffers import Texts
from tokparity.engines.environment import build
from tokparity.engines.environment import installer as installers
from tokparity.engines.environment.build import environment, installed
from tokparity.engines.environment.installer import Pip, Refused
from tokparity.engines.environment.lean import variables
from tokparity.engines.environment.place import Environment
from tokparity.engines.environment.python import installed_pythons
from tokparity.engines.environment.releases import Listing
from tokparity.engines.environment.versions import nearest, public, pythons
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError, UsageError
from tokparity.models import load, prepare

NAMED = ("0.*", "latest", ">=2026.4", "0.21.0,>=0.20", " 0.21.0 ", "0.21.0; python_version<'3'")
"""What an engine's name lets through as a version."""


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("word", [*NAMED, "1" * 300, "0.1+cpu", ""])
def test_what_is_no_version(word: str) -> None:
    """Ranges, wildcards, markers, spaces and local versions are refused."""
    with pytest.raises(
        UsageError, match=r"is not a version of 'tokenizers'; name one exactly, such as tokenizers@1\.2\.3"
    ):
        public(word, "tokenizers")


@pytest.mark.parametrize(("word", "version"), [("0.21.0", "0.21.0"), ("1.0.0RC3", "1.0.0rc3"), ("v1.0", "1.0")])
def test_a_version_is_spelled_plainly(word: str, version: str) -> None:
    """One version has one spelling, and so one environment."""
    assert version == public(word, "tokenizers")


@pytest.mark.parametrize("word", NAMED)
@pytest.mark.parametrize("engine", ["tokenizers", "xllamacpp", "tokenizers@transformers-"])
def test_the_command_refuses_what_is_no_version(engine: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, in words of our own, and nothing is installed."""
    name = f"{engine}{word}" if engine.endswith("-") else f"{engine}@{word}"
    assert 2 == main(["encode", "small-bpe", "a", "--engine", name])
    assert "is not a version of" in capsys.readouterr().err
    assert [] == installed()


def test_the_loader_refuses_what_is_no_version(capsys: pytest.CaptureFixture[str]) -> None:
    """So do versions of transformers."""
    assert 2 == main(["loader", "small-bpe", "--version", "5.*"])
    assert "'5.*' is not a version of 'transformers'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("2026.4", ["2026.4.8672", "2026.4.8929"]),
        ("0.21.3", ["0.20.1", "0.21.2", "0.22.0", "1.0.0rc1"]),
        ("9", ["0.22.0", "1.0.0rc1", "2026.4.8672", "2026.4.8929"]),
    ],
)
def test_the_nearest_versions(asked: str, near: Sequence[str]) -> None:
    """Those that begin with what was asked for, else the two on each side."""
    known = ("0.20.1", "1.0.0rc1", "0.22.0", "0.21.2", "2026.4.8929", "2026.4.8672")
    assert near == nearest(asked, known)


def test_which_pythons_have_a_wheel() -> None:
    """Those of this machine alone: by their own wheels, by the stable ABI, and by a wheel of pure Python."""
    platform = "linux_x86_64" if sys.platform == "linux" else "any"
    assert [] == pythons(["a-1-cp39-cp39-win32.whl", "a-1.tar.gz", "no name.whl"])
    assert "3.8" == pythons(["a-1-py3-none-any.whl"])[0]
    if platform == "linux_x86_64":
        assert ["3.8", "3.10"] == pythons([f"a-1-cp38-cp38-{platform}.whl", f"a-1-cp310-cp310-{platform}.whl"])
        assert ["3.9", "3.10"] == pythons([f"a-1-cp39-abi3-{platform}.whl"])[:2]


class Selective:
    """An installer that has a library for one Python alone, and installs nothing."""

    NAME = "selective"

    def __init__(self, able: str) -> None:
        self.able, self.asked = able, list[str]()

    def create(self, folder: Path, python: str) -> None:
        """A script in the place of a Python: this very one."""
        self.asked.append(python)
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "python"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
        program.chmod(0o755)

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """Only where the Python is the able one."""
        if self.asked[-1] != self.able:
            raise Refused("it has no wheel for this Python", "", lacks=True)

    def hashes(self, folder: Path, pins: Sequence[str]) -> dict[str, str]:
        """Of nothing."""
        return {}


def _index(monkeypatch: pytest.MonkeyPatch, install: Selective, versions: Sequence[str], here: Sequence[str]) -> None:
    """An index with these versions, of which each has a wheel of pure Python, and these Pythons on the machine."""
    wheels = [f"tokenizers-{version}-py3-none-any.whl" for version in versions]
    monkeypatch.setattr(build, "installer", lambda: install)
    monkeypatch.setattr(build, "listing", lambda library: Listing(versions, wheels))
    monkeypatch.setattr(build, "installed_pythons", lambda able: iter(here))


def test_a_python_that_has_a_wheel_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours comes first, then the others that are installed."""
    version = metadata.version("tokenizers")
    install = Selective("/other/python3.8")
    _index(monkeypatch, install, [version], ["/other/python3.9", "/other/python3.8"])
    assert version == environment("tokenizers", version).version
    assert [sys.executable, "/other/python3.9", "/other/python3.8"] == install.asked


def test_a_library_that_is_built_says_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Before it is built: that takes minutes, and there is a quicker way."""
    version = metadata.version("llama-cpp-python")
    _index(monkeypatch, Selective(sys.executable), [version], [])
    assert version == environment("llama.cpp", version).version
    (said,) = caplog.messages
    assert said.startswith(f"llama.cpp@{version} is built from its source once, which takes minutes. The quick way")
    assert "xllamacpp@VERSION" in said


def test_no_build_is_told_of_a_version_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is refused first, with the nearest versions."""
    install = Selective(sys.executable)
    _index(monkeypatch, install, ["0.3.35", "0.3.36"], [])
    with pytest.raises(EngineError, match=r"there is no llama-cpp-python 9\.9\.9; there are 0\.3\.35 and 0\.3\.36"):
        environment("llama.cpp", "9.9.9")
    assert ([], []) == (caplog.messages, install.asked)


def test_where_no_python_has_a_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the Pythons that have one, and nothing is left behind."""
    _index(monkeypatch, Selective("none"), ["0.9"], [])
    monkeypatch.setattr(build, "pythons", lambda wheels: ["3.8", "3.9", "3.10"])
    with pytest.raises(
        EngineError, match=r"it has no wheel for this Python; the package index has wheels for Python 3\.8 to 3\.10"
    ):
        environment("tokenizers", "0.9")
    assert [] == installed()


def test_a_version_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names those that are."""
    _index(monkeypatch, Selective("none"), ["2026.4.8672", "2026.4.8929", "2026.5.1"], [])
    with pytest.raises(EngineError, match=r"there is no tokenizers 2026\.4; there are 2026\.4\.8672 and 2026\.4\.8929"):
        environment("tokenizers", "2026.4")


def test_an_environment_with_another_version_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is complete when the library was imported and says the version that was asked for."""
    monkeypatch.setattr(build, "installer", lambda: Selective(sys.executable))
    with pytest.raises(EngineError, match="the installed library says that its version is"):
        environment("tokenizers", "0.0.1")
    with pytest.raises(EngineError, match=r"the library was installed, but cannot be imported: .*'gigatoken'"):
        environment("gigatoken", "0.0.1")
    assert [] == installed()


def test_a_lean_build_is_that_of_our_own_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No backend, no tools; what the user has set goes first; nothing that it needs is installed with it."""
    monkeypatch.delenv("CMAKE_ARGS", raising=False)
    options = variables(tmp_path)["CMAKE_ARGS"].split()
    assert {"-DGGML_CPU=OFF", "-DLLAMA_BUILD_TOOLS=OFF"} <= set(options)
    assert "LLAMA_BUILD_COMMON OFF" in Path(options[-1].partition("INCLUDE=")[2]).read_text(encoding="utf-8")
    monkeypatch.setenv("CMAKE_ARGS", "-DX=1")
    assert {"CMAKE_ARGS": "-DX=1"} == variables(tmp_path)
    asked: list[tuple[Sequence[str], dict[str, object]]] = []
    monkeypatch.setattr(installers, "run", lambda words, **more: asked.append((words, more)))
    Pip().install(tmp_path, ["llama-cpp-python==0.3.30"])
    Pip().install(tmp_path, ["tokenizers==0.21.0"])
    (built, how), (wheel, _) = asked
    assert ("--no-deps" in built, "--only-binary" in built) == (True, False)
    assert {"CMAKE_ARGS": "-DX=1"} == how["variables"]
    assert ("--no-deps" in wheel, "--only-binary" in wheel) == (False, True)


def test_pythons_that_are_not_installed_are_passed_over() -> None:
    """Ours is found by its version, one that nobody has is not."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert 1 >= len(list(installed_pythons([own, "3.99"])))


def test_a_release_candidate_whose_interface_changed() -> None:
    """tokenizers 1.0.0rc3 gives the ids and texts of the version that is installed, with every pair of flags."""
    try:
        environment("tokenizers", "1.0.0rc3")
    except EngineError as error:
        pytest.skip(f"no package index here: {error.message[-60:]}")
    prepared = prepare(load("small-bpe"), ("tokenizer.json",))
    texts = Texts.from_list([b"a b  c", "naïve café".encode(), b"<|endoftext|>", b"x\ny"])
    path = str(prepared.path)
    with (
        Client("tokenizers", path, prepared.options) as old,
        Client("tokenizers@1.0.0rc3", path, prepared.options) as new,
    ):
        for add, parse in ((False, False), (False, True), (True, False), (True, True)):
            expected, actual = (client.encode(texts, add, parse) for client in (old, new))
            assert expected.ids.to_list() == actual.ids.to_list()
            assert () == tuple(actual.failures)
        rows = old.encode(texts, True, True).ids
        assert old.decode(rows, False).decoded.to_list() == new.decode(rows, False).decoded.to_list()


def _made(engine: str, version: str, words: str) -> tuple[Environment | None, str]:
    """The environment, or why there is none, which holds these words; the test is skipped where no index answers."""
    try:
        return environment(engine, version), ""
    except EngineError as error:
        if words not in error.message:
            pytest.skip(f"no package index here: {error.message[-60:]}")
        return None, str(error)


def test_the_index_tells_what_is_near() -> None:
    """xllamacpp has no 2026.4, but versions that begin so."""
    made, why = _made("xllamacpp", "2026.4", "there is no xllamacpp 2026.4")
    assert made is None
    assert re.search(r"there are 2026\.4\.8672, .* and 2026\.4\.8929$", why)


def test_an_old_version_for_an_older_python() -> None:
    """sentencepiece 0.1.96 has wheels for Python 3.8 to 3.10: one of them is taken, or they are named."""
    made, why = _made("sentencepiece", "0.1.96", "the package index has wheels for Python")
    if made is None:
        assert "the package index has wheels for Python 3.8 to 3.10" in why
    else:
        assert made.runtime_version.startswith(("3.8.", "3.9.", "3.10."))
        assert "sentencepiece==0.1.96" in made.pins
