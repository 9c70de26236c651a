"""Names of engines are taken apart and put together in one place."""

from __future__ import annotations

import pytest

from tokparity import engines
from tokparity.engines.buffers import Texts
from tokparity.engines.engine_name import EngineName, parse
from tokparity.engines.process.client import Client
from tokparity.errors import UsageError
from tokparity.models import load, prepare


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama.cpp", EngineName("llama.cpp")),
        ("tokenizers@0.19.1", EngineName("tokenizers", "0.19.1")),
        ("tokenizers@/usr/bin/python3", EngineName("tokenizers", "/usr/bin/python3")),
        ("transformers[legacy=false]", EngineName("transformers", options=(("legacy", False),))),
        (
            "transformers@4.57.6[legacy=false,revision=main]",
            EngineName("transformers", "4.57.6", (("legacy", False), ("revision", "main"))),
        ),
        ("reference+a+b", EngineName("reference", quirks=("a", "b"))),
        ("module.part:Class", EngineName("module.part", place="Class")),
        ("./a/file.py:name", EngineName("./a/file.py", place="name")),
        ("http://127.0.0.1:8080/a", EngineName("http", place="//127.0.0.1:8080/a")),
        ("http:https://host:1/", EngineName("http", place="https://host:1/")),
        ("exec:./tok --model {gguf} a:b@c[d]+e", EngineName("exec", place="./tok --model {gguf} a:b@c[d]+e")),
    ],
)
def test_a_name_and_its_parts(name: str, expected: EngineName) -> None:
    """Every form is read, and written as it was."""
    assert expected == parse(name)
    assert name == str(parse(name))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("transformers[legacy]", "'legacy' where an option belongs"),
        ("transformers[legacy=1,legacy=2]", "has the option 'legacy' twice"),
        ("transformers[legacy=true", "cannot be read"),
        ("a@", "cannot be read"),
        ("reference+", "cannot be read"),
        ("transformers[legasy=true]", "has no option 'legasy'; did you mean 'legacy'?"),
        ("llama.cpp[a=1]", "has no option 'a'; it has none"),
    ],
)
def test_names_that_say_nothing(name: str, words: str) -> None:
    """A usage error with the next step."""
    with pytest.raises(UsageError) as raised:
        engines.get(name)
    assert words in str(raised.value)


def test_options_reach_the_engine() -> None:
    """They are told on opening, and are part of the engine's name."""
    prepared = prepare(load("small-bpe"), ("tokenizer.json",))
    texts = Texts.from_list([b"a b", "naïve".encode()])
    rows = []
    for name in ("tokenizers", "tokenizers[fast=false]"):
        assert name == engines.get(name).NAME
        with Client(name, str(prepared.path), prepared.options) as client:
            rows.append(client.encode(texts, True, False).ids.to_list())
    assert rows[0] == rows[1]
    with (
        Client("tokenizers[fast=7]", str(prepared.path), prepared.options) as client,
        pytest.raises(UsageError, match="option fast is 7"),
    ):
        client.wait_ready()


def test_a_version_has_a_bound() -> None:
    """A version of 300 digits can name no folder; the path of a Python may be as long."""
    with pytest.raises(UsageError, match="names a version of 300 characters"):
        parse("tokenizers@" + "1" * 300)
    path = "/opt/" + "a" * 300
    assert path == parse(f"tokenizers@{path}").version
