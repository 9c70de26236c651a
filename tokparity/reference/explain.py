"""What the reference did with a text, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokparity.reference.text import encode_text
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class Step:
    """One step: its name ("added tokens", "normalized", "merge", "lattice", ...) and what came out of it, JSON-able."""

    name: str
    data: dict[str, object]


def explain(tokenizer: Tokenizer, text: bytes, add_special: bool = True, parse_special: bool = False) -> list[Step]:
    """All steps from the text to its ids; the last one is "ids" with the pieces they represent."""
    steps: list[Step] = []
    ids = tokenizer.encode(text, add_special, parse_special, lambda name, data: steps.append(Step(name, data)))
    steps.append(Step("ids", {"ids": ids, "pieces": [_spelled(tokenizer.vocabulary, i) for i in ids]}))
    return steps


def lines(steps: list[Step]) -> Iterator[str]:
    """The steps as a reader wants them: one line for each, and tables indented below."""
    for step in steps:
        write = {"symbols": _symbols, "merge": _merge, "lattice": _lattice, "match": _match, "ids": _ids}.get(step.name)
        if "fragments" in step.data:
            yield _fragments(step)
        else:
            yield from write(step.data) if write else _plain(step)


def _plain(step: Step) -> Iterator[str]:
    values = ", ".join(shown(value) for name, value in step.data.items() if name != "by")
    by = f" (by {step.data['by']})" if "by" in step.data else ""
    yield f"{step.name}: {values}{by}"


def _fragments(step: Step) -> str:
    """The added tokens that were found, by id, between the parts of the text that they cut; or that there are none."""
    fragments = step.data["fragments"]
    if not isinstance(fragments, list) or not any(isinstance(one, int) for one in fragments):
        return f"{step.name}: none"
    told = (f"id {one}" if isinstance(one, int) else shown(one) for one in fragments)
    return f"cut at {step.name}: {', '.join(told)}"


def _symbols(data: dict[str, object]) -> Iterator[str]:
    symbols, queue = data["symbols"], data["queue"]
    if isinstance(symbols, list) and isinstance(queue, list):
        size = sum(len(encode_text(symbol)) for symbol in symbols)
        yield f"symbols: {size} bytes, {len(symbols)} symbols: {shown(symbols)}"
        yield f"  queue: {len(queue)} pairs can be merged"
        yield from (f"    {value:g}  {shown(pair)}" for pair, value in queue)


def _merge(data: dict[str, object]) -> Iterator[str]:
    name = "score" if "score" in data else "rank"
    yield f"  merge {shown(data['left'])} + {shown(data['right'])}, {name} {data[name]:g}"


def _lattice(data: dict[str, object]) -> Iterator[str]:
    rows = data["best"]
    yield "lattice: at each position (in characters, in bytes) the best score, and the piece that it ends with"
    for row in rows if isinstance(rows, list) else ():
        piece_id = "unknown" if row["id"] is None else f"id {row['id']}"
        yield f"  {row['position']:4} {row['byte']:4}  {row['score']:.8f}  {shown(row['piece'])} ({piece_id})"


def _match(data: dict[str, object]) -> Iterator[str]:
    piece = data["piece"]
    yield f"  at {data['at']}: " + ("no piece fits" if piece is None else f"longest piece {shown(piece)}")


def _ids(data: dict[str, object]) -> Iterator[str]:
    yield f"ids: {data['ids']}"
    yield f"pieces: {shown(data['pieces'])}"


def shown(value: object) -> str:
    """Text in quotes, with escapes for what does not print; lists of it in brackets; numbers as they are."""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown, value)) + "]"
    return repr(value)


def _spelled(vocabulary: Vocabulary, piece_id: int) -> str:
    known = 0 <= piece_id < len(vocabulary)
    return vocabulary.pieces[piece_id].decode("utf-8", "surrogateescape") if known else f"(id {piece_id})"
