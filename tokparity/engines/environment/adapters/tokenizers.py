"""Hugging Face `tokenizers` of any version on a tokenizer.json: what is asked depends on what the library has."""

from __future__ import annotations

import json
from typing import Any


class Model:
    """A tokenizer.json in the `tokenizers` library. From 1.0 on, what was a setting is an argument of each call."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from tokenizers import Tokenizer

        try:
            self.tokenizer = Tokenizer.from_file(path)
        except Exception:
            older = with_plain_merges(path) if hasattr(Tokenizer, "from_str") else None
            if older is None:
                raise
            self.tokenizer = Tokenizer.from_str(older)
        self.has_settings = hasattr(self.tokenizer, "no_truncation")
        if self.has_settings:
            self.tokenizer.no_truncation()
            self.tokenizer.no_padding()
        fast = options.get("fast", True) and hasattr(self.tokenizer, "encode_batch_fast")
        self.encode_batch = self.tokenizer.encode_batch_fast if fast else self.tokenizer.encode_batch
        self.splits = not self.has_settings or hasattr(self.tokenizer, "encode_special_tokens")

    def capabilities(self) -> dict[str, Any]:
        """A library that cannot split special tokens always recognizes them."""
        parses = [False, True] if self.splits else [True]
        return {
            "parse_special": parses,
            "add_special": [False, True],
            "streams": self.has_settings and has_streams(),
            "spans": True,
        }

    def save(self, path: str) -> None:
        """Write the file as the library has it; one that writes none has it in what it is pickled as."""
        if hasattr(self.tokenizer, "save"):
            self.tokenizer.save(path)
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.tokenizer.__reduce__()[1][0])

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        given: dict[str, Any] = {"add_special_tokens": add_special}
        if not self.has_settings:
            given.update(encode_special_tokens=not parse_special, padding=None, truncation=None)
        elif self.splits:
            self.tokenizer.encode_special_tokens = not parse_special
        return [encoding.ids for encoding in self.encode_batch(texts, **given)]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        if hasattr(self.tokenizer, "decode_batch"):
            return self.tokenizer.decode_batch(rows, skip_special_tokens=skip_special)
        return [self.tokenizer.decode(row, skip_special_tokens=skip_special) for row in rows]

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Any:
        """The ids of a text, and `offsets`, which `encode_batch_fast` does not give."""
        given: dict[str, Any] = {"add_special_tokens": add_special}
        if not self.has_settings:
            given.update(encode_special_tokens=not parse_special, padding=None, truncation=None)
        elif self.splits:
            self.tokenizer.encode_special_tokens = not parse_special
        encoding = self.tokenizer.encode(text, **given)
        return encoding.ids, encoding.offsets

    def stream(self, prefill: list[int], ids: list[int], skip_special: bool) -> Any:
        """What `DecodeStream` gives for each id; it has nothing to be called at the end."""
        from tokenizers.decoders import DecodeStream

        given = {"ids": prefill} if prefill else {}
        stream = DecodeStream(skip_special_tokens=skip_special, **given)
        for i in ids:
            yield stream.step(self.tokenizer, i) or ""
        yield ""


def has_streams() -> bool:
    """Whether the library has `DecodeStream`: from 0.21 on, and in 1.0 in another way."""
    try:
        from tokenizers.decoders import DecodeStream
    except ImportError:
        return False
    return callable(DecodeStream)


def with_plain_merges(path: str) -> str | None:
    """The tokenizer.json with merges as older libraries read them, "a b"; None where they cannot be written so."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        merges = content["model"]["merges"]
        if not merges or not isinstance(merges[0], list) or any(" " in part for merge in merges for part in merge):
            return None
        content["model"]["merges"] = [" ".join(merge) for merge in merges]
    except (ValueError, KeyError, TypeError):  # what is no such file is refused in the library's own words
        return None
    return json.dumps(content)
