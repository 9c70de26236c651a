"""Engines of npm: each in an environment of its own, with a worker of node, made when the engine is named."""

from __future__ import annotations

import json
import shutil
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from tests.engines import npm_registry
from tokparity import engines
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment import npm, worker
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.installer import refused
from tokparity.engines.environment.place import Environment
from tokparity.engines.environment.released import NODE, PACKAGES
from tokparity.engines.environment.releases import releases
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError, UsageError
from tokparity.models import load
from tokparity.reference.pretokeniser_patterns import CL100K_FANCY
from tokparity.session.seats import seat_one

NPM = pytest.mark.skipif(shutil.which("npm") is None, reason="no registry client here: npm")


def _environment(name: str) -> Environment:
    try:
        return environment(name, PACKAGES[name].version)
    except EngineError as error:
        if "could not be reached" not in str(error):
            raise
        pytest.skip(f"no npm registry here: {error}")


def test_each_has_an_adapter_of_at_most_forty_lines() -> None:
    """One file of JavaScript for each engine of npm, and none besides."""
    files = {path.stem: path for path in (Path(worker.__file__).parent / "adapters").glob("*.js")}
    assert {name.replace("-", "_") for name in NODE} == set(files)
    assert [] == [name for name, path in files.items() if len(path.read_text().splitlines()) > 40]


def test_none_takes_part_unasked() -> None:
    """They are not engines of the default panel, and a version of each can be named."""
    assert set() == set(PACKAGES) & set(engines.names())
    assert "gpt-tokenizer@3.4.0" == engines.get("gpt-tokenizer@3.4.0").NAME


@pytest.mark.parametrize(("missing", "said"), [("npm node", "node"), ("npm", "npm"), ("node", "node")])
def test_without_npm_it_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, missing: str, said: str
) -> None:
    """The message says what to install, and no half made environment is left; an engine of Python is as before."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: None if name in missing.split() else sys.executable)
    with pytest.raises(EngineError, match=f"{said} is not installed") as caught:
        environment("gpt-tokenizer", "4.0.0")
    assert "install Node.js" in caught.value.hint
    assert [] == [path for path in tmp_path.glob("environments/*") if path.is_dir()]
    with pytest.raises(EngineError, match=f"{said} is not installed"):
        engines.get("gpt-tokenizer").version()
    assert engines.get("tokenizers").version()


def test_a_python_is_no_place_for_it() -> None:
    """Neither the path of a Python nor a library of Python can be named where node runs the engine."""
    with pytest.raises(UsageError, match=r"runs in Node.js, but 'gpt-tokenizer@/usr/bin/python3' names a Python"):
        engines.get("gpt-tokenizer@/usr/bin/python3")
    with pytest.raises(UsageError, match=r"'transformers-5.3.0' is not a version of 'gpt-tokenizer'"):
        engines.get("gpt-tokenizer@transformers-5.3.0")


_FAKE = {
    "bpeRanks/cl100k_base.js": "exports.default = ['a', [255]];",
    "encoding/cl100k_base.js": "exports.encode = (text) => [...text].map(() => 0); exports.decode = () => 'a';",
}


@pytest.mark.nightly
@NPM
def test_a_registry_on_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The version is installed, no script runs, and a .npmrc of the user or of a folder configures nothing but the way.

    The registry is the one that the user's npm is set up with.
    """
    sizes = {"3.8.0": 10, "3.9.0": 1 << 40, "3.9.1-beta.1": 10, "3.10.0": 10}
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NODE_OPTIONS", "--require=/not-there.js")
    monkeypatch.setenv("npm_config_dry_run", "true")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("package.json").write_text("{}")
    Path(".npmrc").write_text("registry=http://127.0.0.1:9/\nfetch-retries=0\ndry-run=true\n")
    with npm_registry.registry("gpt-tokenizer", sizes, _FAKE) as address:
        (tmp_path / ".npmrc").write_text(f"registry={address}\ndry-run=true\nignore-scripts=false\n")
        found = environment("gpt-tokenizer", "3.10.0")
        assert ["gpt-tokenizer@3.10.0"] == [pin.partition(" sha512-")[0] for pin in found.pins]
        assert [] == [*found.folder.rglob("ran")]
        with pytest.raises(EngineError, match=r"there is no gpt-tokenizer 3.7.0") as caught:
            environment("gpt-tokenizer", "3.7.0")
        assert "there are 3.8.0 and 3.9.0" == caught.value.hint
        with pytest.raises(EngineError, match=r"gpt-tokenizer@3.9.0 takes 1099511627776 bytes, more than 536870912"):
            environment("gpt-tokenizer", "3.9.0")
        assert ["3.8.0", "3.9.0", "3.10.0"] == releases("gpt-tokenizer")
    path = tmp_path / "two.tiktoken"
    path.write_text("YQ== 0\n/w== 1\n")
    with Client("gpt-tokenizer@3.10.0", str(path), {}) as client:
        assert "gpt-tokenizer 3.10.0 (Node.js " in client.wait_ready()
        assert [[0, 0]] == client.encode(Texts.from_list([b"aa"]), False, False).ids.to_list()
    path.write_text("YQ== 0\n")
    with pytest.raises(EngineError, match=r"only its own vocabularies \(cl100k_base\), and"):  # it brings no other
        engines.get("gpt-tokenizer@3.10.0").open(str(path), {})


