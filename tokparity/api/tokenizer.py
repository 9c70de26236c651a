"""The reference tokenizer of a model, for people's own programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from tokparity import formats, models
from tokparity.api.given import Given, fetched, model_of
from tokparity.formats import Source
from tokparity.questions.json_text import as_bytes
from tokparity.reference import explain as explaining
from tokparity.reference.explain import Step
from tokparity.reference.tokenizer import Tokenizer as Reference
from tokparity.vocabulary import pieces_at


@dataclass(frozen=True)
class Explanation:
    """The steps from a text to its ids; as a text, what `tokparity explain` prints."""

    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "\n".join(explaining.lines(list(self.steps)))


class Tokenizer:
    """The reference tokenizer in plain Python: it returns the right ids, and shows every step.

    Texts are str, or bytes where they need not be UTF-8.
    """

    def __init__(self, source: Source) -> None:
        """`source` is what a model's file says: `formats.read(path)` gives it."""
        self.source = source
        self._reference = Reference(source.vocabulary, source.behaviour)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Tokenizer:
        """The tokenizer in a file of any format (tokenizer.json, GGUF, ...) or in a model's directory."""
        return cls(formats.read(os.fspath(path)))

    @classmethod
    def from_model(cls, model: Given) -> Tokenizer:
        """The tokenizer of a model: what its most trustworthy file says."""
        return cls(models.primary_source(fetched(model_of(model)[0])))

    def encode(self, text: str | bytes, add_special: bool = True, parse_special: bool = False) -> list[int]:
        """The ids of a text."""
        return self._reference.encode(as_bytes(text), add_special, parse_special)

    def decode(self, ids: Sequence[int], skip_special: bool = False) -> str:
        """The text of ids; bytes that are not UTF-8 become U+FFFD, as they do on a screen."""
        return self.decode_bytes(ids, skip_special).decode("utf-8", "replace")

    def decode_bytes(self, ids: Sequence[int], skip_special: bool = False) -> bytes:
        """The text of ids, exactly."""
        return self._reference.decode(ids, skip_special)

    def explain(self, text: str | bytes, add_special: bool = True, parse_special: bool = False) -> Explanation:
        """What happens to a text on its way to ids, step by step."""
        return Explanation(tuple(explaining.explain(self._reference, as_bytes(text), add_special, parse_special)))

    def pieces(self, ids: Sequence[int]) -> list[bytes]:
        """The pieces that ids represent, as they are spelled in the file; empty for an id that the model has not."""
        return list(pieces_at(self.source.vocabulary.pieces, ids))

    def __repr__(self) -> str:
        return f"<Tokenizer of {self.source.path.name}: {len(self.source.vocabulary)} pieces, {self.source.format}>"
