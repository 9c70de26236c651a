"""SentencePiece of any version on a .model file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Model:
    """A .model in the `sentencepiece` library; BOS and EOS are put around by whoever asks."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from sentencepiece import SentencePieceProcessor

        self.processor = SentencePieceProcessor()
        self.processor.Load(path)
        self.takes_bytes = self.works(lambda: self.processor.Encode([b"a\xff"], out_type=int))
        self.gives_bytes = self.works(lambda: isinstance(self.processor.Decode([[0]], out_type=bytes)[0], bytes))

    @staticmethod
    def works(trial: Callable[[], Any]) -> bool:
        """Whether the library can do this."""
        try:
            return bool(trial())
        except Exception:  # an older library knows no such type
            return False

    def capabilities(self) -> dict[str, Any]:
        """Special tokens are never recognized in a text, and never shown."""
        return {
            "invalid_utf8": self.takes_bytes,
            "parse_special": [False],
            "skip_special": [True],
            "streams": True,
            "spans": self.works(lambda: spans_of(self.processor, "a")),
        }

    def encode(self, texts: list[Any], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text."""
        return self.processor.Encode(texts, out_type=int)

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        if not rows:
            return []
        return self.processor.Decode(rows, out_type=bytes) if self.gives_bytes else self.processor.Decode(rows)

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Any:
        """The library's own spans."""
        return spans_of(self.processor, text)

    def stream(self, prefill: list[int], ids: list[int], skip_special: bool) -> Any:
        """The library has no stream: this is what its users do."""
        return streamed(lambda row: self.decode([row], skip_special)[0], prefill, ids)


def spans_of(processor: Any, text: str) -> Any:
    """The ids of a text, and `begin` and `end` of each piece: a newer library counts bytes, an older one characters."""
    try:
        pieces, at = processor.Encode(text, return_type="proto").pieces, characters_at(text)
    except TypeError:  # `return_type` is not known
        pieces, at = processor.Encode(text, out_type="immutable_proto").pieces, list(range(len(text) + 1))
    return [piece.id for piece in pieces], [(at[piece.begin], at[piece.end]) for piece in pieces]


def characters_at(text: str) -> list[int]:
    """How many characters of a text begin before each of its bytes, and how many there are."""
    counts = [0]
    for number, character in enumerate(text, 1):
        counts += [number] * len(character.encode())
    return counts


def streamed(decode: Callable[[list[int]], Any], prefill: list[int], ids: list[int]) -> Any:
    """What decoding all ids so far has more than before, for each id; nothing is left at the end."""
    before = decode(prefill)
    for end in range(1, len(ids) + 1):
        text = decode(prefill + ids[:end])
        yield text[len(before) :]
        before = text
    yield before[:0]
