"""Which known model's vocabulary a source has: told by hash, and where it was changed by nearness.

`vocabularies.json` holds for each known model the number of its pieces, the SHA-256 of all of them, and the hashes of
some. These are the ids at SAMPLES places, evenly spread. tests/models/test_vocabularies.py makes it anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

SAMPLES = 64
NEAR = 0.9
"""Share of the samples that must be those of the known model."""
PATH = Path(__file__).with_name("vocabularies.json")


def described(pieces: Sequence[bytes]) -> dict[str, Any]:
    """What is kept of a vocabulary."""
    whole = hashlib.sha256()
    for piece in pieces:
        whole.update(len(piece).to_bytes(4, "little") + piece)
    return {"pieces": len(pieces), "sha256": whole.hexdigest(), "samples": _samples(pieces, len(pieces))}


def nearest(pieces: Sequence[bytes]) -> tuple[str, ...]:
    """The known models with these pieces under these ids, or else the nearest; empty if none is near."""
    return _best(_near(pieces))


def are_two(ours: Sequence[bytes], theirs: Sequence[bytes]) -> tuple[str, str] | None:
    """The names of two different known models that have the first and the second pieces; None if they are not known.

    Pieces that are near several models (phi-3 has those of llama-spm, and more) are none of another than these.
    """
    one, other = _near(ours), _near(theirs)
    if not one or not other or one.keys() & other.keys():
        return None
    return " or ".join(_best(one)), " or ".join(_best(other))


def _best(shares: Mapping[str, float]) -> tuple[str, ...]:
    best = max(shares.values(), default=0.0)
    return tuple(name for name, share in shares.items() if share == best)


def _near(pieces: Sequence[bytes]) -> Mapping[str, float]:
    """The known models with just these pieces; if there are none, those that are near, with the share that is equal."""
    ours = described(pieces)
    same = {name: 1.0 for name, known in _known().items() if known["sha256"] == ours["sha256"]}
    if same:
        return same
    shares = {name: _share(known, pieces) for name, known in _known().items()}
    return {name: share for name, share in shares.items() if share >= NEAR}


def _share(known: Mapping[str, Any], pieces: Sequence[bytes]) -> float:
    samples = known["samples"]
    found = _samples(pieces, known["pieces"])
    return float(sum(map(str.__eq__, samples, found)) / max(len(samples), 1))


def _samples(pieces: Sequence[bytes], size: int) -> list[str]:
    """The hash of the piece at each place; empty where there is none."""
    places = [place * size // SAMPLES for place in range(SAMPLES)]
    return [hashlib.sha256(_bare(pieces[i])).hexdigest()[:8] if i < len(pieces) else "" for i in places]


def _bare(piece: bytes) -> bytes:
    """A piece however a file marks the begin of a word in it."""
    return piece.replace("▁".encode(), b" ").lstrip(b" ").removeprefix(b"##")


@cache
def _known() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    return found
