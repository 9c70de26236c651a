"""tokie: a tokenizer.json; special tokens in a text are always recognized, and always shown."""

from __future__ import annotations

from typing import Any


class Model:
    """A file that tokie has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from tokie import Tokenizer

        self.model = Tokenizer.from_json(path)
        self.model.no_truncation()
        self.model.no_padding()

    def capabilities(self) -> dict[str, Any]:
        """There is no switch for special tokens in the text."""
        return {"add_special": [False, True], "parse_special": [True], "skip_special": [False]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return [found.ids for found in self.model.encode_batch(texts, add_special_tokens=add_special)]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The bytes of each row."""
        return [bytes(self.model.decode_bytes(row)) for row in rows]
