"""Models that read a text in blocks of one size, such as buffers, or only its beginning.

The smallest mismatch ends soon after the first block, so its length gives the sizes to try.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts, ids_of_parts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.families import FEW_PROBES
from tokparity.diagnose.limits.texts import BLOCKS_IN, BYTES_PAST, LONGEST_BLOCK, PAST_AN_EDGE, SHORTEST_BLOCK
from tokparity.questions import Encode
from tokparity.reference.text import encode_text, keep_bytes

_WORDS = ("the ", "word ", "a", "1", " 22", "é", " ñ", "世", "界 ", "\U0001f600", "\n", ". ", "Ж", "-", "  ")

Parts = Callable[..., list[bytes]]
"""What a text is taken for, and the size of blocks -> the texts whose ids come, one after another."""


def in_blocks(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered."""
    smallest, question, base = facts.against, facts.question, facts.base
    if not facts.is_of_ids:
        return
    lengths = {"bytes": len(question.text), "characters": len(smallest.spelled)}
    right = _right_bytes(smallest, base)
    rights = {"bytes": len(right), "characters": len(right.decode("utf-8", "ignore"))}
    foretold: dict[tuple[bytes, ...], Sequence[int] | None] = {}
    for unit, size, says, parts in _ways(lengths, rights, facts.asking.is_stored):
        if not (facts.asking.is_stored or facts.asking.can):
            return
        found = tuple(parts(question.text, size))
        if found not in foretold:  # most ways come to the same on one text
            foretold[found] = ids_of_parts(base, found, question)
        if tuple(foretold[found] or ()) == getattr(smallest.actual, "ids", None):
            ids = partial(_ids, base, partial(parts, size=size))
            yield facts.variant(says.format(f"{size:,} {unit}"), ids, list(_made(size)))


def _ways(
    lengths: Mapping[str, int], rights: Mapping[str, int], is_stored: bool
) -> Iterator[tuple[str, int, str, Parts]]:
    """Units, sizes and what may be done; blocks that are read each on its own come first.

    What is stored is not shrunk: a text ends anywhere, and only where it goes wrong tells an edge.
    """
    sizes = _sizes_before if is_stored else _sizes
    every = [(unit, size) for unit in _WAYS for size in sizes(lengths[unit], rights[unit])]
    if is_stored:  # of sizes that fit, 64 is a likelier one than 65
        every.sort(key=lambda one: one[1].bit_count())
    for is_plain in (True, False):
        for unit, size in every:
            ways = _WAYS[unit].items()
            yield from ((unit, size, says, parts) for says, parts in ways if (says == _ALONE) == is_plain)


def _right_bytes(smallest: Observation, base: Base) -> bytes:
    """What of a text the engine read rightly: what the right ids decode to that its answer begins with."""
    given = getattr(smallest.actual, "ids", ())
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(smallest.ids, given, strict=False)))
    return base.tokenizer.decode(smallest.ids[:same])


