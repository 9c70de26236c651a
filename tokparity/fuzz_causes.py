"""Why an engine disagrees on a generated model: sets of quirks that the diagnosis has verified, tried on each text.

Engines deviate in the same ways on model after model, so what explained one model is tried first on the next.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, zip_longest
from typing import TYPE_CHECKING

from tokparity import quirks
from tokparity.diagnose import Base, diagnose
from tokparity.diff import kind
from tokparity.errors import AbortedError
from tokparity.finding import Control, Mismatch
from tokparity.in_process import answers
from tokparity.judge import Batch
from tokparity.outcome import Case, Encoding, Failure

if TYPE_CHECKING:
    from tokparity.quirk import Quirk
    from tokparity.reference.tokenizer import Tokenizer

Cause = tuple[str, ...]
"""The names of the quirks that give what the engine gave; empty where nothing known does."""

_KEPT = 60
"""Mismatches of an engine on one model that are diagnosed; what is found is then tried on all."""

_PER_BATCH = 16
"""Controls that are kept of each batch."""

_KNOWN_WORK, _NEW_WORK = 2_000_000, 4_000_000
_SECONDS = 30.0
_MANY = 7  # different quirks on one model
_SEARCHES = 10
"""On how many models all quirks are searched for an engine and a kind of disagreement before it is left unexplained."""


class Why:
    """The causes that hold for one engine on one model; what behaves like that is built when it is asked for."""

    def __init__(self, tokenizer: Tokenizer, causes: Sequence[Cause]) -> None:
        self.causes = tuple(causes)
        self._tokenizer = tokenizer
        self._flipped: dict[Cause, Tokenizer] = {}

    def cause(self, mismatch: Mismatch) -> Cause:
        """The first cause that gives what the engine gave."""
        return next((cause for cause in self.causes if _gives(self._like(cause), mismatch)), ())

    def on(self, tokenizer: Tokenizer) -> Why:
        """The same causes on another model."""
        return Why(tokenizer, self.causes)

    def _like(self, cause: Cause) -> Tokenizer:
        if cause not in self._flipped:
            self._flipped[cause] = _flipped(self._tokenizer, cause)
        return self._flipped[cause]


class Causes:
    """What was learned from model to model about each engine."""

    def __init__(self) -> None:
        self._known: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._searched: Counter[tuple[str, str]] = Counter()

    def study(self, tokenizer: Tokenizer, mismatches: Sequence[Mismatch], right: Sequence[Control]) -> Why:
        """Diagnose one engine's mismatches on one model: by what is known of the engine, then by all quirks."""
        engine = mismatches[0].engine
        kept, _ = varied(mismatches, _KEPT)
        known = [quirk for quirk in quirks.all_quirks() if quirk.name in self._known[engine]]
        why = Why(tokenizer, ())
        if known:
            causes = _explained(tokenizer, kept, right, known, _KNOWN_WORK)
            why = _why(tokenizer, [*causes, *_deadly(tokenizer, kept, right, known, causes)])
        left = [mismatch for mismatch in kept if not why.cause(mismatch)]
        names = {kind(mismatch) for mismatch in left}
        if left and any(self._searched[engine, name] < _SEARCHES for name in names):
            more = _explained(tokenizer, kept, right, quirks.all_quirks(), _NEW_WORK)
            more += _deadly(tokenizer, kept, right, quirks.all_quirks(), more)
            why = _why(tokenizer, [*why.causes, *more])
            self._searched.update({(engine, kind(m)) for m in left if not why.cause(m)})
        self._known[engine].update(name for m in kept for name in why.cause(m))
        return why


