"""Engines at other versions: environments are made whole or not at all, and found again without the network."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from tests.rings import nightly_but
from tokparity import engines
from tokparity.cli import main
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment import build, private
from tokparity.engines.environment.build import environment, installed
from tokparity.engines.environment.installer import Pip, Refused, Uv, installer, refused
from tokparity.engines.environment.wheels import of_lock
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError, UsageError
from tokparity.models import load, prepare
from tokparity.report.file import read

OWN = {name: metadata.version(name) for name in ("tokenizers", "sentencepiece", "transformers", "tiktoken")}
OWN |= {"mistral-common": metadata.version("mistral-common"), "llama.cpp": metadata.version("llama-cpp-python")}
TEXTS = [b"", b"a b  c", "naïve café ❤️".encode(), b"<|endoftext|>", b"x\ny"]


class Fake:
    """Makes environments whose Python is this very one; counts what it was asked."""

    NAME = "fake"

    def __init__(self, fails: str = "") -> None:
        self.asked: list[str] = []
        self.fails = fails

    def create(self, folder: Path, python: str) -> None:
        """A script in the place of a Python."""
        (folder / "bin").mkdir(parents=True)
        python = folder / "bin" / "python"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
        python.chmod(0o755)

    def install(self, folder: Path, requirements: Sequence[str]) -> None:
        """Everything is installed already."""
        self.asked += requirements
        if self.fails:
            raise Refused(self.fails, "mend it")

    def hashes(self, folder: Path, pins: Sequence[str]) -> dict[str, str]:
        """Of one package."""
        return {"tokenizers": "ab" * 32}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """An installer that needs nothing."""
    found = Fake()
    monkeypatch.setattr(build, "installer", lambda: found)
    return found


def test_an_environment_is_made_once(fake: Fake) -> None:
    """The second time nothing is installed."""
    first, second = environment("tokenizers", OWN["tokenizers"]), environment("tokenizers", OWN["tokenizers"])
    assert first == second
    assert [f"tokenizers=={OWN['tokenizers']}"] == fake.asked
    assert [first] == installed()
    assert any(pin.startswith("tokenizers==") for pin in first.pins)
    assert first.folder != environment("sentencepiece", OWN["sentencepiece"]).folder


def test_the_header_says_what_is_installed(fake: Fake, tmp_path: Path) -> None:
    """Python, packages, hashes: enough to make the environment again."""
    name = f"tokenizers@{OWN['tokenizers']}"
    words = ["run", "small-bpe", "--engine", name, "--corpus", "prompts", "--cases", "2"]
    assert 0 == main([*words, "--out", str(tmp_path / "out")])
    header = read(tmp_path / "out" / "report.jsonl").header
    found = header.environments[name]
    assert f"Python {platform.python_version()}" == found[0]
    assert [f"tokenizers=={metadata.version('tokenizers')} --hash=sha256:{'ab' * 32}"] == [
        line for line in found if line.startswith("tokenizers==")
    ]
    assert f"## Environments\n\n### {name}\n\n- Python " in (tmp_path / "out" / "report.md").read_text()


def test_which_wheel_of_a_lock_was_installed() -> None:
    """That with the tags of the installed one, of all that the lock lists."""
    lock = """
        [[packages]]
        name = "a-b"
        wheels = [
            { url = "https://i/a_b-1-cp311-cp311-linux_1.linux_2.whl", hashes = { sha256 = "one" } },
            { path = "w/a_b-1-py3-none-any.whl", hashes = { sha256 = "two" } },
        ]
        [[packages]]
        name = "without-hash"
        wheels = [{ name = "without_hash-1-py3-none-any.whl", hashes = {} }]
    """
    pure = frozenset(["py3-none-any"])
    assert {"a-b": "two"} == of_lock(lock, {"a-b": pure, "without-hash": pure})
    assert {"a-b": "one"} == of_lock(lock, {"a-b": frozenset(["cp311-cp311-linux_2"])})
    assert {} == of_lock(lock, {})


def test_what_cannot_be_installed_leaves_nothing(fake: Fake) -> None:
    """One line, and no folder that could be taken for an environment."""
    fake.fails = "there is no such version"
    with pytest.raises(EngineError) as raised:
        engines.get("tokenizers@9.9.9").version()
    assert "engine 'tokenizers@9.9.9' cannot be installed: there is no such version; mend it" == str(raised.value)
    assert [] == installed()
    assert [] == [path for path in (Path(os.environ["TOKPARITY_CACHE"]) / "environments").iterdir() if path.is_dir()]


def test_a_half_made_environment_is_never_used(fake: Fake) -> None:
    """What a killed installation left, under whichever name, is made anew."""
    whole = environment("tokenizers", OWN["tokenizers"])
    half = whole.folder.with_name(f".{whole.folder.name}.123")
    shutil.copytree(whole.folder, half)
    (whole.folder / build.RECORD).unlink()
    assert [] == [found for found in installed() if found.folder == whole.folder]
    assert whole == environment("tokenizers", OWN["tokenizers"])
    assert 2 == len(fake.asked)
    assert not half.exists()


@pytest.mark.parametrize("place", ["cache", "environments", "itself"])
def test_no_program_is_run_that_others_can_write(place: str, fake: Fake) -> None:
    """The folder of an environment, what holds it, and the cache belong to the user, and nobody else writes there."""
    made = environment("tokenizers", OWN["tokenizers"])
    folder = {"itself": made.folder, "environments": made.folder.parent, "cache": made.folder.parent.parent}[place]
    rights = folder.stat().st_mode & 0o777
    folder.chmod(0o777)
    with pytest.raises(EngineError, match="other users can write"):
        environment("tokenizers", OWN["tokenizers"])
    folder.chmod(rights)
    assert made == environment("tokenizers", OWN["tokenizers"])


def test_no_program_is_run_that_is_another_users(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever owns a folder can put other programs there."""
    made = environment("tokenizers", OWN["tokenizers"])
    owner = made.folder.stat().st_uid
    monkeypatch.setattr(private.os, "geteuid", lambda: owner + 1)
    if owner == 0:  # what the system's own user made is trusted, as its programs are
        assert made == environment("tokenizers", OWN["tokenizers"])
        os.chown(made.folder, 4711, -1)
    with pytest.raises(EngineError, match=r"belongs to the user \d+, and its programs would run as you"):
        environment("tokenizers", OWN["tokenizers"])


