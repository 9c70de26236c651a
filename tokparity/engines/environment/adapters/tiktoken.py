"""tiktoken on a .tiktoken file, whose pattern and special tokens are options, or stand in NAME.json beside it."""

from __future__ import annotations

import base64
import json
import os
from typing import Any


class Model:
    """Ranks with the pattern and the special tokens beside them; it adds no BOS or EOS of its own."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from tiktoken import Encoding

        said = options if "pattern" in options else beside(path)
        pattern, special = said.get("pattern"), said.get("special_tokens", {})
        if not isinstance(pattern, str) or not isinstance(special, dict):
            raise ValueError("the file has no pattern: name a known model, whose pattern tokparity knows")
        name = os.path.basename(path)
        self.encoding = Encoding(name, pat_str=pattern, mergeable_ranks=ranks(path), special_tokens=special)

    def capabilities(self) -> dict[str, Any]:
        """Special tokens are recognized as asked, and always shown."""
        return {"add_special": [False], "parse_special": [False, True], "skip_special": [False], "spans": True}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """`encode`, or `encode_ordinary` where special tokens are not to be recognized."""
        if parse_special:
            return [self.encoding.encode(text, allowed_special="all") for text in texts]
        return [self.encoding.encode_ordinary(text) for text in texts]

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Any:
        """Which characters each id decodes to."""
        return spans_of(self.encoding, self.encode([text], add_special, parse_special)[0])

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """`decode_bytes`, which keeps what is not UTF-8."""
        return [self.encoding.decode_bytes(row) for row in rows]


def spans_of(encoding: Any, ids: list[int]) -> Any:
    """The ids, and for each what `decode_with_offsets` calls its beginning, and that of the id behind it."""
    text, starts = encoding.decode_with_offsets(ids)
    return ids, list(zip(starts, [*starts[1:], len(text)]))  # noqa: B905 - Python 3.8 has no strict


def beside(path: str) -> dict[str, Any]:
    """What stands in the file beside the ranks; empty where there is none."""
    try:
        with open(f"{path}.json", "rb") as file:
            said = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def ranks(path: str) -> dict[bytes, int]:
    """The pieces of a .tiktoken file: lines of base64 and rank. tiktoken's own reader would cache the file by path."""
    with open(path, "rb") as file:
        lines = [line.split() for line in file.read().splitlines() if line]
    return {base64.b64decode(piece): int(rank) for piece, rank in lines}
