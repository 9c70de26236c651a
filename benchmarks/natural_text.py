"""Natural text for benchmarks, made from what is installed: no download, and megabytes of it are distinct."""

from __future__ import annotations

import random
import sysconfig
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from tokparity.sources import corpus

MEGABYTE = 1_000_000
_DOCUMENTS = (".md", ".rst", ".txt", "METADATA")
_KANA = range(0x3040, 0x3100)


def texts(size: int = MEGABYTE) -> dict[str, bytes]:
    """English, Japanese, mixed scripts and code, each one text of `size` bytes."""
    shuffled = random.Random(0)
    lines = [case.question.text for case in chain(corpus.load("languages"), corpus.load("cldr"))]
    japanese = [line for line in lines if any(ord(c) in _KANA for c in line.decode())]
    return {
        "English": _one(_files(_DOCUMENTS), size),
        "Japanese": _one(_endless(japanese, shuffled), size),
        "mixed scripts": _one(_endless(lines, shuffled), size),
        "code": _one(_files((".py",)), size),
    }


def stream(size: int) -> list[bytes]:
    """Distinct files, sources and documents as they lie on disk, of `size` bytes together (or all there are)."""
    found: list[bytes] = []
    total = 0
    for text in _files((".py", *_DOCUMENTS)):
        found.append(text[: size - total])
        total += len(found[-1])
        if total >= size:
            break
    return found


def without_seams(size: int) -> dict[str, bytes]:
    """Texts that offer nothing to cut at: one letter again and again, and random common Chinese characters."""
    chosen = random.Random(0)
    chinese = "".join(chr(chosen.randrange(0x4E00, 0x9FA0)) for _ in range(size // 3))
    return {"one letter": b"a" * size, "random CJK": chinese.encode()}


def _files(suffixes: tuple[str, ...]) -> Iterator[bytes]:
    """The installed packages' and the standard library's files that are UTF-8, each content once."""
    seen: set[int] = set()
    for name in ("purelib", "stdlib"):
        for path in sorted(Path(sysconfig.get_path(name)).rglob("*")):
            if path.name.endswith(suffixes) and path.is_file():
                text = path.read_bytes()
                if text and hash(text) not in seen and _is_utf8(text):
                    seen.add(hash(text))
                    yield text


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _endless(lines: list[bytes], shuffled: random.Random) -> Iterator[bytes]:
    while True:
        yield shuffled.choice(lines) + b"\n"


def _one(parts: Iterator[bytes], size: int) -> bytes:
    """Parts put together up to a size, not cut inside a character."""
    joined = bytearray()
    for part in parts:
        joined += part
        if len(joined) >= size:
            break
    return bytes(joined[:size]).decode("utf-8", "ignore").encode()