def test_what_is_made_is_the_users_alone(fake: Fake) -> None:
    """Whatever the umask is, an environment that was just made is run."""
    before = os.umask(0)
    try:
        assert environment("tokenizers", OWN["tokenizers"]) == environment("tokenizers", OWN["tokenizers"])
    finally:
        os.umask(before)


def test_prune_and_installed(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    """What was made is listed, and removed."""
    environment("sentencepiece", OWN["sentencepiece"])
    assert 0 == main(["engines", "--installed"])
    assert capsys.readouterr().out.startswith(f"sentencepiece@{OWN['sentencepiece']} ")
    assert 0 == main(["engines", "prune"])
    assert capsys.readouterr().out.startswith("removed 1 environment, ")
    assert [] == installed()
    assert 2 == main(["engines", "proone"])


@pytest.mark.parametrize(
    ("name", "model", "format"),
    [
        ("tokenizers", "small-bpe", "tokenizer.json"),
        ("sentencepiece", "small-spm", "sentencepiece"),
        ("transformers", "small-bpe", "directory"),
        ("tiktoken", "small-bpe", "tiktoken"),
        ("mistral-common", "small-spm", "sentencepiece"),
        ("llama.cpp", "small-spm", "gguf"),
    ],
)
@pytest.mark.parametrize("at", nightly_but([sys.executable], ["version", sys.executable]))
def test_the_worker_gives_what_the_engine_gives(name: str, model: str, format: str, at: str, fake: Fake) -> None:
    """The same library through the environment's worker: ids and texts are equal, whatever the flags."""
    prepared = prepare(load(model), (format,))
    at = OWN[name] if at == "version" else at
    engines.get(f"{name}@{at}").version()  # made here, where the installer is the fake one
    with (
        Client(name, str(prepared.path), prepared.options) as inside,
        Client(f"{name}@{at}", str(prepared.path), prepared.options) as outside,
    ):
        assert inside.wait_ready() in outside.wait_ready()
        able, skips = inside.capabilities, outside.capabilities.skip_special  # which knows the model's format
        ours = {"general": able.general, "skip_special": able.skip_special}  # no answers of the library
        assert able == replace(outside.capabilities, **ours)
        for add_special in able.add_special:
            for parse_special in able.parse_special:
                expected = inside.encode(Texts.from_list(TEXTS), add_special, parse_special)
                actual = outside.encode(Texts.from_list(TEXTS), add_special, parse_special)
                assert expected.ids.to_list() == actual.ids.to_list()
        for skip in able.skip_special:
            rows = Ids.from_list([[], [5, 6, 7], [1, 2]])
            found = inside.decode(rows, skip)
            if skip in skips:
                assert found.decoded.to_list() == outside.decode(rows, skip).decoded.to_list()
            else:
                assert ["unsupported"] * 3 == [failure.kind for _, failure in found.failures]


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("reference@1", UsageError, "has only the installed version"),
        ("tokenizers@/nowhere/python", EngineError, "'/nowhere/python' is not a program; name the Python to run"),
        (
            "tokenizers@/bin/false",
            EngineError,
            "'/bin/false' could not say which version it has: it said nothing; name a Python, and",
        ),
        ("tokenizers@0.1[speed=1]", UsageError, "has no option 'speed'"),
    ],
)
def test_what_is_no_version(name: str, error: type[Exception], words: str) -> None:
    """One line with the next step."""
    with pytest.raises(error) as raised:
        engines.get(name).version()
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Because there is no version of tokenizers==9.9.9 and you require", "there is no such version"),
        ("Because tokenizers==0.10.1 has no usable wheels and you require", "the library has no wheel for Python"),
        ("Failed to fetch: https://index/simple error sending request", "the package index could not be reached"),
        ("ERROR: Could not find a version that satisfies the requirement x (from versions: 1)", "no such version"),
        ("No matching distribution found for dnspython==99", "there is no such version"),
        ("No matching distribution found for NetworkConnection==1", "there is no such version"),
        ("error: dns error: failed to lookup address", "the package index could not be reached"),
        ("NewConnectionError: [Errno 111] Connection refused", "the package index could not be reached"),
        ("something\nelse", "something else"),
    ],
)
def test_the_words_of_an_installer(said: str, words: str) -> None:
    """They become one line."""
    assert words in str(refused(said))


