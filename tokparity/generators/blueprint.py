"""What a generated model is made of, as data that can be made smaller piece by piece.

What a blueprint builds goes through the GGUF reader's rules, so that it means what a file with the same keys means.
The rest, such as attributes of added tokens, is added afterwards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from tokparity.behaviour import Behaviour
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_tokenizer import tokenizer_of
from tokparity.generators.charsmap_builder import charsmap_blob
from tokparity.reference.charsmap import Charsmap
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

Algorithm = Literal["spm", "ugm", "bpe", "plain bpe", "wpm"]
ALGORITHMS: tuple[Algorithm, ...] = ("spm", "ugm", "bpe", "plain bpe", "wpm")

_MODEL = {"spm": b"llama", "ugm": b"t5", "bpe": b"gpt2", "plain bpe": b"gemma4", "wpm": b"bert"}
SPACE = "▁"


@dataclass(frozen=True)
class Entry:
    """One piece."""

    piece: bytes
    kind: Kind = Kind.NORMAL
    score: float = 0.0


@dataclass(frozen=True)
class Blueprint:
    """What a generated model is made of. `entries` begin with the special pieces; `flags` are those that are on."""

    algorithm: Algorithm
    entries: tuple[Entry, ...]
    merges: tuple[tuple[bytes, bytes], ...] = ()
    charsmap: tuple[tuple[str, str], ...] = ()
    pre: bytes = b""
    flags: tuple[str, ...] = ()
    added: tuple[AddedToken, ...] = ()
    """Added tokens by content; the id is that of the piece."""

    def build(self) -> tuple[Vocabulary, Behaviour]:
        """The model."""
        vocabulary, behaviour = tokenizer_of(Keys(Path("generated"), self._keys()))
        if self.added:
            theirs = [self._token(token, vocabulary) for token in self.added]
            ours = {token.id for token in theirs}
            kept = [token for token in vocabulary.added if token.id not in ours]
            vocabulary = replace(vocabulary, added=tuple(sorted([*kept, *theirs], key=lambda token: token.id)))
        if "space_as_suffix" in self.flags:
            behaviour = replace(behaviour, space_as_suffix=True)
            if isinstance(behaviour.normalise, Charsmap):
                behaviour = replace(behaviour, normalise=replace(behaviour.normalise, marks_nothing=True))
        return vocabulary, behaviour

    def _token(self, token: AddedToken, vocabulary: Vocabulary) -> AddedToken:
        return replace(token, id=vocabulary.ids[token.content.encode()])

    def _keys(self) -> dict[str, Any]:
        keys: dict[str, Any] = {
            "model": _MODEL[self.algorithm],
            "tokens": [entry.piece for entry in self.entries],
            "token_type": array("i", [int(entry.kind) for entry in self.entries]),
            "unknown_token_id": 0,
            "bos_token_id": 1,
            "eos_token_id": 2,
        }
        if self._specials == 4:
            keys |= {"cls_token_id": 1, "seperator_token_id": 2, "mask_token_id": 3}
        if self.algorithm in ("spm", "ugm"):
            keys["scores"] = array("f", [entry.score for entry in self.entries])
        if self.merges:
            keys["merges"] = [left + b" " + right for left, right in self.merges]
        if self.charsmap:
            keys["precompiled_charsmap"] = array("B", charsmap_blob(dict(self.charsmap)))
        if self.pre:
            keys["pre"] = self.pre
        named = ("add_space_prefix", "remove_extra_whitespaces", "add_bos_token", "add_eos_token", "add_sep_token")
        keys |= {name: name in self.flags for name in (*named, "normalizer.lowercase", "normalizer.strip_accents")}
        return {PREFIX + key: value for key, value in keys.items()}

    def smaller(self) -> Iterator[Blueprint]:
        """Blueprints with something left out: a flag, an added token, charsmap entries, merges, pieces."""
        for flag in self.flags:
            yield replace(self, flags=tuple(other for other in self.flags if other != flag))
        for token in self.added:
            yield replace(self, added=tuple(other for other in self.added if other is not token))
        for start, end in _spans(len(self.charsmap)):
            yield replace(self, charsmap=self.charsmap[:start] + self.charsmap[end:])
        for start, end in _spans(len(self.merges)):
            yield replace(self, merges=self.merges[:start] + self.merges[end:])
        first = self._specials
        for start, end in _spans(len(self.entries) - first):
            yield self._without(frozenset(entry.piece for entry in self.entries[first + start : first + end]))

    @property
    def _specials(self) -> int:
        """How many entries are special pieces."""
        return 4 if self.algorithm == "wpm" else 3

    def _without(self, gone: frozenset[bytes]) -> Blueprint:
        """Without these pieces, and without what needs them."""
        return replace(
            self,
            entries=tuple(entry for entry in self.entries if entry.piece not in gone),
            merges=tuple((a, b) for a, b in self.merges if not gone & {a, b, a + b}),
            added=tuple(token for token in self.added if token.content.encode() not in gone),
        )


PLAIN = Blueprint(
    "spm",
    (
        *(Entry(b"<unk>", Kind.UNKNOWN), Entry(b"<s>", Kind.CONTROL), Entry(b"</s>", Kind.CONTROL)),
        *(Entry(piece.encode(), Kind.NORMAL, -float(rank)) for rank, piece in enumerate(("ab", "a", "b", SPACE))),
    ),
)
"""A model that every format has words for."""


def _spans(size: int) -> Iterator[tuple[int, int]]:
    """Stretches of halves, quarters, ... single ones."""
    step = size
    while step > 0:
        for start in range(0, size, step):
            yield start, min(start + step, size)
        step //= 2
