"""kitoken: a tokenizer.json, a SentencePiece .model, a tekken.json, a .tiktoken; it adds no BOS or EOS of its own."""

from __future__ import annotations

from typing import Any

READERS = {"tokenizer.json": "from_tokenizers_file", "sentencepiece": "from_sentencepiece_file"}


class Model:
    """A file that kitoken has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from kitoken import Kitoken

        self.model = getattr(Kitoken, READERS[format])(path)

    def capabilities(self) -> dict[str, Any]:
        """Special tokens are recognized, and shown, as asked; BOS and EOS are put around by whoever asks."""
        return {"add_special": [False], "parse_special": [False, True], "skip_special": [False, True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return self.model.encode_all(texts, parse_special)

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The bytes of each row."""
        return [bytes(text) for text in self.model.decode_all(rows, not skip_special)]
