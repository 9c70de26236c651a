"""What a generator knows of a model: its vocabulary, its behavior, and what follows from both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property

from tokparity.behaviour import Behaviour
from tokparity.generators.piece_index import PieceIndex
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.reference.charsmap import Charsmap
from tokparity.vocabulary import Kind, Vocabulary

_LONGEST_PIECE = 64
"""Bytes; longer pieces would crowd out everything else."""

_MARKER = "▁".encode()


@dataclass(frozen=True)
class Subject:
    """The model that texts are made for."""

    vocabulary: Vocabulary
    behaviour: Behaviour

    def spell(self, piece: bytes) -> bytes:
        """A piece as it stands in a text: markers are spaces again, the byte alphabet is bytes again."""
        behaviour = self.behaviour
        suffix, prefix = behaviour.word_suffix.encode(), behaviour.continuing_prefix.encode()
        if prefix and piece.startswith(prefix):
            piece = piece.removeprefix(prefix)
        if suffix and piece.endswith(suffix):
            piece = piece.removesuffix(suffix)
        if behaviour.byte_level:
            return from_alphabet(piece.decode("utf-8", "surrogateescape"))
        return piece.replace(_MARKER, b" ") if behaviour.space_marker == "▁" or behaviour.word_prefix == "▁" else piece

    @cached_property
    def spelled(self) -> tuple[bytes, ...]:
        """For each id its piece as it stands in a text; empty for byte pieces, control pieces and very long ones."""
        silent = (Kind.BYTE, Kind.CONTROL, Kind.UNKNOWN)
        return tuple(
            b"" if kind in silent or len(piece) > _LONGEST_PIECE else self.spell(piece)
            for piece, kind in zip(self.vocabulary.pieces, self.vocabulary.kinds, strict=True)
        )

    @cached_property
    def words(self) -> tuple[bytes, ...]:
        """The spelled pieces, in the order of their ids; never empty."""
        return tuple(piece for piece in self.spelled if piece) or (b"a",)

    @cached_property
    def index(self) -> PieceIndex:
        """The spelled pieces by how they begin and end."""
        return PieceIndex(self.words)

    @cached_property
    def characters(self) -> tuple[str, ...]:
        """The characters that occur in the pieces, sorted; never empty."""
        found: set[str] = set()
        for piece in self.words:
            found.update(piece.decode("utf-8", "ignore"))
        return tuple(sorted(found)) or ("a",)

    @cached_property
    def charsmap(self) -> dict[str, str]:
        """The precompiled charsmap of the normalizer; empty where there is none."""
        return {key: value for part in self.stages if isinstance(part, Charsmap) for key, value in part.table.items()}

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The spellings of the added tokens and of the pieces of a special kind, each once."""
        marked = (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED, Kind.BYTE)
        pairs = zip(self.vocabulary.pieces, self.vocabulary.kinds, strict=True)
        pieces = [piece.decode("utf-8", "replace") for piece, kind in pairs if kind in marked and piece]
        return tuple(dict.fromkeys([token.content for token in self.vocabulary.added if token.content] + pieces))

    @cached_property
    def stages(self) -> tuple[object, ...]:
        """Every part that the normalizer and the pre-tokenizer are made of, in order."""
        return (*_parts(self.behaviour.normalise), *_parts(self.behaviour.pretokenise))

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """The regular expressions of the pre-tokenizer, in order."""
        found = []
        for part in _parts(self.behaviour.pretokenise):
            pattern = getattr(part, "pattern", None)
            if isinstance(pattern, str) and pattern:
                found.append(pattern)
        return tuple(dict.fromkeys(found))


def _parts(stage: object) -> Iterator[object]:
    """A stage and what is inside of it, as far as it is made of dataclasses and tuples."""
    if isinstance(stage, tuple):
        for item in stage:
            yield from _parts(item)
    elif stage is not None and not isinstance(stage, str | bytes | int | float):
        yield stage
        if is_dataclass(stage):
            for entry in fields(stage):
                yield from _parts(getattr(stage, entry.name))