@NPM
def test_what_was_unpacked_is_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A registry that says no size, or a wrong one, brings in no package beyond the bound."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(npm, "_MOST_BYTES", 100)
    with npm_registry.registry("gpt-tokenizer", {"3.8.0": None}, _FAKE) as address:
        monkeypatch.setenv("npm_config_registry", address)
        with pytest.raises(EngineError, match="more than 100"):
            environment("gpt-tokenizer", "3.8.0")
    assert [] == [path for path in tmp_path.glob("cache/environments/*") if path.is_dir()]


def test_a_registry_that_does_not_answer() -> None:
    """What npm says of a network or a registry that is away is no word on the version."""
    assert refused("npm error code ECONNREFUSED npm error errno ECONNREFUSED").unreachable
    assert refused("npm error code E503 npm error 503 Service Unavailable").unreachable
    assert not refused("npm error code E404 npm error 404 Not Found").unreachable


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
@pytest.mark.parametrize(
    ("name", "model"),
    [
        *(("gpt-tokenizer", "gpt-2"), ("tiktoken-wasm", "gpt-2")),
        *(("llama-tokenizer-js", "llama-spm"), ("llama3-tokenizer-js", "llama-bpe")),
        *(("huggingface-tokenizers", "small-bpe"), ("lenml-tokenizers", "small-bpe")),
    ],
)
def test_plain_words_have_the_ids_of_the_oracle(name: str, model: str) -> None:
    """Each opens a model, gives the ids that the oracle of the model gives, and the words back."""
    _environment(name)
    texts = Texts.from_list([b"a b", "naïve café".encode(), b"12 words\n"])
    known = load(model)
    with Client(known.oracle, str(seat_one(known, known.oracle).path), {}) as oracle:
        right = oracle.encode(texts, False, False).ids
    with Client(name, str(seat_one(known, name).path), {}) as client:
        assert f"{name} {PACKAGES[name].version} (Node.js " in client.wait_ready()
        assert right.to_list() == client.encode(texts, False, False).ids.to_list()
        assert texts.to_list() == client.decode(right, False).decoded.to_list()


@NPM
@pytest.mark.parametrize("name", ["js-tiktoken", "ai-tokenizer"])
def test_a_space_before_a_space_of_javascript(name: str) -> None:
    """The file is recognized; a space before U+0085 is split in a way of JavaScript's own."""
    home = _environment("gpt-tokenizer")
    _environment(name)
    path = home.folder / "node_modules" / "gpt-tokenizer" / "data" / "cl100k_base.tiktoken"
    texts = Texts.from_list([b"a b", " \u0085a".encode()])
    with Client(name, str(path), {}) as client:
        encoded = client.encode(texts, False, True).ids
        assert [[64, 293], [2188, 227, 64]] == encoded.to_list()
        assert texts.to_list() == client.decode(encoded, False).decoded.to_list()


@NPM
@pytest.mark.parametrize("name", ["llama-tokenizer-js", "llama3-tokenizer-js"])
def test_another_vocabulary_is_refused(name: str) -> None:
    """A package that brings one vocabulary opens no other, and says which one it has."""
    _environment(name)
    with pytest.raises(EngineError, match=r"has only its own vocabularies \(L"):
        engines.get(name).open(str(seat_one(load("small-bpe"), name).path), {})


@NPM
def test_gpt_tokenizer_refuses_another_vocabulary(tmp_path: Path) -> None:
    """A vocabulary that the package does not bring is not opened, and the message names those that it brings."""
    _environment("gpt-tokenizer")
    path = tmp_path / "other.tiktoken"
    path.write_text("YQ== 0\nYg== 1\n")
    with pytest.raises(EngineError, match=r"only its own vocabularies \(cl100k_base"):
        engines.get("gpt-tokenizer").open(str(path), {})


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
