"""One key of a GGUF that does not say what it should, found by comparing keys with those that are wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokparity.doctor.fitting import TOKEN_TYPE, TOKENS, fitted, found_padding
from tokparity.doctor.wording import told, told_type, with_types
from tokparity.formats import Source
from tokparity.formats.beside import is_of_prompts
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_metadata import Field, read_metadata
from tokparity.formats.gguf_rewrite import Value
from tokparity.formats.gguf_types import as_read, refused_type
from tokparity.report.model import FileFault
from tokparity.report.rule import SENTENCES

_ABOUT_TEXT = ("chat_template",)  # keys of a tokenizer that change no ids

_MODEL = PREFIX + "model"
_OF_PIECES = ("sentencepiece", "tiktoken")
"""Formats that list the pieces of a model; tokens that were added to it are in files beside them."""


@dataclass(frozen=True)
class KeyChange:
    """One key: what the file says, and what it should say; None for a key that is not there, or should not be."""

    key: str
    before: Any
    after: Value | None

    pieces: Sequence[bytes] = field(default=(), compare=False, repr=False)
    """The pieces of the file, by which entries are named."""
    tried: int = field(default=0, compare=False)
    """How many texts were tried to show it."""
    text: str = field(default="", compare=False)
    """A text that shows it; `ours` is what the file gives there, and `its` what the source gives."""
    ours: str = field(default="", compare=False)
    its: str = field(default="", compare=False)
    effect: str = field(default="", compare=False)
    """What follows from it, where no text can show that."""
    disputed: bool = field(default=False, compare=False)
    """Whether two sources disagree, and the file says what one of them says."""
    unsaid: str = field(default="", compare=False)
    """Where the source does not say what the key should be: what is known instead."""
    phrase: str = ""
    """The value in words, where that says more than the value; such as where a long text differs."""
    types: tuple[str, str] | None = None
    """The type that the key has and the one that it should have, where llama.cpp refuses the file for it."""

    @property
    def is_of_prompts(self) -> bool:
        """Whether it is about chat templates, which change no ids of a text."""
        return is_of_prompts(self.key)

    @property
    def shown(self) -> tuple[str, str]:
        """The value before and after, as a reader sees them; of a long list one phrase for both, and no second."""
        if self.phrase:
            return self.phrase, ""
        if self.types and self.after is not None and _same(as_read(self.key, self.before), self.after):
            return told_type(self.types), ""
        value, should = told(self.key, self.before, self.after, self.pieces)
        if self.types:
            value, should = with_types(value, should, self.types)
        return value, should

    def describe(self) -> str:
        """One line: the key, its value before and after, and the proof that the change matters."""
        value, should = self.shown
        told = f"{self.key}: {value} -> {should}" if should else f"{self.key}, which {value}"
        proof = self.effect or (SENTENCES["shown"].format(text=self.text, ours=self.ours, its=self.its))
        return f"{told} ({proof})" if self.text or self.effect else told

    def fault(self, model: str, path: Path, against: Path, by_doctor: bool = True) -> FileFault:
        """The key as the rule weighs it."""
        value, should = self.shown
        seen = {name: getattr(self, name) for name in ("tried", "text", "ours", "its", "effect", "disputed", "unsaid")}
        return FileFault(model, str(path), str(against), self.key, value, should, by_doctor=by_doctor, **seen)


def unlike(path: Path, wanted: Mapping[str, Any], source: Source) -> list[KeyChange]:
    """The keys that are wanted otherwise than they are, or of a type that llama.cpp refuses.

    Those of the wanted that are None are to go; what is not wanted keeps its value, if that has one in the right type.
    """
    fields = tokenizer_fields(path)
    current: dict[str, Any] = {key: field.value for key, field in fields.items()}
    types = {key: refused for key, field in fields.items() if (refused := refused_type(field))}
    readable = {**current, **{key: as_read(key, current[key]) for key in types}}
    pieces = current.get(TOKENS, ())
    both = {**{key: readable[key] for key in types}, **wanted}
    first, lists_all = len(wanted.get(TOKENS) or pieces), source.format not in _OF_PIECES
    found = found_padding(pieces, readable.get(TOKEN_TYPE), first, lists_all)
    by_score = found if current.get(_MODEL) == b"t5" else ()
    values = {
        key: fitted(key, pieces, readable.get(key), value, found if key == TOKEN_TYPE else by_score)
        for key, value in both.items()
    }
    return [
        KeyChange(key, current.get(key), value, pieces, types=types.get(key))
        for key, value in values.items()
        if key in types or not _same(current.get(key), value)
    ]


def tokenizer_keys(path: Path) -> dict[str, Any]:
    """What a GGUF says of its tokenizer, as far as that changes ids, by key."""
    return {key: field.value for key, field in tokenizer_fields(path).items()}


def tokenizer_fields(path: Path) -> dict[str, Field]:
    """The same with their types; FormatError where there are no pieces."""
    fields = read_metadata(path).fields
    found = {key: field for key, field in fields.items() if key.startswith(PREFIX) and not key.endswith(_ABOUT_TEXT)}
    # No other key is about anything without them.
    Keys(path, {key: field.value for key, field in found.items()}).strings("tokens")
    return found


def _same(before: Any, after: Any) -> bool:
    if before is None or after is None:
        return before is after
    if isinstance(before, Sequence) and isinstance(after, Sequence) and not isinstance(before, bytes):
        return len(before) == len(after) and all(one == other for one, other in zip(before, after, strict=True))
    return bool(before == after)
