"""Models that lack some pieces: one piece, all long ones, or those that begin with a certain character.

The engine is run on a sample of all pieces, one by one. What separates the pieces that never come back from the
others is a class of pieces. What happens to a text with a lost piece may differ from engine to engine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, islice

from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.vocabulary.asked_pieces import AskedPieces
from tokparity.diagnose.hypothesis import Variant, ids_by
from tokparity.diagnose.limits.families import LISTED, PROBES, SORTS
from tokparity.diagnose.limits.texts import PIECES_BETWEEN, PIECES_IN_DOUBT
from tokparity.diagnose.separate.classes import classes, telling
from tokparity.diagnose.separate.features import IN_A_PIECE, Feature, at_places, separate
from tokparity.diagnose.separate.names import named
from tokparity.questions import Encode
from tokparity.questions.json_text import literal
from tokparity.reference.unknown import fallback
from tokparity.vocabulary import Kind, Vocabulary

Sort = Feature[int]
"""Some pieces, by their ids; its words follow "without"."""


def lost_pieces(facts: Facts) -> Iterator[Variant]:
    """The variants without pieces of a sort of which the smallest mismatch lacks one; the plainest sorts first."""
    search = _LostPieces(facts)
    every = [*facts.failing, *facts.right]
    here = search.never(search.lost([facts.against]), every)
    if not here:
        return
    search.put_alike(here)
    seen = [*every, *facts.asking.seen.values()]
    here = search.never(here, seen)
    lost = sorted({*here, *search.never(search.lost(seen), seen, only_alone=not facts.asking.is_stored)})
    if here:
        sorts = list(search.sorts(here, lost, search.given(seen).intersection(search.pieces)))
        of_each = Counter(i for sort in sorts for i in search.of(sort))
        doubtful = sorted(i for i, count in of_each.items() if count < len(sorts))  # texts show which sort it is
        for sort in sorts:
            yield from search.variants(sort, doubtful)


class _LostPieces(AskedPieces):
    """What tells the pieces that one engine never gives from those that it gives."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self._tried: set[frozenset[int]] = set()

    def sorts(self, here: Sequence[int], lost: Sequence[int], given: set[int]) -> Iterator[Sort]:
        """The classes that separate lost pieces from others; each holds for a piece that is lost `here`."""
        if not self.asking.is_stored:  # what is stored shows no edge, and of few pieces nothing else
            yield from self._long(here, lost, given)
            yield from self._without_a_path(here, lost, given)
        yield from self._of_classes(here, lost, given)
        if len(lost) <= LISTED:
            told = " and ".join(f"{i} ({literal(self.text(i))})" for i in lost)
            yield Sort(f"the piece{'s' if len(lost) > 1 else ''} {told}", frozenset(lost).__contains__)

    def _long(self, here: Sequence[int], lost: Sequence[int], given: set[int]) -> Iterator[Sort]:
        """Pieces from some number on: of bytes, of characters, their ids."""
        for unit, of in self._measures.items():
            above = max((of(i) for i in given if self.spelled[i]), default=0)
            edge = max(map(of, here))
            if edge <= above:
                continue
            edge = self._edge(of, above, min((of(i) for i in lost if of(i) > above), default=edge))
            says = unit.format(f"{edge:,}") if edge > min(map(of, self.pieces)) else "any piece but the added tokens"
            yield Sort(says, partial(_reaches, of, edge))

    @cached_property
    def _measures(self) -> Mapping[str, Callable[[int], int]]:
        pieces = self.base.vocabulary.pieces
        return {
            "the pieces of {} bytes or more": lambda i: len(self.spelled[i]),
            "the pieces of {} characters or more": lambda i: len(self.text(i)),
            "the pieces of {} bytes or more, as the vocabulary spells them": lambda i: len(pieces[i]),
            "the pieces of {} characters or more, as the vocabulary spells them": lambda i: len(
                pieces[i].decode("utf-8", "surrogateescape")
            ),
            "the pieces whose id is {} or more": lambda i: i,
            "the pieces of which {} beginnings or more are pieces as well": self._beginnings,
        }

    @cached_property
    def _every(self) -> set[str]:
        return {self.letters(i) for i in self.pieces}

    def _beginnings(self, i: int) -> int:
        """How many pieces a search for the beginnings of a text finds before this one."""
        text = self.letters(i)
        return sum(text[:end] in self._every for end in range(1, len(text)))

    def _edge(self, of: Callable[[int], int], given: int, lost: int) -> int:
        """The least number that is lost, between one that came and one that did not."""
        rng = random.Random(0)
        between = sorted({of(i) for i in self.pieces if given < of(i) < lost})
        while between:
            middle = between[len(between) // 2]
            some = [i for i in self.pieces if of(i) == middle]
            self.ask(some := rng.sample(some, min(PIECES_BETWEEN, len(some))))
            seen = [self.asking.seen[text] for i in some if (text := self.text(i)) in self.asking.seen]
            if {*some} & self.given(seen) or not {*some} & self.lost(seen):
                between = [n for n in between if n > middle]
            else:
                lost, between = middle, [n for n in between if n < middle]
        return lost

    def _without_a_path(self, here: Sequence[int], lost: Sequence[int], given: set[int]) -> Iterator[Sort]:
        """Pieces that are not found by going on from piece to piece, character by character."""
        for says, cut in (("beginnings", slice(None, -1)), ("ends", slice(1, None))):

            def has_none(i: int, cut: slice = cut) -> bool:
                text = self.letters(i)
                while len(text := text[cut]) > 0:
                    if text not in self._every:
                        return True
                return False

            if all(map(has_none, lost)) and any(map(has_none, here)) and not any(map(has_none, given)):
                yield Sort(f"the pieces of which not all {says} are pieces as well", has_none)

    def _of_classes(self, here: Sequence[int], lost: Sequence[int], given: set[int]) -> Iterator[Sort]:
        """Pieces with a character of one class, at the front, at the end, anywhere, or of nothing else."""
        came, gone = ([i for i in some if self.spelled[i]] for some in (given, lost))
        characters = sorted({c for i in here for c in self.text(i)})
        some = [*((named(c), c.__eq__) for c in characters), *((one.says, one.holds) for one in classes())]
        alone = ({text for text in map(self.text, ids) if len(text) == 1} for ids in (gone, came))
        some += [(one.says, one.holds)] if (one := telling(*alone)) else []
        places = {f"the pieces {where}": has for where, has in IN_A_PIECE.items()}
        bytewise = {where.replace("character", "byte"): has for where, has in places.items()}
        features: Iterator[Sort] = chain(
            at_places(places, some, lambda i: (self.text(i),)),
            at_places(bytewise, [("a byte above 0x7F", _is_high)], lambda i: (self.spelled[i].decode("latin-1"),)),
        )
        yield from islice((one for one in separate(gone, came, features) if any(map(one.holds, here))), SORTS)

    def of(self, sort: Sort) -> list[int]:
        """The ids of the pieces of one sort."""
        return [i for i in self.pieces if sort.holds(i)]

    def variants(self, sort: Sort, doubtful: Sequence[int]) -> Iterator[Variant]:
        """The model without pieces of this class, or never writing them; `doubtful` pieces test these."""
        vocabulary, behaviour = self.base.vocabulary, self.base.behaviour
        gone = self.of(sort)
        removed = frozenset(gone)
        if removed in self._tried:
            return  # the same pieces in other words
        self._tried.add(removed)
        smaller = without_pieces(vocabulary, removed)
        rng = random.Random(0)
        some = [*rng.sample(gone, min(PROBES, len(gone))), *rng.sample(doubtful, min(PIECES_IN_DOUBT, len(doubtful)))]
        texts = list(dict.fromkeys(map(self.text, some)))
        without = self.facts.built(smaller)
        yield self.facts.variant(f"without {sort.says}", partial(ids_by, without), texts)
        unknown, ids = fallback(smaller, behaviour), vocabulary.ids
        for how, instead in (
            (f"that drops {sort.says} in the end", lambda i: ()),
            (f"that takes {sort.says} apart in the end", lambda i: without.word_ids(self._word(i))),
            (
                f"that spells {sort.says} character by character in the end",
                lambda i: [ids[c.encode()] for c in self.letters(i) if c.encode() in ids],
            ),
            (f"that writes the ids of unknown text in place of {sort.says}", lambda i: unknown(self.letters(i))),
        ):
            yield self.facts.variant(how, partial(self._with, removed, instead), texts)

    def _word(self, piece: int) -> str:
        """A piece as the segmenter is given it."""
        if self.base.behaviour.byte_level:
            return self.text(piece)
        return self.letters(piece)

    def _with(
        self, removed: Collection[int], instead: Callable[[int], Sequence[int]], question: Encode
    ) -> list[int] | None:
        """The right ids with others in the place of those that are removed."""
        right = ids_by(self.base.tokenizer, question)
        return None if right is None else [j for i in right for j in (instead(i) if i in removed else (i,))]


def without_pieces(vocabulary: Vocabulary, removed: Collection[int]) -> Vocabulary:
    """The vocabulary without some pieces, and without the merges that make them."""
    names = {vocabulary.pieces[i] for i in removed}
    return replace(
        vocabulary,
        pieces=tuple(b"" if i in removed else piece for i, piece in enumerate(vocabulary.pieces)),
        kinds=tuple(Kind.UNUSED if i in removed else kind for i, kind in enumerate(vocabulary.kinds)),
        merges=tuple(pair for pair in vocabulary.merges if pair[0] + pair[1] not in names),
    )


def _is_high(byte: str) -> bool:
    return byte > "\x7f"


def _reaches(of: Callable[[int], int], edge: int, piece: int) -> bool:
    return of(piece) >= edge
