"""Mutators of a tokparity.toml, by the bounds that a list of models has."""

from __future__ import annotations

import json
from random import Random

from tests.hostile.blind import BYTES

_MANY = (100, 20_000, 200_000)
_WORDS = ("9" * 10_000, "nan", "1979-05-27T07:32:00Z", "0x" + "f" * 5000, "true", '""', "'''\n'''", "{}", "[[]]", "\0")
_PATHS = ("a" * 5000, "../" * 2000, "/dev/zero", "/proc/self/mem", ".", "x\0y", "~", "\ud800")


def _line(data: bytes, random: Random) -> tuple[list[bytes], int]:
    """The lines, and the place of one that has a value."""
    lines = data.splitlines()
    return lines, random.choice([place for place, line in enumerate(lines) if b" = " in line])


def _joined(lines: list[bytes]) -> bytes:
    return b"\n".join(lines) + b"\n"


def deep(data: bytes, random: Random) -> bytes:
    """Brackets, tables or the parts of a key stand in each other, as deep as nobody reads."""
    lines, place = _line(data, random)
    many = random.choice(_MANY)
    key = lines[place].partition(b" = ")[0]
    lines[place] = random.choice(
        (
            key + b" = " + b"[" * many,
            key + b" = " + b"[" * many + b"]" * many,
            key + b" = " + b"{a=" * many + b"1" + b"}" * many,
            b".".join([b"a"] * many) + b" = 1",
            b"[" + b".".join([b"a"] * many) + b"]",
            key + b" = [" + b'"x",' * many + b"]",
        )
    )
    return _joined(lines)


def odd_value(data: bytes, random: Random) -> bytes:
    """A value is of another type, longer than anybody writes, or the place of something else."""
    lines, place = _line(data, random)
    key = lines[place].partition(b" = ")[0]
    odd = random.choice((*_WORDS, *map(json.dumps, _PATHS)))
    lines[place] = key + b" = " + random.choice((odd.encode("utf-8", "surrogatepass"), random.choice(BYTES)))
    return _joined(lines)


def other_lines(data: bytes, random: Random) -> bytes:
    """Lines are missing, there many times, or elsewhere."""
    lines = data.splitlines()
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    way = random.randrange(3)
    if way == 0:
        del lines[one]
    elif way == 1:
        lines[one:one] = [lines[other]] * random.choice(_MANY)
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return _joined(lines)


LIST = (deep, odd_value, other_lines)
