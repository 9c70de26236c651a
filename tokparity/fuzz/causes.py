"""Why an engine disagrees on a generated model: sets of quirks that the diagnosis has verified, tried on each text.

Engines deviate in the same ways on model after model, so what explained one model is tried first on the next.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product, zip_longest
from typing import TYPE_CHECKING

from tokparity import quirks
from tokparity.behaviour import Stage
from tokparity.diagnose import Base, Limits, diagnose
from tokparity.finding import Control, Mismatch
from tokparity.fuzz.why import Cause, Why, dies, flipped, gives
from tokparity.outcome import Encoding, Failure
from tokparity.session.judge import Batch, Sighting

if TYPE_CHECKING:
    from tokparity.quirk import Quirk
    from tokparity.reference.tokenizer import Tokenizer

_KEPT = 60
"""Mismatches of an engine on one model that are diagnosed; what is found is then tried on all."""

_PER_BATCH = 16
"""Controls that are kept of each batch."""

_KNOWN_WORK, _NEW_WORK = 2_000_000, 4_000_000
_SECONDS = 30.0
_MANY = 7  # different quirks on one model
_SEARCHES = 10
"""On how many models all quirks are searched for an engine and a kind of disagreement before it is left unexplained."""

_PAIRED, _TARGETS, _TOGETHER, _GIVING = 24, 4, 8, 12
"""Quirks of an engine that are tried in pairs, the commonest ones; mismatches on which they are tried; and how many of
the quirks that change something about a text are tried in threes and fours; sets that give what the engine gave."""


class Causes:
    """What was learned from model to model about each engine."""

    def __init__(self) -> None:
        self._known: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._searched: Counter[tuple[str, str, bool]] = Counter()

    def study(
        self, tokenizer: Tokenizer, mismatches: Sequence[Mismatch], right: Sequence[Control], again: bool = False
    ) -> Why:
        """Explain one engine's mismatches on one model: by what it did before, by all quirks where that does not do.

        `again`: it was tried before; what was learned since is tried, several quirks at a time.
        """
        engine = mismatches[0].engine
        kept, _ = varied(mismatches, _KEPT)
        why = _why(tokenizer, self._as_before(tokenizer, engine, kept, right))
        if again:
            why = _why(tokenizer, [*why.causes, *self._several(tokenizer, why, engine, kept, right)])
        known = [quirk for quirk in quirks.all_quirks() if quirk.name in self._known[engine]]
        for among, work in ((known, _KNOWN_WORK), (list(quirks.all_quirks()), _NEW_WORK)):
            left = [mismatch for mismatch in kept if not why.cause(mismatch)]
            if not among or not left or (among is not known and self._in_vain(engine, left, again)):
                continue
            found = _explained(tokenizer, left, right, among, work)
            found += _deadly(tokenizer, left, right, among, [*why.causes, *found])
            why = _why(tokenizer, [*why.causes, *found])
            if among is not known:
                self._searched.update({(engine, m.kind, again) for m in left if not why.cause(m)})
        self._known[engine].update(name for m in kept for name in why.cause(m))
        return why

    def _in_vain(self, engine: str, left: Sequence[Mismatch], again: bool) -> bool:
        """Whether all quirks were searched often enough for mismatches like these."""
        return all(self._searched[engine, mismatch.kind, again] >= _SEARCHES for mismatch in left)

    def known(self, engine: str) -> list[Cause]:
        """What the engine is known to do, each alone, the commonest first."""
        return [(name,) for name, _ in self._known[engine].most_common()]

    def _several(
        self, tokenizer: Tokenizer, why: Why, engine: str, kept: Sequence[Mismatch], right: Sequence[Control]
    ) -> list[Cause]:
        """Sets of quirks that explain what is left, each on one text: most of them quirks that the engine has."""
        known = [name for (name,) in self.known(engine)][:_PAIRED]
        every = Why(tokenizer, ())
        found: list[Cause] = []
        for mismatch in [mismatch for mismatch in kept if not why.cause(mismatch)][:_TARGETS]:
            if any(every.gives(cause, mismatch) for cause in found):
                continue
            touching = [name for name in quirks.names() if every.touches((name,), mismatch)]
            giving = list(islice((c for c in _sets(known, touching) if every.gives(c, mismatch)), _GIVING))
            # One more that changes nothing about this text may be what leaves others alone.
            more = (tuple(sorted({*cause, name})) for cause in giving for name in known if name not in cause)
            wider = (cause for cause in dict.fromkeys(more) if _is_possible(cause) and every.gives(cause, mismatch))
            found += islice((cause for cause in chain(giving, wider) if every.leaves(cause, right)), 1)
        return found

    def _as_before(
        self, tokenizer: Tokenizer, engine: str, kept: Sequence[Mismatch], right: Sequence[Control]
    ) -> list[Cause]:
        """Of the quirks that the engine is known to have, the commonest first, those that do on this model."""
        names = self.known(engine)
        why = Why(tokenizer, names)
        doing: dict[Cause, bool] = {}
        for mismatch in kept:
            for cause in [*(c for c, does in doing.items() if does), *(c for c in names if c not in doing)]:
                if why.gives(cause, mismatch):
                    if cause not in doing:
                        doing[cause] = why.leaves(cause, right)
                    if doing[cause]:
                        break
        return [cause for cause, does in doing.items() if does]


def _sets(known: Sequence[str], touching: Sequence[str]) -> Iterator[Cause]:
    """Sets of quirks in the order in which they are tried on a text that nothing explains, the engine's own first."""
    ours = [name for name in known if name in touching]
    pairs = chain(product(ours, known), product(touching, known), combinations(touching, 2))
    mostly_touching = (combinations(ours[:_TOGETHER], size) for size in (3, 4))
    others = ((one, *pair) for one, pair in product(ours, combinations(known, 2)))
    several = chain(pairs, *mostly_touching, others)
    for cause in dict.fromkeys(tuple(sorted(names)) for names in several if len(set(names)) == len(names)):
        if _is_possible(cause):
            yield cause