def _sizes(length: int, right: int) -> list[int]:
    """The sizes of blocks of which a text so long may just show an edge."""
    near = range(max(length - PAST_AN_EDGE, SHORTEST_BLOCK), min(length, LONGEST_BLOCK) + 1)
    powers = [1 << n for n in range(3, 13) if right // BLOCKS_IN <= 1 << n <= min(length, right + BYTES_PAST)]
    return list(dict.fromkeys([*powers, *near[::-1]]))


def _sizes_before(length: int, right: int) -> list[int]:
    """The sizes of blocks of which one of the first edges lies soon after what came rightly."""
    edges = ((right // nth, min(right + BYTES_PAST, length) // nth) for nth in range(1, BLOCKS_IN + 1))
    return [*dict.fromkeys(size for first, last in edges for size in range(max(first, SHORTEST_BLOCK), last + 1))]


def _ids(base: Base, parts: Callable[[bytes], Sequence[bytes]], question: Encode) -> Sequence[int] | None:
    return ids_of_parts(base, parts(question.text), question)


def _made(size: int) -> Iterator[str]:
    """Texts about as long as a block and as a few, with characters of all lengths at the edges."""
    rng = random.Random(0)
    for _ in range(FEW_PROBES):
        length, text = rng.choice((size - 1, size, size + 1, 2 * size, 3 * size)) + rng.randrange(4), ""
        while len(text.encode()) < length:
            text += rng.choice(_WORDS)
        yield text


def _bytes_of(text: bytes, size: int) -> list[bytes]:
    return [text[at : at + size] for at in range(0, len(text), size)] or [b""]


def _decoded(errors: str, text: bytes, size: int) -> list[bytes]:
    """Block by block, each of which is decoded on its own."""
    return ["".join(part.decode("utf-8", errors) for part in _bytes_of(text, size)).encode()]


def _torn(text: bytes, size: int, by: bytes) -> list[bytes]:
    """With something in place of each byte of a character that lies across two blocks."""
    kept, at = [], 0
    for character in keep_bytes(text):
        spelled = encode_text(character)
        across = at // size != (at + len(spelled) - 1) // size
        kept.append(by * len(spelled) if across else spelled)
        at += len(spelled)
    return [b"".join(kept)]


def _whole_characters(text: bytes, size: int) -> list[bytes]:
    """In blocks that end before the character that no longer fits."""
    blocks = [b""]
    for character in map(encode_text, keep_bytes(text)):
        if len(blocks[-1]) + len(character) > size and blocks[-1]:
            blocks.append(b"")
        blocks[-1] += character
    return blocks


def _up_to_space(text: bytes, size: int, behind: int) -> list[bytes]:
    """In blocks that end at their last space, if they have one: before it, or `behind` it."""
    blocks = []
    while len(text) > size:
        at = text.rfind(b" ", 1, size)
        end = at + behind if at > 0 else len(_whole_characters(text, size)[0])
        blocks.append(text[:end])
        text = text[end:]
    return [*blocks, text]


def _characters_of(text: bytes, size: int) -> list[bytes]:
    decoded = keep_bytes(text)
    return [encode_text(decoded[at : at + size]) for at in range(0, len(decoded), size)] or [b""]


def _changed(place: int, change: Callable[[bytes], bytes], parts: Parts, text: bytes, size: int) -> list[bytes]:
    """With another last unit (-1) of each full block, or first one (0) of each but the first."""
    kept = []
    for nth, block in enumerate(parts(text, size)):
        units = parts(block, 1)
        if units and (nth if place == 0 else len(units) == size):
            units[place] = change(units[place])
        kept += units
    return [b"".join(kept)]


def _in_case(change: Callable[[str], str], character: bytes) -> bytes:
    return encode_text(change(keep_bytes(character)))


_CHANGES: Mapping[str, Callable[[bytes], bytes]] = {
    "is lost": lambda unit: b"",
    "comes twice": lambda unit: unit * 2,
    "comes as a space": lambda unit: b" ",
    "comes in upper case": partial(_in_case, str.upper),
    "comes in lower case": partial(_in_case, str.lower),
}
"""What becomes of a unit at the edge of a block."""


def _at_edges(parts: Parts, unit: str) -> dict[str, Parts]:
    """All that may be done with one unit at each edge, in words."""
    edges = ((-1, "of each of which the last"), (0, "of each further of which the first"))
    return {
        f"that reads texts in blocks of {{}}, {which} {unit} {what}": partial(_changed, place, change, parts)
        for what, change in _CHANGES.items()
        for place, which in edges
    }


_ALONE = "that reads texts in blocks of {}, each on its own"
_WAYS: Mapping[str, Mapping[str, Parts]] = {
    "bytes": {
        _ALONE: _bytes_of,
        f"{_ALONE}, which end before a character that does not fit": _whole_characters,
        f"{_ALONE}, which end before their last space": partial(_up_to_space, behind=0),
        f"{_ALONE}, which end behind their last space": partial(_up_to_space, behind=1),
        "that decodes texts in blocks of {}, with U+FFFD for what one has of a character": partial(_decoded, "replace"),
        "that decodes texts in blocks of {}, with U+FFFD for each byte of a character that lies across two": partial(
            _torn, by="\ufffd".encode()
        ),
        "that decodes texts in blocks of {}, without characters that lie across two": partial(_decoded, "ignore"),
        "that reads only the first {} of a text": lambda text, size: [text[:size]],
        "that reads only the first {} of a text, without a character that does not fit": lambda text, size: (
            _whole_characters(text, size)[:1]
        ),
        "that reads only the last {} of a text": lambda text, size: [text[-size:]],
        **_at_edges(_bytes_of, "byte"),
    },
    "characters": {
        _ALONE: _characters_of,
        "that reads only the first {} of a text": lambda text, size: _characters_of(text, size)[:1],
        "that reads only the last {} of a text": lambda text, size: [encode_text(keep_bytes(text)[-size:])],
        **_at_edges(_characters_of, "character"),
    },
}
"""For each unit what follows "the model", with a size to be filled in, and what it does."""
