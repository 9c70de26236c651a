"""pytorch-tokenizers: its C++ reader of a tokenizer.json; special tokens in a text are always recognized."""

from __future__ import annotations

from typing import Any


class Model:
    """A file that the library has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from pytorch_tokenizers import CppHFTokenizer

        self.model = CppHFTokenizer()
        said = self.model.load(path)
        if not self.model.is_loaded():
            raise ValueError(f"pytorch-tokenizers cannot load this file: {said}")

    def capabilities(self) -> dict[str, Any]:
        """It adds as many BOS and EOS as it is told, which is none; these are put around by whoever asks."""
        return {"add_special": [False], "parse_special": [True], "skip_special": [False, True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return [self.model.encode(text, 0, 0) for text in texts]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.model.decode_batch(row, skip_special) if row else "" for row in rows]
