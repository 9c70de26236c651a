"""morpheme: a tokenizer.json; special tokens in a text are always recognized."""

from __future__ import annotations

from typing import Any


class Model:
    """A file that morpheme has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from morpheme import Tokenizer

        self.model = Tokenizer.from_file(path)

    def capabilities(self) -> dict[str, Any]:
        """There is no switch for special tokens in the text."""
        return {"add_special": [False, True], "parse_special": [True], "skip_special": [False, True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return [found.ids for found in self.model.encode_batch(texts, add_special_tokens=add_special)]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.model.decode(row, skip_special_tokens=skip_special) for row in rows]
