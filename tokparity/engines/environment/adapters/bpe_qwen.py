"""bpe-qwen: the vocabulary and the merges of a tokenizer.json, in files of their own; Qwen's pattern is built in."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


class Model:
    """The pieces of a tokenizer.json, split as Qwen2 splits; special tokens in a text are always recognized."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from bpe_qwen import QwenTokenizer

        source = json.loads(Path(path).read_text(encoding="utf-8"))
        merges = (pair if isinstance(pair, str) else " ".join(pair) for pair in source["model"]["merges"])
        special = {str(token["id"]): {"content": token["content"]} for token in source["added_tokens"]}
        with TemporaryDirectory() as folder:
            files = {
                "vocab.json": json.dumps(source["model"]["vocab"]),
                "merges.txt": "\n".join(("#version: 0.2", *merges)),
                "tokenizer_config.json": json.dumps({"added_tokens_decoder": special}),
            }
            for name, text in files.items():
                (Path(folder) / name).write_text(text, encoding="utf-8")
            self.model = QwenTokenizer(folder)

    def capabilities(self) -> dict[str, Any]:
        """There is no switch for special tokens in the text."""
        return {"add_special": [False], "parse_special": [True], "skip_special": [False]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return [self.model.encode(text) for text in texts]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.model.decode(row) for row in rows]