@pytest.mark.parametrize("kind", nightly_but(["uv"], ["uv", "pip"]))
def test_two_versions_side_by_side(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A version from the index stands beside the installed one, and is found again without any index."""
    install = installer() if kind == "uv" else Pip()
    if kind == "uv" and not isinstance(install, Uv):
        pytest.skip("no installer here: uv")
    monkeypatch.setattr(build, "installer", lambda: install)
    try:
        made = environment("tokenizers", "0.21.0")
    except EngineError as error:
        pytest.skip(f"no package index here: {error.message[-60:]}")
    assert "tokenizers==0.21.0" in made.pins
    own = ("pip==", "setuptools==")  # which venv brings with it
    wheels = [line for line in made.installed[1:] if not line.startswith(own)]
    assert [] == [line for line in wheels if not re.fullmatch(r"\S+==\S+ --hash=sha256:[0-9a-f]{64}", line)]
    monkeypatch.setattr(build, "installer", lambda: Fake("nothing may be installed"))
    prepared = prepare(load("small-bpe"), ("tokenizer.json",))
    rows = []
    for name in ("tokenizers", "tokenizers@0.21.0"):
        with Client(name, str(prepared.path), prepared.options) as client:
            rows.append(client.encode(Texts.from_list(TEXTS), True, False).ids.to_list())
    assert rows[0] == rows[1]
