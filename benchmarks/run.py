"""Cases per second of a plain loop in one process and of our run, on the same texts and the same two engines.

The loop is written the way llama.cpp's `tests/test-tokenizer-random.py` works: for each text, encode with both,
compare, decode both, compare. With `--whole` the main job is run instead, and told by part (see `whole_run`); with
`--exec` one library is run in our worker and behind the exec protocol (see `exec_cost`).
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks import exec_cost, whole_run
from tokparity import models
from tokparity.case import Origin, text_case
from tokparity.engines.process.usage import models_at_a_time
from tokparity.generators.characters import pick
from tokparity.generators.subject import Subject
from tokparity.session import CASES
from tokparity.session.judge import Judge
from tokparity.session.one_model import Options
from tokparity.session.panel import EnginePanel, Seat
from tokparity.session.seats import seat_one

NAME = "run"
TITLE = "cases/s of a plain loop over AutoTokenizer and llama.cpp against our run"

_ENGINES = ("transformers", "llama.cpp")
_MODEL = "gpt-2"
_WARM_UP = 200


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the benchmark takes."""
    parser.add_argument("words", nargs="*", metavar="MODEL", help=f"models (default: {_MODEL})")
    parser.add_argument("--short", type=int, default=40_000, help="texts of 2 to 20 characters (default 40000)")
    parser.add_argument("--long", type=int, default=1_000, help="texts of 2 KB (default 1000)")
    parser.add_argument("--whole", action="store_true", help="the main job instead, by part (default: all models)")
    parser.add_argument("--exec", action="store_true", help="what the exec protocol costs, on the short texts")
    parser.add_argument("--cases", type=int, default=CASES, metavar="N", help=f"random texts of it (default {CASES})")
    parser.add_argument("--jobs", type=int, metavar="N", help="models that it runs at a time (default: as `run`)")


def main(args: argparse.Namespace) -> int:
    """Print one row for each model and length, or one for each part of the main job."""
    from rich.console import Console
    from rich.table import Table

    if args.whole:
        whole = whole_run.measure(args.words, Options(cases=args.cases, jobs=args.jobs or models_at_a_time()))
        Console(highlight=False).print(whole_run.table(whole, args.words))
        return 0
    if args.exec:
        for name in args.words or (_MODEL,):
            model = models.resolve(name)
            source = models.primary_source(model)
            texts = _texts(Subject(source.vocabulary, source.behaviour).words, args.short, 2, 20)
            cost = exec_cost.measure(model, texts)
            inside, outside = len(texts) / cost.inside, len(texts) / cost.outside
            print(f"{name}: {exec_cost.INSIDE} {inside:.0f} texts/s, behind exec {outside:.0f}: "
                  f"{cost.ratio:.2f} times as long (target at most 1.5)")  # fmt: skip
        return 0
    table = Table(title=f"{' and '.join(_ENGINES)}, encode and decode, {os.cpu_count()} cores")
    for title in ("model", "texts", "plain loop, cases/s", "our run, cases/s", "ratio (target 1.5)"):
        table.add_column(title, justify="left" if title == "model" else "right")
    for name in args.words or (_MODEL,):
        model = models.resolve(name)
        source = models.primary_source(model)
        seats = [seat_one(model, engine) for engine in _ENGINES]
        words = Subject(source.vocabulary, source.behaviour).words
        for title, texts, size in (
            ("2 to 20 characters", _texts(words, args.short, 2, 20), 2000),
            ("2 KB", _texts(words, args.long, 2000, 2100), 100),
        ):
            plain = len(texts) / _plain(seats, texts)
            ours = len(texts) / _ours(name, seats, texts, size, source.vocabulary.pieces)
            table.add_row(name, title, f"{plain:.0f}", f"{ours:.0f}", f"{ours / plain:.2f}")
    Console(highlight=False).print(table)
    return 0


def _texts(words: Sequence[bytes], count: int, least: int, most: int) -> list[bytes]:
    """Texts of pieces of the vocabulary, so many characters long, all of them UTF-8."""
    rng = random.Random(f"bench run:{count}")
    found: list[bytes] = []
    spelled = [word.decode() for word in words if word.decode("utf-8", "replace").encode() == word]
    while len(found) < count:
        size = least + int(rng.random() * (most - least + 1))
        text = ""
        while len(text) < size:
            text += pick(rng, spelled)
        found.append(text[:size].encode())
    return found


def _plain(seats: Sequence[Seat], texts: Sequence[bytes]) -> float:
    """Seconds of the plain loop."""
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(seats[0].path, trust_remote_code=False, local_files_only=True)
    encode, decode = llama(seats[1].path)
    differing = 0

    def one(text: bytes) -> None:
        nonlocal differing
        expected = tokenizer.encode(text.decode(), add_special_tokens=True)
        actual = encode(text)
        differing += expected != actual
        differing += tokenizer.decode(expected, skip_special_tokens=True) != decode(expected).decode("utf-8", "replace")

    for text in texts[:_WARM_UP]:
        one(text)
    started = time.perf_counter()
    for text in texts:
        one(text)
    return time.perf_counter() - started


def llama(path: str) -> tuple[Callable[[bytes], list[int]], Callable[[list[int]], bytes]]:
    """llama_tokenize and llama_detokenize, one text at a time."""
    from llama_cpp import llama_cpp as library

    log = library.llama_log_callback(lambda level, text, data: None)
    library.llama_log_set(log, ctypes.c_void_p(0))
    library.llama_backend_init()
    params = library.llama_model_default_params()
    params.vocab_only = True
    model = library.llama_model_load_from_file(os.fsencode(path), params)
    vocabulary = library.llama_model_get_vocab(model)
    room = 1 << 16
    ids = (ctypes.c_int32 * room)()
    buffer = ctypes.create_string_buffer(1 << 18)

    def encode(text: bytes) -> list[int]:
        _ = log  # llama.cpp goes on calling it
        size = library.llama_tokenize(vocabulary, text, len(text), ids, room, True, False)
        return list(ids[:size])

    def decode(row: list[int]) -> bytes:
        given = (ctypes.c_int32 * len(row))(*row)
        size = library.llama_detokenize(vocabulary, given, len(row), buffer, len(buffer), False, False)
        return buffer.raw[:size]

    return encode, decode


def _ours(name: str, seats: Sequence[Seat], texts: Sequence[bytes], size: int, pieces: Sequence[bytes]) -> float:
    """Seconds of our run, from the first batch on; engines are open, as in the plain loop."""
    judge = Judge(name, _ENGINES[0], pieces)
    cases = [text_case(text, origin=Origin("given", f"bench:{i}")) for i, text in enumerate(texts)]
    batches = [cases[i : i + size] for i in range(0, len(cases), size)]
    with EnginePanel(seats, timeout=60.0) as engines:
        list(engines.results([cases[:_WARM_UP]], lambda: False))
        started = time.perf_counter()
        for batch in engines.results(batches, lambda: False):
            for _ in judge.mismatches(batch, _ENGINES):
                pass  # counted; a few differ by the model
        return time.perf_counter() - started
