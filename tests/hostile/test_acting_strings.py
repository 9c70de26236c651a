"""Strings that act, in every field of what engines say, of a GGUF's metadata and of tokparity.toml, before commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.foreign_strings import acting, acting_files, poisoned
from tests.hostile.json_places import at, places, put
from tokparity.cli import main
from tokparity.engines.hello import Hello
from tokparity.engines.protocol import Capabilities
from tokparity.errors import EngineError
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import Value, rewrite
from tokparity.models import load

pytestmark = pytest.mark.usefixtures("few_texts")

POISON = "\x1b[31m\x07\r\x08\x9b\x85\x7f\u202e\u2066\u2028"
FEW = ("--cases", "3", "--corpus", "t.txt", "--out", "o")
LIST = {
    "models": {
        "mine": {
            "tokenizer-json": "tokenizer.json",
            "engines": ["reference"],
            "oracle": "reference",
            "notes": "notes",
            "accepted": [
                {
                    "engine": "reference",
                    "quirks": ["omits_bos"],
                    "text": '"x"',
                    "told": "over 64 bytes",
                    "kind": "ids",
                    "reason": "r",
                    "link": "https://example.org",
                    "key": "k",
                    "value": "v",
                }
            ],
        }
    }
}
"""Every key that a tokparity.toml may have."""

ADAPTER = """import json, sys
said = json.load(open("said.json"))
for line in sys.stdin:
    request = json.loads(line)
    if request.get("op") == "bye":
        break
    answer = said.get(request["op"], {})
    if request["op"] == "encode":
        answer = {"ids": [answer for _ in request["texts"]]}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.txt").write_text("one\n", encoding="utf-8")


def nothing_acts(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command ends as it may, and neither prints nor writes what acts."""
    capsys.readouterr()
    code = main(words)
    said = capsys.readouterr()
    assert code in (0, 1, 2, 3), (words, said.err)
    assert ("", "") == (acting(said.out), acting(said.err)), words
    assert [] == acting_files(Path("o")), words


@pytest.mark.parametrize("poison", [POISON, "\ud800\udc80\0"])
@pytest.mark.parametrize("op", ["hello", "refuses", "open", "encode"])
def test_what_an_engine_says(op: str, poison: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its name, version and capabilities; why it refuses to open, and why it has no answer to a text."""
    hello = {"protocol": 1, "name": "n", "version": "1", "capabilities": {"decodes": False}}
    said: dict[str, Any] = {"hello": hello, "open": {}, "encode": {"error": f"e{poison}"}}
    if op == "hello":
        hello |= {"name": f"n{poison}", "version": f"v{poison}"}
    elif op == "refuses":
        hello["capabilities"] = {f"c{poison}": f"c{poison}"}
    elif op == "open":
        said["open"] = {"error": f"e{poison}"}
    (tmp_path / "said.json").write_text(json.dumps(said), encoding="utf-8")
    (tmp_path / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    engine = f"exec:{sys.executable} adapter.py"
    nothing_acts(["encode", "small-bpe", "--engine", engine, "x"], capsys)
    if poison == POISON and op in ("hello", "encode"):
        nothing_acts(["run", "small-bpe", "--engine", engine, *FEW], capsys)
        nothing_acts(["engine-test", engine], capsys)


def test_a_hello_is_poisoned_in_every_field() -> None:
    """A worker's hello comes back as it was sent, whatever is in it: who prints it makes it harmless."""
    hello = poisoned(Hello(Capabilities(("gguf",)), "1", None), "\x1b")
    assert hello == Hello.from_json(json.loads(json.dumps(hello.to_json())))
    refusal = Hello(Capabilities(("gguf",)), "1", EngineError("m\x1b", "h\x1b"))
    assert "m\x1b; h\x1b" == str(Hello.from_json(json.loads(json.dumps(refusal.to_json()))).refusal)


def test_what_the_metadata_of_a_gguf_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every key that holds a string, every list of strings, and a key's own name."""
    assert 0 == main(["convert", "small-bpe", "--to", "gguf", "-o", "sound.gguf"])
    fields = read_metadata(tmp_path / "sound.gguf").fields
    tail = POISON.encode() + b"\0\xff"
    strings = {key: field.value for key, field in fields.items() if isinstance(field.value, bytes)}
    lists = {key: field.value for key, field in fields.items() if _is_of_strings(field.value)}
    changes: list[dict[str, Value]] = [{key: value + tail} for key, value in strings.items()]
    changes += [{key: [*value[:-3], *(one + tail for one in value[-3:])]} for key, value in lists.items()]  # type: ignore[index]
    changes += [{f"tokenizer.ggml.{POISON}": b"x" + tail}, {"tokenizer.chat_template": tail}]
    assert len(changes) > 5
    for number, change in enumerate(changes):
        file = f"x{number}.gguf"
        rewrite(tmp_path / "sound.gguf", change, tmp_path / file)
        for words in (["lint", file, "small-bpe"], ["explain", file, "a"]):
            nothing_acts(words, capsys)
    rewrite(
        tmp_path / "sound.gguf",
        {key: value for change in changes for key, value in change.items()},
        tmp_path / "all.gguf",
    )
    nothing_acts(["doctor", "all.gguf", "--against", "small-bpe"], capsys)


def _is_of_strings(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 3 and isinstance(value[0], bytes)


@pytest.mark.parametrize("poison", [POISON, "\0"])
def test_what_a_list_of_models_says(poison: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every key and every value of tokparity.toml, one at a time."""
    tokenizer = load("small-bpe").sources["tokenizer.json"]
    (tmp_path / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    for place in places(LIST):
        was = at(LIST, place)
        changed = [put(LIST, place, f"{was}{poison}")] if isinstance(was, str) else []
        if isinstance(place[-1], str):
            renamed = json.dumps(LIST).replace(json.dumps(place[-1]), json.dumps(place[-1] + poison))
            changed.append(json.loads(renamed))
        for content in changed:
            (tmp_path / "tokparity.toml").write_text("\n".join(toml(content)), encoding="utf-8")
            name = next(iter(next(iter(content.values()))))
            nothing_acts(["explain", name, "text"], capsys)
    name = f"mine{poison}"
    mine = json.loads(json.dumps(LIST).replace('"mine"', json.dumps(name)).replace('"r"', json.dumps(f"r{poison}")))
    (tmp_path / "tokparity.toml").write_text("\n".join(toml(mine)), encoding="utf-8")
    for words in (["check", *FEW, "--annotations", "github", "--junit", "o/j.xml"], ["models"]):
        nothing_acts(words, capsys)


def toml(content: dict[str, Any], head: str = "") -> list[str]:
    """A table as TOML, whose strings are those of JSON."""
    lines = [f"[{head}]"] if head else []
    lines += [f"{_spelled(key)} = {_spelled(one)}" for key, one in content.items() if not _is_table(one)]
    for key, one in content.items():
        inner = f"{head}.{_spelled(key)}" if head else _spelled(key)
        if isinstance(one, dict):
            lines += toml(one, inner)
        elif _is_table(one):
            lines += [line for each in one for line in (f"[[{inner}]]", *toml(each))]
    return lines


def _spelled(value: object) -> str:
    return json.dumps(value).replace("\x7f", "\\u007f")


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))
