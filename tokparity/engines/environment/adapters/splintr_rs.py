"""splintr: a tokenizer.json; `encode_raw` and `encode` differ by the boundary template alone."""

from __future__ import annotations

from typing import Any

MODULE = "splintr"


class Model:
    """A file that splintr has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        import splintr

        self.model = splintr.from_json(path)

    def capabilities(self) -> dict[str, Any]:
        """The file's own policy says whether special tokens in a text are recognized; it cannot be asked otherwise."""
        return {"add_special": [False, True], "parse_special": [True], "skip_special": [True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        one = self.model.encode if add_special else self.model.encode_raw
        return [one(text) for text in texts]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.model.decode(row) for row in rows]
