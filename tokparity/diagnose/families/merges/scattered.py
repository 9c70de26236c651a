"""A model that lacks unrelated merges, for instance because two share a slot of a table.

The lost merges have nothing in common, so the engine is run on what each merge makes, alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from tokparity.diagnose.asking import Asking
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.merges.lost import letters, spelled
from tokparity.diagnose.hypothesis import Variant, has_other_ids
from tokparity.diagnose.limits.families import FEWEST_ALIKE, TOLD
from tokparity.diagnose.limits.texts import MERGES_OF, MERGING_ROUNDS
from tokparity.diagnose.word_by_word import WordByWord
from tokparity.outcome import Encoding
from tokparity.questions import Encode, Question
from tokparity.questions.json_text import literal
from tokparity.reference.byte_alphabet import letters as letters_of
from tokparity.reference.merging import by_pair, merge

_REST = (b"", b"\x80", b"\xa5", b"\x80\x80", b"\xa5\xa5")
"""What may complete a character of which the first bytes are there."""

Pair = tuple[str, str]


def scattered_merges(facts: Facts) -> Iterator[Variant]:
    """The variant without the merges that the engine never makes, alone either; where it lacks a few at least."""
    base = facts.base
    if not base.vocabulary.merges or base.behaviour.merge is not None:
        return
    lost = _Lost(base, facts.asking.with_flags(False, False))
    lost.learn([seen.question for seen in facts.failing if has_other_ids(seen)][:MERGES_OF])
    gone = [pair for pair, is_lost in lost.known.items() if is_lost]
    if len(gone) < FEWEST_ALIKE:
        return
    told = ", ".join(" + ".join(literal(letters(half, base)) for half in pair) for pair in gone[:TOLD])
    says = f"without {len(gone):,} of the {len(lost.known):,} merges that were put to it alone, as {told}"
    yield facts.variant(says, lost.ids, [lost.completed(pair) for pair in lost.known])


class _Lost:
    """Which merges one engine lacks: asked for each when a word needs it."""

    def __init__(self, base: Base, asking: Asking) -> None:
        self._base, self._asking, self._words = base, asking, WordByWord(base)
        self._rank, _ = by_pair(base.vocabulary.merge_places)
        self._spell = letters_of(base.behaviour) if base.behaviour.byte_level else str
        self._ids = base.vocabulary.ids
        self.known: dict[Pair, bool] = {}

    def learn(self, questions: Sequence[Question]) -> None:
        """Run the engine on what the words need, and again without the lost merges."""
        places = [one for question in questions if isinstance(question, Encode) for one in self._words.places(question)]
        words = {place.text for _, place in places}
        for _ in range(MERGING_ROUNDS):
            used = {pair for word in words for pair in self._merged(word)[1] if pair not in self.known}
            if not used or not self._asking.can:
                break
            self._ask(sorted(used))

    def ids(self, question: Encode) -> Sequence[int] | None:
        """The ids without the merges that are lost; None where it is not known of all whether they are."""
        self.learn([question])
        places = [place.text for _, place in self._words.places(question)]
        if any(pair not in self.known for word in places for pair in self._merged(word)[1]):
            return None
        return self._words.ids(question, self._of_word, lambda place: True)

    def _of_word(self, word: str) -> list[int]:
        return [self._ids.get(symbol.encode("utf-8", "surrogateescape"), -1) for symbol in self._merged(word)[0]]

    def _merged(self, word: str) -> tuple[list[str], list[Pair]]:
        """What a word becomes without the merges that are known to be lost, and the merges that are done in it."""
        symbols = self._spell(word)
        if self._base.behaviour.ignore_merges and symbols.encode() in self._ids:
            return [symbols], []
        used: list[Pair] = []
        return merge([*symbols], self._left, on_merge=lambda left, right, rank: used.append((left, right))), used

    def _left(self, left: str, right: str) -> float:
        return inf if self.known.get((left, right)) else self._rank(left, right)

    def _ask(self, pairs: Sequence[Pair]) -> None:
        texts = {pair: self.completed(pair) for pair in pairs}
        self._asking.allow(len(texts))
        self._asking.wrong(list(texts.values()))
        for pair, text in texts.items():
            if text in self._asking.seen:
                self.known[pair] = self._is_lost(pair, self._asking.seen[text])

    def _is_lost(self, pair: Pair, seen: Observation) -> bool:
        """Whether the halves came first, and not what they make."""
        if not isinstance(seen.actual, Encoding):
            return False
        whole, *halves = (self._ids.get(part.encode("utf-8", "surrogateescape")) for part in ("".join(pair), *pair))
        if "\udc80" <= spelled(pair, self._base)[-1:] <= "\udcff":  # completed to a character, which has more ids
            return seen.wrong and seen.actual.ids[:2] == tuple(halves)
        return seen.ids == (whole,) and seen.actual.ids == tuple(halves)

    def completed(self, pair: Pair) -> str:
        """The text of what a merge makes; if it ends inside a character, more bytes complete that character."""
        text = spelled(pair, self._base)
        data = text.encode("utf-8", "surrogateescape")
        for more in _REST:
            try:
                return (data + more).decode()
            except UnicodeDecodeError:
                continue
        return text
