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
from tests.hostile.package_mutants import TAR, ZIP, packed_tar, packed_zip
from tests.hostile.protobuf_mutants import PROTOBUF
from tests.hostile.readings import CONVERSATION, LISTED, RESULTS, SAID, TGZ, VECTORS, WHEEL
from tests.hostile.report_mutants import REPORT
from tokparity import formats
from tokparity.models.record import EMBEDDED
from tokparity.vectors import file as vectors_file

VECTORS_OF_A_MODEL = Path(__file__).parents[2] / "vectors" / "small-bpe.vectors.json"

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
CALL = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Zürich"}}}
TOOL = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}
TALK = {
    "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hi <|im_end|>"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "content": [{"type": "text", "text": "12 °C"}]},
    ],
    "tools": [TOOL],
    "documents": [{"title": "a", "text": "b"}],
    "add_generation_prompt": True,
    "extra": {"enable_thinking": False},
}
"""A conversation with all that one may have."""
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
    """What is not a model: a user's list, what an engine says, a conversation, vectors and results, packages."""
    vectors, results = of_vectors()
    beside = {"tokenizer.json": (EMBEDDED / "small-bpe.json").read_bytes()}
    listed = {LISTED: ACCEPTED.encode(), **beside}
    return (
        Target(LISTED, listed, LISTED, LISTED, LIST),
        _single(SAID, json.dumps(HELLO).encode(), (odd_values, other_keys)),
        _single(CONVERSATION, json.dumps(TALK).encode(), (odd_values, other_keys)),
        _single(VECTORS, vectors, (odd_values, other_keys)),
        Target(RESULTS, {VECTORS: vectors, RESULTS: results}, RESULTS, RESULTS, REPORT),
        _single(TGZ, packed_tar(), TAR),
        _single(WHEEL, packed_zip(), ZIP),
    )


def of_vectors() -> tuple[bytes, bytes]:
    """Vectors of each level and kind, and an engine's results: some right, some wrong, one an error."""
    from tokparity.questions.json_text import literal
    from tokparity.vectors.results import result_line

    whole = vectors_file.read(VECTORS_OF_A_MODEL)
    few = [*whole.cases[:12], *(case for case in whole.cases if case.level == "may" or case.id[0] == "d")][:30]
    cases = tuple({case.id: case for case in few}.values())
    data = vectors_file.text_of(replace(whole, cases=cases)).encode()
    right = [result_line(case, case.answer) for case in cases]
    wrong = [literal({"id": case.id, "ids": [1]}) for case in cases[:2]]
    return data, "\n".join([*wrong, *right[2:]]).encode() + b"\n"


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