def _explained(
    tokenizer: Tokenizer,
    kept: Sequence[Mismatch],
    right: Sequence[Control],
    among: Sequence[Quirk],
    work: int,
) -> list[Cause]:
    """The sets of quirks that the diagnosis has verified on some of the mismatches and on all controls."""
    base = Base(tokenizer.vocabulary, tokenizer.behaviour)
    found = diagnose([base], kept, right, among, seconds=_SECONDS, work=work)
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
    alone = [(quirk.name,) for quirk in among if quirk.field == "segment"]
    found = [cause for cause in alone if _kills(tokenizer, cause, died, right)]
    others = dict.fromkeys(name for cause in verified for name in cause)
    pairs = [(*cause, name) for cause in found for name in others if (name,) != cause]
    left = [m for m in died if not any(_gives(_flipped(tokenizer, cause), m) for cause in found)]
    return found + [pair for pair in pairs if left and _kills(tokenizer, pair, left, right)]


def _kills(tokenizer: Tokenizer, cause: Cause, died: Sequence[Mismatch], right: Sequence[Control]) -> bool:
    """Whether the tokenizer with these quirks dies on some of the first texts and on none of the others."""
    try:
        flipped = _flipped(tokenizer, cause)
    except Exception:
        return False  # a flip that does not fit the model may raise anything
    return any(_gives(flipped, m) for m in died) and not any(_dies(flipped, control.case) for control in right)


def _why(tokenizer: Tokenizer, verified: Sequence[Cause]) -> Why:
    """The verified sets and what they are made of, the smallest first: few texts need all quirks of a set.

    Quirks that were verified on different texts may meet in one, so pairs and triples of them all are tried as well.
    """
    names = sorted({name for cause in verified for name in cause})
    most = 3 if len(names) <= _MANY else 2
    parts = dict.fromkeys(part for size in range(1, most + 1) for part in combinations(names, size))
    ordered = sorted({**parts, **dict.fromkeys(tuple(sorted(cause)) for cause in verified)}, key=len)
    return Why(tokenizer, ordered)


def _flipped(tokenizer: Tokenizer, cause: Cause) -> Tokenizer:
    return tokenizer.with_behaviour(quirks.flip_all([quirks.get(name) for name in cause], tokenizer.behaviour))


def _gives(tokenizer: Tokenizer, mismatch: Mismatch) -> bool:
    """Whether the tokenizer does what the engine did: the ids, and where these were right, what they decode to."""
    actual, case = mismatch.actual, mismatch.case
    if isinstance(actual, Failure):
        return _dies(tokenizer, case)
    outcome = answers(tokenizer, [case], skip_special=True).outcome(0)
    if not isinstance(outcome, Encoding) or outcome.ids != actual.ids:
        return False
    return mismatch.first_difference.startswith("ids") or outcome.decoded == actual.decoded


def _dies(tokenizer: Tokenizer, case: Case) -> bool:
    """Whether a quirk stands for a crash of this case. Whatever else it may raise where it does not fit is none."""
    try:
        tokenizer.encode(case.text, case.add_special, case.parse_special)
    except AbortedError:
        return True
    except Exception:
        return False
    return False


def varied(mismatches: Sequence[Mismatch], most: int) -> tuple[list[Mismatch], list[Mismatch]]:
    """Some of the mismatches, of each kind by turns, the shortest texts first; and all others."""
    kinds: defaultdict[str, list[Mismatch]] = defaultdict(list)
    for mismatch in sorted(mismatches, key=lambda m: (len(m.case.text), m.case.text)):
        kinds[kind(mismatch)].append(mismatch)
    by_turns = chain.from_iterable(zip_longest(*(kinds[name] for name in sorted(kinds))))
    ordered = [mismatch for mismatch in by_turns if mismatch is not None]
    return ordered[:most], ordered[most:]


def controls(model: str, engine: str, batch: Batch, mismatches: Sequence[Mismatch]) -> Iterator[Control]:
    """Some of the cases of a batch that the engine was asked and was right on, spread over all of them."""
    results = batch.results.get(engine)
    if results is None:
        return
    wrong = {mismatch.case for mismatch in mismatches if mismatch.engine == engine}
    for index in range(0, len(batch.cases), max(len(batch.cases) // _PER_BATCH, 1)):
        outcome = results.outcome(index)
        if isinstance(outcome, Encoding) and batch.cases[index] not in wrong:
            yield Control(batch.cases[index], model, engine, outcome)
