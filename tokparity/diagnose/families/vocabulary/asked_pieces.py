"""Runs an engine on single pieces of the model, and notes which pieces it returns."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import has_other_ids
from tokparity.diagnose.limits.texts import PIECES_ALIKE, PIECES_SAMPLED
from tokparity.outcome import Encoding
from tokparity.vocabulary import Kind


class AskedPieces:
    """The answers of one engine about the pieces of one model."""

    def __init__(self, facts: Facts) -> None:
        self.facts, self.base, self.asking = facts, facts.base, facts.asking
        base, vocabulary = facts.base, facts.base.vocabulary
        self.spelled = base.generators.subject.spelled
        ordinary = (Kind.NORMAL, Kind.USER_DEFINED)
        added = {token.id for token in vocabulary.added}
        self.pieces = [
            i
            for i, (text, kind) in enumerate(zip(self.spelled, vocabulary.kinds, strict=True))
            if text and kind in ordinary and i not in added
        ]

    def given(self, some: Sequence[Observation]) -> set[int]:
        """The ids that came at least once."""
        return {i for seen in some if isinstance(seen.actual, Encoding) for i in seen.actual.ids}

    def lost(self, some: Sequence[Observation]) -> set[int]:
        """The ids that were expected and did not come, of texts that were answered with ids."""
        return {
            i for seen in some if has_other_ids(seen) for i in {*seen.ids}.difference(getattr(seen.actual, "ids", ()))
        }

    def never(self, some: Collection[int], seen: Sequence[Observation], only_alone: bool = False) -> list[int]:
        """Those that never came, neither in what was seen nor where each is asked alone; `only_alone`: those of which
        asking them alone shows it."""
        never = sorted(set(some).difference(self.given(seen)).intersection(self.pieces))
        self.ask(never)
        alone = [found for i in never if (found := self.asking.seen.get(self.text(i))) is not None]
        shown = self.lost(alone) if only_alone else {*never}
        return sorted(shown.intersection(never).difference(self.given(alone)))

    def put_alike(self, like: Sequence[int]) -> None:
        """Run the engine on a sample of all pieces, and on pieces similar to some of them."""
        rng = random.Random(0)
        some = rng.sample(self.pieces, min(PIECES_SAMPLED, len(self.pieces)))
        sizes = {len(self.spelled[i]) for i in like}
        firsts = {self.text(i)[:1] for i in like}
        alike = [i for i in self.pieces if len(self.spelled[i]) in sizes or self.text(i)[:1] in firsts]
        some += rng.sample(alike, min(PIECES_ALIKE, len(alike)))
        self.ask(some)

    def ask(self, some: Sequence[int]) -> None:
        """Put each alone to the engine."""
        self.asking.allow(len(some))
        self.asking.wrong([self.text(i) for i in some])

    def text(self, piece: int) -> str:
        """A piece as it stands in a text; bytes that are not UTF-8 are lone surrogates."""
        return self.spelled[piece].decode("utf-8", "surrogateescape")

    def letters(self, piece: int) -> str:
        """A piece as the vocabulary spells it."""
        return self.base.vocabulary.pieces[piece].decode("utf-8", "surrogateescape")
