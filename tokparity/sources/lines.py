"""Numbered lines of a file or of standard input, of which each has a bound: a line is one text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import IO

from tokparity.errors import FormatError

LONGEST = 16 << 20
"""Bytes of the longest line that is read: an engine may take 20 seconds for each megabyte of a text."""


def numbered(file: IO[bytes], shown: str) -> Iterator[tuple[int, bytes]]:
    """Lines without their "\\n", the only line end there is: a "\\r" before it belongs to the text.

    `shown` names the file. FormatError for a line that is too long; no more of it is read.
    """
    for number in count(1):
        line = file.readline(LONGEST + 1)
        if not line:
            return
        text = line.removesuffix(b"\n")
        if len(text) > LONGEST:
            message = f"{shown} line {number} is longer than {LONGEST:,} bytes"
            raise FormatError(message, "each line is one text: split it into shorter lines")
        yield number, text
