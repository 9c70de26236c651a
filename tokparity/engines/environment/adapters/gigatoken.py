"""gigatoken: a tokenizer.json or a SentencePiece .model; it adds no BOS or EOS."""

from __future__ import annotations

from typing import Any


class Model:
    """A file that gigatoken has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from gigatoken import Tokenizer

        self.model = Tokenizer.from_sentencepiece(path) if format == "sentencepiece" else Tokenizer(path)

    def capabilities(self) -> dict[str, Any]:
        """There is no switch for special tokens in the text."""
        return {"add_special": [False], "parse_special": [True], "skip_special": [False]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return self.model.encode_batch_list(texts, parallel=False)

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The bytes of each row."""
        return [bytes(self.model.decode(row)) for row in rows]
