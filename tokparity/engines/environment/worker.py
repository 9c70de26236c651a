"""An engine in an environment of its own, behind the exec protocol (docs/engines-exec.md): worker.py ENGINE.

This file, and those that it runs from beside it, are run by the environment's Python, 3.8 or later, and import nothing
but the standard library and the engine's library. What it asks of the library depends on what the library has, not on
its version number.
"""

from __future__ import annotations

import base64
import json
import os
import runpy
import sys
from collections.abc import Callable
from typing import Any


def to_bytes(text: Any) -> bytes:
    """The bytes of a text as it travels."""
    return base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode("utf-8", "surrogatepass")


def to_json(text: Any) -> Any:
    """A decoded text as it travels."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(text).decode("ascii")}


def run_beside(name: str) -> dict[str, Any]:
    """What a file beside this one defines; no package is there to import it from."""
    return runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))


def with_plain_merges(path: str) -> str | None:
    """The tokenizer.json with merges as older libraries read them, "a b"; None where they cannot be written so."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    merges = content["model"].get("merges")
    if not merges or not isinstance(merges[0], list) or any(" " in part for merge in merges for part in merge):
        return None
    content["model"]["merges"] = [" ".join(merge) for merge in merges]
    return json.dumps(content)


class Tokenizers:
    """A tokenizer.json in the `tokenizers` library."""

    def __init__(self, path: str, options: dict[str, Any]) -> None:
        from tokenizers import Tokenizer

        try:
            self.tokenizer = Tokenizer.from_file(path)
        except Exception:
            older = with_plain_merges(path)
            if older is None:
                raise
            self.tokenizer = Tokenizer.from_str(older)
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        fast = options.get("fast", True) and hasattr(self.tokenizer, "encode_batch_fast")
        self.encode_batch = self.tokenizer.encode_batch_fast if fast else self.tokenizer.encode_batch
        self.splits = hasattr(self.tokenizer, "encode_special_tokens")

    def capabilities(self) -> dict[str, Any]:
        """Without `encode_special_tokens`, special tokens are always recognised."""
        return {"parse_special": [False, True] if self.splits else [True], "add_special": [False, True]}

    def save(self, path: str) -> None:
        """Write the file as the library has it."""
        self.tokenizer.save(path)

    def encode(self, texts: list[bytes], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        if self.splits:
            self.tokenizer.encode_special_tokens = not parse_special
        found = self.encode_batch([text.decode("utf-8") for text in texts], add_special_tokens=add_special)
        return [encoding.ids for encoding in found]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        if hasattr(self.tokenizer, "decode_batch"):
            return self.tokenizer.decode_batch(rows, skip_special_tokens=skip_special)
        return [self.tokenizer.decode(row, skip_special_tokens=skip_special) for row in rows]


class SentencePiece:
    """A .model in the `sentencepiece` library; BOS and EOS are put around by whoever asks."""

    def __init__(self, path: str, options: dict[str, Any]) -> None:
        from sentencepiece import SentencePieceProcessor

        self.processor = SentencePieceProcessor()
        self.processor.Load(path)
        self.takes_bytes = self.works(lambda: self.processor.Encode([b"a\xff"], out_type=int))
        self.gives_bytes = self.works(lambda: isinstance(self.processor.Decode([[0]], out_type=bytes)[0], bytes))

    @staticmethod
    def works(trial: Callable[[], Any]) -> bool:
        """Whether the library can do this."""
        try:
            return bool(trial())
        except Exception:  # an older library knows no such type
            return False

    def capabilities(self) -> dict[str, Any]:
        """Special tokens are never recognised in a text, and never shown."""
        return {"invalid_utf8": self.takes_bytes, "parse_special": [False], "skip_special": [True]}

    def encode(self, texts: list[bytes], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        asked = texts if self.takes_bytes else [text.decode("utf-8") for text in texts]
        return self.processor.Encode(asked, out_type=int)

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        if not rows:
            return []
        return self.processor.Decode(rows, out_type=bytes) if self.gives_bytes else self.processor.Decode(rows)


class Transformers:
    """AutoTokenizer on a directory, never on the network."""

    def __init__(self, path: str, options: dict[str, Any]) -> None:
        beside = run_beside("placed.py")
        files = ("prefix_ids", "suffix_ids", "pattern", "special_tokens", *beside["PLACED"])
        given = {name: value for name, value in options.items() if name not in files}
        with beside["placed"](path, options) as folder:
            from transformers import AutoTokenizer  # reads then that the network is off

            load = AutoTokenizer.from_pretrained
            self.tokenizer = load(folder, trust_remote_code=False, local_files_only=True, **given)

    def capabilities(self) -> dict[str, Any]:
        """An older library knows no `split_special_tokens`, and always recognises special tokens."""
        parses = [False, True]
        special = [token for token in self.tokenizer.all_special_tokens if len(token) > 1]
        if special:
            both = [self.encode([special[0].encode("utf-8")], False, parse) for parse in parses]
            parses = parses if both[0] != both[1] else [True]
        return {"parse_special": parses, "add_special": [False, True]}

    def save(self, path: str) -> None:
        """Write the file that the library made of it; one without such a file raises AttributeError."""
        self.tokenizer.backend_tokenizer.save(path)

    def encode(self, texts: list[bytes], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        if not texts:
            return []
        return self.tokenizer(
            [text.decode("utf-8") for text in texts],
            add_special_tokens=add_special,
            split_special_tokens=not parse_special,
            padding=False,
            truncation=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.tokenizer.decode(row, skip_special_tokens=skip_special) for row in rows]


class Wheel:
    """An engine of a file in adapters/, which takes texts as str."""

    def __init__(self, engine: str, request: dict[str, Any]) -> None:
        made = run_beside(os.path.join("adapters", engine.replace("-", "_") + ".py"))["Model"]
        self.model = made(request["path"], request["options"], request["format"])
        self.capabilities, self.decode = self.model.capabilities, self.model.decode

    def encode(self, texts: list[bytes], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return self.model.encode([text.decode("utf-8") for text in texts], add_special, parse_special)


ENGINES: dict[str, Any] = {"tokenizers": Tokenizers, "sentencepiece": SentencePiece, "transformers": Transformers}
LIBRARIES = {"transformers": ("transformers", "tokenizers")}


def version(engine: str) -> str:
    """The versions of the libraries behind an engine, and that of Python."""
    from importlib import metadata

    known = [f"{library} {metadata.version(library)}" for library in LIBRARIES.get(engine, (engine,))]
    return "{} (Python {}.{}.{})".format(", ".join(known), *sys.version_info[:3])


def answer(engine: str, model: Any, request: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """The reply to one request, and the model that is open then."""
    op = request["op"]
    if op == "hello":
        return {"protocol": 1, "version": version(engine)}, model
    if op == "open":
        known = engine in ENGINES
        model = ENGINES[engine](request["path"], request["options"]) if known else Wheel(engine, request)
        able = {"invalid_utf8": False, "decodes": True, "skip_special": [False, True]}
        able.update(model.capabilities())
        return {"capabilities": able}, model
    if op == "encode":
        texts = [to_bytes(text) for text in request["texts"]]
        rows = model.encode(texts, request["add_special"], request["parse_special"])
        return {"ids": [row if isinstance(row, list) else [int(i) for i in row] for row in rows]}, model
    if op == "decode":
        return {"texts": [to_json(text) for text in model.decode(request["ids"], request["skip_special"])]}, model
    if op == "save":  # no adapter is asked this: the loader's table is
        model.save(request["path"])
        return {}, model
    return {"error": f"unknown op {op!r}"}, model


def main(engine: str) -> None:
    """Answer until stdin ends or bye is said; what a library prints goes to stderr."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    model: Any = None
    for line in sys.stdin.buffer:
        request = json.loads(line.decode("utf-8", "surrogatepass"))
        if request["op"] == "bye":
            break
        try:
            reply, model = answer(engine, model, request)
        except BaseException as error:  # a Rust panic is a BaseException
            reply = {"error": f"{type(error).__name__}: {error}"[:2000]}
        reply["id"] = request["id"]
        out.write(json.dumps(reply, separators=(",", ":")) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
