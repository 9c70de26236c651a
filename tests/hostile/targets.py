"""The files that are attacked: small real ones, made by our own writers, each with what mutates it."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from tests.hostile.blind import BLIND
from tests.hostile.gguf_mutants import GGUF
from tests.hostile.json_mutants import PATTERNED, TOKENIZER_JSON
from tests.hostile.line_mutants import LINES
from tests.hostile.protobuf_mutants import PROTOBUF
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


@cache
def targets() -> tuple[Target, ...]:
    """Every file that is attacked."""
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