def _is_possible(cause: Cause) -> bool:
    return not any(quirks.clash(quirks.get(one), quirks.get(other)) for one, other in combinations(cause, 2))


def _explained(
    tokenizer: Tokenizer,
    kept: Sequence[Mismatch],
    right: Sequence[Control],
    among: Sequence[Quirk],
    work: int,
) -> list[Cause]:
    """The sets of quirks that the diagnosis has verified on some of the mismatches and on all controls."""
    base = Base(tokenizer.vocabulary, tokenizer.behaviour)
    found = diagnose([base], kept, right, among, limits=Limits(seconds=_SECONDS, work=work))
    return [explanation.quirks for explanation in found if explanation.quirks]


def _deadly(
    tokenizer: Tokenizer,
    kept: Sequence[Mismatch],
    right: Sequence[Control],
    among: Sequence[Quirk],
    verified: Sequence[Cause],
) -> list[Cause]:
    """The quirks of the algorithm that stand for a crash and die on some of the texts that killed, and on no other.

    The diagnosis looks only for what dies of the bytes of a text; on models as small as these, all can be run. Where
    one alone does not do, it is tried with each quirk that is verified on texts that did not kill.
    """
    died = [mismatch for mismatch in kept if isinstance(mismatch.actual, Failure)]
    if not died:
        return []
    alone = [(quirk.name,) for quirk in among if quirk.stands_for_crash and quirk.stage is Stage.MODEL]
    found = [cause for cause in alone if _kills(tokenizer, cause, died, right)]
    others = dict.fromkeys(name for cause in verified for name in cause)
    pairs = [(*cause, name) for cause in found for name in others if (name,) != cause]
    left = [m for m in died if not any(gives(flipped(tokenizer, cause), m) for cause in found)]
    return found + [pair for pair in pairs if left and _kills(tokenizer, pair, left, right)]


def _kills(tokenizer: Tokenizer, cause: Cause, died: Sequence[Mismatch], right: Sequence[Control]) -> bool:
    """Whether the tokenizer with these quirks dies on some of the first texts and on none of the others."""
    try:
        like = flipped(tokenizer, cause)
    except Exception:
        return False  # a flip that does not fit the model may raise anything
    return any(gives(like, m) for m in died) and not any(dies(like, control.case) for control in right)


def _why(tokenizer: Tokenizer, verified: Sequence[Cause]) -> Why:
    """The verified sets and what they are made of, the smallest first: few texts need all quirks of a set.

    Quirks that were verified on different texts may meet in one, so pairs and triples of them all are tried as well.
    """
    names = sorted({name for cause in verified for name in cause})
    most = 3 if len(names) <= _MANY else 2
    parts = dict.fromkeys(part for size in range(1, most + 1) for part in combinations(names, size))
    ordered = sorted({**parts, **dict.fromkeys(tuple(sorted(cause)) for cause in verified)}, key=len)
    return Why(tokenizer, ordered)


def varied(mismatches: Sequence[Mismatch], most: int) -> tuple[list[Mismatch], list[Mismatch]]:
    """Some of the mismatches, of each kind by turns, the shortest texts first; and all others."""
    kinds: defaultdict[str, list[Mismatch]] = defaultdict(list)
    for mismatch in sorted(mismatches, key=lambda m: m.case.question.order):
        kinds[mismatch.kind].append(mismatch)
    by_turns = chain.from_iterable(zip_longest(*(kinds[name] for name in sorted(kinds))))
    ordered = [mismatch for mismatch in by_turns if mismatch is not None]
    return ordered[:most], ordered[most:]


def controls(model: str, engine: str, batch: Batch, sightings: Sequence[Sighting]) -> Iterator[Control]:
    """Some of the cases of a batch that the engine was asked and was right on, spread over all of them."""
    results = batch.results.get(engine)
    if results is None:
        return
    wrong = {seen.place for seen in sightings if seen.engine == engine}
    for index in range(0, len(batch.cases), max(len(batch.cases) // _PER_BATCH, 1)):
        outcome = results.outcome(index)
        if isinstance(outcome, Encoding) and index not in wrong:
            yield Control(batch.cases[index], model, engine, outcome)
