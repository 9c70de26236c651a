"""The files that are attacked: small real ones, made by our own writers, each with what mutates it."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from tests.hostile.blind import BLIND
from tests.hostile.gguf_mutants import GGUF, SPARSE_BYTES, sparse
from tests.hostile.json_mutants import PATTERNED, TOKENIZER_JSON, odd_values, other_keys
from tests.hostile.line_mutants import LINES
from tests.hostile.list_mutants import LIST
from tests.hostile.protobuf_mutants import PROTOBUF
from tests.hostile.trial import LISTED, SAID
from tokparity import formats
from tokparity.models.record import EMBEDDED

Mutator = Callable[[bytes, Random], bytes]


@dataclass(frozen=True)
class Target:
    """Files beside each other by name: one is read, one (perhaps another) is mutated."""

    name: str
    files: dict[str, bytes]
    read: str
    mutated: str
    structured: Sequence[Mutator]

    @property
    def mutators(self) -> Sequence[Mutator]:
        """All that may be done to it; what knows the format comes as often as what does not."""
        return (*BLIND, *self.structured * (1 + len(BLIND) // (2 * len(self.structured))))

    def mutant(self, seed: str) -> tuple[str, dict[str, bytes]]:
        """(what was done, the files)."""
        random = Random(f"{self.name}:{seed}")
        mutate = random.choice(self.mutators)
        return mutate.__name__, self.files | {self.mutated: mutate(self.files[self.mutated], random)}

    def write(self, folder: Path, mutator: str, files: dict[str, bytes]) -> None:
        """Put the files of a mutant into a folder."""
        for name, data in files.items():
            (folder / name).write_bytes(data)
        if mutator == sparse.__name__:
            os.truncate(folder / self.mutated, SPARSE_BYTES)


def _written(embedded: str, format: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "written"
        formats.write(formats.read(EMBEDDED / embedded), format, path)
        return path.read_bytes()


def _tekken() -> bytes:
    pieces = [bytes((byte,)) for byte in range(256)] + [b"ab", b"th", b"the", " é".encode()]
    vocab = [{"rank": i, "token_bytes": base64.b64encode(p).decode(), "token_str": None} for i, p in enumerate(pieces)]
    config = {"pattern": r"\p{L}+|\p{N}|\s+|.", "num_vocab_tokens": 260, "default_vocab_size": 264}
    special = [{"rank": i, "token_str": text, "is_control": True} for i, text in enumerate(("<unk>", "<s>", "</s>"))]
    whole = config | {"default_num_special_tokens": 4, "version": "v3"}
    return json.dumps({"config": whole, "special_tokens": special, "vocab": vocab}).encode()


def _single(name: str, data: bytes, structured: Sequence[Mutator]) -> Target:
    return Target(name, {name: data}, name, name, structured)


HELLO = {
    "id": 1,
    "protocol": 1,
    "name": "an engine",
    "version": "1.2.3",
    "vocabulary_size": 300,
    "capabilities": {
        "formats": ["gguf", "tokenizer.json"],
        "decodes": True,
        "add_special": [False, True],
        "parse_special": [True],
        "skip_special": [True],
        "invalid_utf8": False,
    },
}
"""What an adapter says first."""
ACCEPTED = """[models.mine]
tokenizer-json = "tokenizer.json"
oracle = "tokenizers"
engines = ["llama.cpp", "reference"]
notes = "notes"

[[models.mine.accepted]]
engine = "reference"
quirks = ["omits_bos"]
text = '"x"'
told = "over 64 bytes"
kind = "ids"
reason = "a reason"
link = "https://example.org/"
date = 2026-11-22
"""


@cache
def others() -> tuple[Target, ...]:
    """What is not a model: the list of a user's models, and what an engine says of itself."""
    beside = {"tokenizer.json": (EMBEDDED / "small-bpe.json").read_bytes()}
    listed = {LISTED: ACCEPTED.encode(), **beside}
    return (
        Target(LISTED, listed, LISTED, LISTED, LIST),
        _single(SAID, json.dumps(HELLO).encode(), (odd_values, other_keys)),
    )


@cache
def targets() -> tuple[Target, ...]:
    """Every model file that is attacked."""
    pieces = [bytes((byte,)) for byte in range(256)] + [b"ab", b"th", b"the"]
    ranks = b"".join(base64.b64encode(piece) + b" %d\n" % i for i, piece in enumerate(pieces))
    beside = json.dumps({"pattern": r"\p{L}+|\p{N}{1,3}+|\s+$|.", "special_tokens": {"<|endoftext|>": 300}}).encode()
    tiktoken = Target("m.tiktoken", {"m.tiktoken": ranks, "m.tiktoken.json": beside}, "m.tiktoken", "m.tiktoken", LINES)
    return (
        *(_single(f"{kind}.gguf", _written(f"small-{kind}.model", "gguf"), GGUF) for kind in ("spm", "unigram")),
        *(_single(f"{kind}.gguf", _written(f"small-{kind}.json", "gguf"), GGUF) for kind in ("bpe", "wordpiece")),
        *(
            _single(f"{kind}.model", (EMBEDDED / f"small-{kind}.model").read_bytes(), PROTOBUF)
            for kind in ("spm", "unigram")
        ),
        *(
            _single(f"{kind}.json", (EMBEDDED / f"small-{kind}.json").read_bytes(), TOKENIZER_JSON)
            for kind in ("bpe", "wordpiece")
        ),
        _single("unigram.json", _written("small-unigram.model", "tokenizer.json"), TOKENIZER_JSON),
        tiktoken,
        replace(tiktoken, name="m.tiktoken.json", mutated="m.tiktoken.json", structured=PATTERNED),
        _single("tekken.json", _tekken(), PATTERNED),
    )
