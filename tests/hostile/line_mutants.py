"""Mutators that know how a .tiktoken is laid out."""

from __future__ import annotations

import base64
from random import Random

from tests.hostile.blind import BYTES, LIES


def odd_lines(data: bytes, random: Random) -> bytes:
    """Ranks that are too large, negative or no numbers; pieces that are not base64, or there twice."""
    lines = data.splitlines()
    for _ in range(random.choice((1, 1, 5))):
        i = random.randrange(len(lines))
        piece, rank = (*lines[i].split(), b"", b"")[:2]
        ranks = (*(b"%d" % lie for lie in LIES), b"-1", b"9" * 5000, b"1.5", b"x", b"", "١".encode(), b"0x10", b"1 2")
        pieces = (b"=", b"YQ", b"YQ==YQ==", b"\xff\xfe", "é".encode(), base64.b64encode(random.choice(BYTES)))
        lines[i] = random.choice((piece, random.choice(pieces))) + b" " + random.choice((rank, random.choice(ranks)))
    return random.choice((b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b"\0")).join(lines)


def other_lines(data: bytes, random: Random) -> bytes:
    """Lines are missing, there many times, or in another order."""
    lines = data.splitlines()
    i = random.randrange(len(lines))
    way = random.randrange(3)
    if way == 0:
        del lines[i : i + random.choice((1, 1, 50))]
    elif way == 1:
        lines[i:i] = [random.choice(lines)] * random.choice((1, 1000))
    else:
        random.shuffle(lines)
    return b"\n".join(lines)


LINES = (odd_lines, other_lines)
