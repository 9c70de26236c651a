"""transformers of any version: AutoTokenizer on a folder, never on the network."""

from __future__ import annotations

import os
import runpy
from typing import Any

MODULE = "transformers.models.auto.tokenization_auto"
HERE = os.path.dirname(os.path.abspath(__file__))
PLACED = os.path.join(os.path.dirname(HERE), "placed.py")
TOKENIZERS = os.path.join(HERE, "tokenizers.py")


class Model:
    """A tokenizer that AutoTokenizer loads from a directory, without using the network."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        self.switch: tuple[str, ...] = ("split_special_tokens",)
        beside = runpy.run_path(PLACED)
        files = ("prefix_ids", "suffix_ids", "pattern", "special_tokens", *beside["PLACED"])
        given = {name: value for name, value in options.items() if name not in files}
        with beside["placed"](path, options) as folder:
            from transformers import AutoTokenizer  # reads then that the network is off

            given.update(trust_remote_code=False, local_files_only=True)
            try:
                self.tokenizer = AutoTokenizer.from_pretrained(folder, **given)
            except Exception:
                if not merges_are_plain_now(os.path.join(folder, "tokenizer.json")):
                    raise
                self.tokenizer = AutoTokenizer.from_pretrained(folder, **given)

    def capabilities(self) -> dict[str, Any]:
        """An older library has no `split_special_tokens`, or ignores it, and always recognizes special tokens."""
        parses = [False, True]
        special = [token for token in self.tokenizer.all_special_tokens if len(token) > 1]
        try:
            both = [self.encode(special[:1] or ["a"], False, parse) for parse in parses]
        except TypeError:
            self.switch = ()
            parses = [True]
        else:
            parses = parses if not special or both[0] != both[1] else [True]
        try:
            list(streamed(self.tokenizer, [], [0], True))
            streams = True
        except Exception:  # an older library has no TextStreamer, or one that needs torch
            streams = False
        return {
            "parse_special": parses,
            "add_special": [False, True],
            "streams": streams,
            "spans": bool(getattr(self.tokenizer, "is_fast", False)),
        }

    def save(self, path: str) -> None:
        """Write the file that the library made of it; one without such a file raises AttributeError."""
        self.tokenizer.backend_tokenizer.save(path)

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        if not texts:
            return []
        return self.tokenizer(
            texts,
            add_special_tokens=add_special,
            **dict.fromkeys(self.switch, not parse_special),
            padding=False,
            truncation=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        return [self.tokenizer.decode(row, skip_special_tokens=skip_special) for row in rows]

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Any:
        """`return_offsets_mapping`."""
        return offsets(self.tokenizer, text, add_special, dict.fromkeys(self.switch, not parse_special))

    def stream(self, prefill: list[int], ids: list[int], skip_special: bool) -> Any:
        """`TextStreamer`."""
        return streamed(self.tokenizer, prefill, ids, skip_special)


def merges_are_plain_now(path: str) -> bool:
    """Put a file with merges as older libraries read them in the place of a link to one with merges as pairs."""
    older = runpy.run_path(TOKENIZERS)["with_plain_merges"](path) if os.path.exists(path) else None
    if older is not None:
        os.remove(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(older)
    return older is not None


def offsets(tokenizer: Any, text: str, add_special: bool, switch: dict[str, bool]) -> Any:
    """The ids of a text, and its first character and the one behind its last for each."""
    given = {"padding": False, "truncation": False, "verbose": False, **switch}
    encoded = tokenizer(text, add_special_tokens=add_special, return_offsets_mapping=True, **given)
    return encoded["input_ids"], encoded["offset_mapping"]


def streamed(tokenizer: Any, prefill: list[int], ids: list[int], skip_special: bool) -> Any:
    """What `TextStreamer` prints for each id, and at the end; it is given a prompt that it is told to skip."""
    import numpy
    from transformers import TextStreamer

    given: list[str] = []
    streamer = TextStreamer(tokenizer, skip_prompt=bool(prefill), skip_special_tokens=skip_special)
    streamer.on_finalized_text = lambda text, stream_end=False: given.append(text)
    if prefill:
        streamer.put(numpy.array(prefill))
    for i in ids:
        streamer.put(numpy.array([i]))
        yield "".join(given)
        given.clear()
    streamer.end()
    yield "".join(given)
