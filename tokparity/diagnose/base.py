"""The model of a diagnosis: a vocabulary and the behavior that belongs to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tokparity.behaviour import Behaviour
from tokparity.diagnose.forms import READING, Forms
from tokparity.diagnose.limits.families import PIECES_PER_WORK, WORK_PER_PATTERN, WORK_PER_TOKENIZER
from tokparity.diagnose.pieces import Pieces
from tokparity.generators import Prepared, prepared
from tokparity.quirk import Quirk
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class Base:
    """A vocabulary and the behavior that belongs to it, as the oracle or as the engine read them."""

    vocabulary: Vocabulary
    behaviour: Behaviour

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The two together; large, and relatives of it share much, so it lives as long as this."""
        return Tokenizer(self.vocabulary, self.behaviour)

    def with_behaviour(self, behaviour: Behaviour) -> Base:
        """The same vocabulary with another behavior; its tokenizer is a relative of this one."""
        other = Base(self.vocabulary, behaviour)
        other.__dict__["tokenizer"] = self.tokenizer.with_behaviour(behaviour)
        return other

    def work_of(self, behaviour: Behaviour) -> int:
        """Work of a tokenizer with another behavior. Tables are built where words are cut otherwise into pieces; the
        patterns of another pre-tokenizer are compiled."""
        work = WORK_PER_TOKENIZER
        if not self.tokenizer.shares_segmenter(behaviour):
            work += len(self.vocabulary) // PIECES_PER_WORK
        return work + (WORK_PER_PATTERN if behaviour.pretokenise != self.behaviour.pretokenise else 0)

    @cached_property
    def generators(self) -> Prepared:
        """What makes texts for the model; it looks the model over, so it lives as long as this."""
        return prepared(self.vocabulary, self.behaviour)

    @cached_property
    def pieces(self) -> Pieces:
        """The pieces, ready to be looked for in texts."""
        return Pieces(self.vocabulary, self.behaviour)

    def forms(self, quirks: Sequence[Quirk]) -> Forms:
        """The forms into which the behavior and these quirks may bring texts."""
        quirks = [quirk for quirk in quirks if quirk.field in READING]
        names = tuple(quirk.name for quirk in quirks)
        if names not in self._forms:
            self._forms[names] = Forms(self.behaviour, quirks)
        return self._forms[names]

    @cached_property
    def _forms(self) -> dict[tuple[str, ...], Forms]:
        return {}
