"""onnxruntime-extensions: a directory, for it needs the class that tokenizer_config.json names.

Special tokens in a text are always recognized.
"""

from __future__ import annotations

from typing import Any


class Model:
    """A directory that the library has read, once for each set of options that is asked for."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        self.path = path
        self.models: dict[tuple[bool, bool], Any] = {}
        self._model()

    def capabilities(self) -> dict[str, Any]:
        """There is no switch for special tokens in the text."""
        return {"add_special": [False, True], "parse_special": [True], "skip_special": [False, True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return self._model(add_special=add_special).tokenize(texts)

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        model = self._model(skip_special=skip_special)
        return [model.detokenize(row)[0] if row else "" for row in rows]

    def _model(self, add_special: bool = False, skip_special: bool = False) -> Any:
        from onnxruntime_extensions.pp_api import Tokenizer

        key = add_special, skip_special
        if key not in self.models:
            options = {"add_special_tokens": add_special, "skip_special_tokens": skip_special}
            self.models[key] = Tokenizer(self.path, options)
        return self.models[key]
