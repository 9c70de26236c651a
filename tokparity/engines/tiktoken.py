"""OpenAI's tiktoken on a .tiktoken file.

The file holds ranks only. Options: `pattern` (the pre-tokeniser's regex) and `special_tokens` (text to id), which may
stand in NAME.json beside the file instead, and `prefix_ids` and `suffix_ids` for add_special, which tiktoken has no
notion of.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options, id_list, installed_version
from tokparity.errors import EngineError


class Tiktoken:
    """The engine `tiktoken`."""

    NAME = "tiktoken"
    CAPABILITIES = Capabilities(formats=("tiktoken",), general=False, skip_special=(False,))

    def version(self) -> str:
        """Version of the library."""
        return installed_version("tiktoken", self.NAME, "tiktoken")

    def open(self, path: str, options: Options) -> TiktokenModel:
        """Load ranks and put the pattern and the special tokens beside them."""
        from tiktoken import Encoding

        said = options if "pattern" in options else _beside(path)
        pattern, special = said.get("pattern"), said.get("special_tokens", {})
        if not isinstance(pattern, str) or not isinstance(special, dict):
            raise EngineError(f"tiktoken cannot open {path!r} without its pattern", "name a known model, which says it")
        try:
            encoding = Encoding(Path(path).stem, pat_str=pattern, mergeable_ranks=_ranks(path), special_tokens=special)
        except (OSError, ValueError, AssertionError) as error:
            raise EngineError(f"tiktoken cannot load {path!r}: {error}") from error
        return TiktokenModel(encoding, id_list(options, "prefix_ids"), id_list(options, "suffix_ids"))


def _beside(path: str) -> dict[str, Any]:
    """What stands in the file beside the ranks; empty where there is none."""
    try:
        said = json.loads(Path(f"{path}.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _ranks(path: str) -> dict[bytes, int]:
    """The pieces of a .tiktoken file: lines of base64 and rank. tiktoken's own reader would cache the file by path."""
    lines = (line.split() for line in Path(path).read_bytes().splitlines() if line)
    return {base64.b64decode(piece): int(rank) for piece, rank in lines}


class TiktokenModel:
    """An Encoding."""

    def __init__(self, encoding: Any, prefix: tuple[int, ...], suffix: tuple[int, ...]) -> None:
        self._encoding = encoding
        self._prefix = prefix
        self._suffix = suffix

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """`encode`, or `encode_ordinary` where special tokens are not to be recognised."""
        if parse_special:
            rows = [self._encoding.encode(text, allowed_special="all") for text in texts.to_strs()]
        else:
            rows = [self._encoding.encode_ordinary(text) for text in texts.to_strs()]
        ids = Ids.from_list(rows)
        return ids.wrapped(self._prefix, self._suffix) if add_special else ids

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """`decode_bytes`, which keeps what is no UTF-8."""
        return Texts.from_list([self._encoding.decode_bytes(row) for row in ids.to_list()])


ENGINE = Tiktoken()
