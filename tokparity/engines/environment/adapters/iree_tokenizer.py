"""iree-tokenizer: a tokenizer.json; special tokens in a text are always recognized."""

from __future__ import annotations

from typing import Any

MODULE = "iree.tokenizer"


METHODS = {"streams": "decode_stream", "spans": "encode_rich"}


class Model:
    """A file that iree.tokenizer has read."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from iree.tokenizer import Tokenizer

        self.model = Tokenizer.from_file(path)

    def capabilities(self) -> dict[str, Any]:
        """There is no switch for special tokens in the text; older versions have no offsets and no streams."""
        able = {name: hasattr(self.model, method) for name, method in METHODS.items()}
        return {"add_special": [False, True], "parse_special": [True], "skip_special": [False, True], **able}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return self.model.encode_batch(texts, add_special_tokens=add_special)

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return self.model.decode_batch(rows, skip_special_tokens=skip_special)

    def stream(self, prefill: list[int], ids: list[int], skip_special: bool) -> Any:
        """`decode_stream`, which is fed with the prompt first."""
        stream = self.model.decode_stream(skip_special_tokens=skip_special)
        stream.feed(prefill)
        for i in ids:
            yield stream.feed([i])
        yield stream.finalize()

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Any:
        """`encode_rich`, whose offsets count bytes."""
        found = self.model.encode_rich(text, add_special_tokens=add_special)
        at = [0]
        for number, character in enumerate(text, 1):
            at += [number] * len(character.encode())
        # What lies outside of the text stays so.
        spans = [tuple(at[i] if 0 <= i < len(at) else i for i in map(int, span)) for span in found.offsets]
        return [int(i) for i in found.ids], spans
