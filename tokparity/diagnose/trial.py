"""Whether an engine answers as a variant of the model: one that lacks some pieces, or cuts words elsewhere.

The reference, run on the variant, foretells every answer, wrong or right. So one text that it foretells wrongly, or one
right answer that it would spoil, refutes it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

from tokparity.diagnose.base import Base
from tokparity.diagnose.seen import Asking, Seen
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer

_LOOKED_AT = 60
_TESTED = 6
_PRECISION = 0.9
"""Of the mismatches in which a variant foretells other ids than the right ones, so many have these."""

_MOSTLY = 0.5
"""Where it foretells fewer of the mismatches, nothing is added to it."""

_WORTH = 1.05
"""So many times as many must be foretold where something is added."""

_TOGETHER = 3
"""So many things may be otherwise at once."""

_MADE, _FEWEST = 150, 10
_FEWEST_LEFT = 2
_FEWEST_FURTHER = 5
"""Of fewer mismatches it is not asked what else may be otherwise: something always fits."""

_AROUND = 40
"""Of the mismatches so many are put again with something beside them: what is made otherwise may show nothing."""

_CONTROLS = 300
_CONTEXTS = ("", "a", "one two ", "x y  z", "1 + 2", "café ", " b", "\n", "A1")
_PLAIN = ("Hello, world! 12", "it's 3:45 pm", "naïve café", "世界人大", "\t x\n\ny", "a\U0001f600 b")


@dataclass(frozen=True)
class Variant:
    """What the ids are, in words that follow "the ids are those of the model"; `texts` mostly show that they are."""

    says: str
    ids: Callable[[Encode], Sequence[int] | None]
    """The ids of a question; None where the variant can give none."""
    texts: Sequence[str]
    model: Base | None = None
    """The variant itself, where it is a model that may differ further."""

    def with_also(self, other: Variant) -> Variant:
        """A variant of this one, which differs from the model in both ways."""
        return replace(other, says=f"{self.says}, and {other.says}", texts=[*self.texts, *other.texts])

    def changes(self, seen: Seen) -> bool:
        """Whether other ids than the right ones are foretold."""
        found = self.ids(seen.question) if isinstance(seen.question, Encode) else None
        return found is not None and tuple(found) != seen.ids

    def foretells(self, seen: Seen) -> bool:
        """Whether the engine gave the ids of the variant."""
        if not isinstance(seen.question, Encode) or not isinstance(seen.actual, Encoding):
            return False
        found = self.ids(seen.question)
        return found is not None and tuple(found) == seen.actual.ids


More = Callable[[Seen, Base], Iterable[Variant]]
"""The further variants of a model that something that it does not foretell shows."""


@dataclass(frozen=True)
class Stood:
    """A variant that stood its test: it foretold each of `made` texts, of which `failing` are answered wrongly."""

    variant: Variant
    made: int
    failing: int

    @property
    def says(self) -> str:
        """A clause on the answers."""
        return f"the ids are those of the model {self.variant.says}"

    def explained(self, some: Sequence[Seen]) -> list[bool]:
        """For each of what was seen whether its ids are wrong and as was foretold."""
        return [has_other_ids(seen) and self.variant.foretells(seen) for seen in some]


def ids_by(tokenizer: Tokenizer, question: Encode) -> Sequence[int] | None:
    """The ids that a tokenizer gives; None where it gives none."""
    found = imitate(tokenizer, question)
    return found.ids if isinstance(found, Encoding) else None


def has_other_ids(seen: Seen) -> bool:
    """Whether ids came, and other ones than were expected."""
    return isinstance(seen.actual, Encoding) and isinstance(seen.question, Encode) and seen.actual.ids != seen.ids


def standing(
    variants: Iterable[Variant], left: Sequence[Seen], right: Sequence[Seen], asking: Asking, more: More
) -> Stood | None:
    """The variant that foretells most of what is `left` and all that is put to refute it; None if none does.

    Of those that foretell as much the first one counts, so they should come with the plainest first. Where the best
    does not foretell all, the smallest text that speaks against it may show what `more` is otherwise.
    """
    every = [seen for seen in left if has_other_ids(seen)]
    failing = every[:: max(len(every) // _LOOKED_AT, 1)][:_LOOKED_AT]
    best: tuple[int, Stood | None] = 0, None
    for _ in range(_TOGETHER):
        counted = []
        for one in variants:
            count = sum(map(one.foretells, failing))
            if count and count == len(failing) and (stood := _tested(one, every, right, asking)):
                return stood  # none foretells more
            counted.append((one, count))
        counted.sort(key=lambda found: -found[1])
        for one, count in counted[:_TESTED]:
            enough = max(min(_FEWEST_LEFT, len(failing)), _PRECISION * sum(map(one.changes, failing)))
            if count >= enough and count > best[0] * _WORTH:
                stood = _tested(one, every, right, asking)
                best = (count, stood) if stood else best
        enough = max(_MOSTLY * len(failing), _FEWEST_FURTHER)
        if best[0] == len(failing) or not counted or counted[0][1] < enough:
            break
        first = counted[0][0]
        against = _against(first, [*failing, *asking.seen.values()])
        if first.model is None or against is None or not asking.can:
            break
        variants = [first.with_also(one) for one in more(against, first.model)]
    return best[1]


def _against(one: Variant, some: Iterable[Seen]) -> Seen | None:
    """The smallest of what was seen that a variant foretells wrongly."""
    wrongly = [seen for seen in some if isinstance(seen.actual, Encoding) and not one.foretells(seen)]
    return min(wrongly, key=lambda seen: seen.size, default=None)


def _tested(one: Variant, left: Sequence[Seen], right: Sequence[Seen], asking: Asking) -> Stood | None:
    """The variant if it foretells what is put to refute it, all that was right, and nearly all of what it changes."""
    rng = random.Random(0)
    own, around = (_beside(some, rng) for some in (one.texts, [seen.spelled for seen in left[:_AROUND]]))
    shown = [*one.texts, *own, *around]
    texts = list(dict.fromkeys((*_CONTEXTS, *_PLAIN, *rng.sample(shown, len(shown)))))[:_MADE]
    # What was asked for another variant may refute this one as well.
    if not all(one.foretells(asking.seen[text]) for text in texts if text in asking.seen):
        return None
    controls = [seen for seen in right if isinstance(seen.question, Encode) and isinstance(seen.actual, Encoding)]
    if not all(map(one.foretells, controls[:: max(len(controls) // _CONTROLS, 1)][:_CONTROLS])):
        return None
    asking.allow(len(texts))
    asking.wrong(texts)
    found = [seen for text in texts if (seen := asking.seen.get(text)) is not None]
    wrong = sum(map(has_other_ids, found))
    if len(found) < len(texts) // 2 or not all(map(one.foretells, found)) or not wrong:
        return None
    foretold = sum(map(one.foretells, left))
    if foretold < _FEWEST_LEFT:  # one mismatch that is put again with something beside it speaks for anything
        wrong = sum(has_other_ids(asking.seen[text]) for text in {*texts} - {*around} if text in asking.seen)
    if wrong + foretold < _FEWEST or foretold < _PRECISION * sum(map(one.changes, left)):
        return None
    return Stood(one, len(found), wrong) if all(map(one.foretells, controls)) else None


def _beside(texts: Sequence[str], rng: random.Random) -> list[str]:
    """The texts again and again, with something beside them."""
    return [rng.choice(_CONTEXTS) + text + rng.choice(_CONTEXTS) for text in islice(cycle(texts), _MADE)]
