"""fastokens: a tokenizer.json, with the switches of `tokenizers` and `transformers`."""

from __future__ import annotations

from typing import Any


class Model:
    """A file that fastokens has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from fastokens import Tokenizer

        self.model = Tokenizer.from_file(path)
        self.model.no_truncation()
        self.model.no_padding()

    def capabilities(self) -> dict[str, Any]:
        """All of it."""
        return {"add_special": [False, True], "parse_special": [False, True], "skip_special": [False, True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        given = {"add_special_tokens": add_special, "split_special_tokens": not parse_special}
        return [getattr(row, "ids", row) for row in self.model.encode_batch(texts, **given)]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.model.decode(row, skip_special_tokens=skip_special) for row in rows]
