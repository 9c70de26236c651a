"""The smallest text and the smallest generated model on which an engine still disagrees for the same reason.

If quirks explain it, models are shrunk with the reference and these quirks in the engine's place, which needs no file.
The engine then confirms the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tokparity import quirks
from tokparity.diagnose import Base, causes_of
from tokparity.errors import TokparityError
from tokparity.finding import Mismatch
from tokparity.fuzz.generated_models import ModelPanel, Models, Written
from tokparity.fuzz.groups import Example, Group, key_of
from tokparity.generators.blueprint import Blueprint
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.in_process import answers
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.shrink import shrunk

_CANDIDATES = 24
"""An engine is asked about this many smaller models at a time."""

_MOST_ASKED = 600
"""An engine is asked about at most this many models to make an unexplained example smaller."""

_MOST_IMITATED = 900
"""At most this many models are tried with the reference in the engine's place, which costs no file."""

_MOST_AFTER = 72
"""At most this many models are put to an engine that does not agree with what its imitation came to."""

Showing = Callable[[Sequence[Blueprint]], Iterator[Example]]
"""Models -> an example of the same on each that shows it, in order."""


@dataclass(frozen=True)
class Smallest:
    """Shrinks the example of a group, until it is told to stop."""

    models: Models
    stop: Callable[[], bool]

    def of(self, group: Group) -> Example:
        """The smallest example that was found."""
        example = self._text(group)
        if not group.quirks:
            return self._reduced(example, self._asked(group, example), _MOST_ASKED, _CANDIDATES)
        small = self._reduced(example, _imitated(group, example), _MOST_IMITATED, 1)
        found = next(self._asked(group, small)([small.blueprint]), None)
        if found is not None:
            return found
        return self._reduced(example, self._asked(group, example), _MOST_AFTER, _CANDIDATES)

    def _text(self, group: Group) -> Example:
        """The example with a smallest text."""
        example = group.smallest
        blueprint, mismatch = example.blueprint, example.mismatch
        written = self.models.write(blueprint, [group.engine])
        base = _base(written.tokenizer)
        judge = _judge(mismatch, written.tokenizer)
        panel = ModelPanel(self.models, written, [group.engine])

        def alike(found: Mismatch) -> bool:
            return _is_of(group, example, blueprint, base, found)

        small = shrunk(mismatch, panel, judge, self.stop, alike)
        self.models.forget([written])
        return replace(example, mismatch=small)

    def _reduced(self, best: Example, showing: Showing, most: int, together: int) -> Example:
        """The example on the smallest model that was found with this many tries."""
        tried: set[Blueprint] = set()
        while not self.stop() and len(tried) < most:
            found = next(_first(best.blueprint, showing, tried, together), None)
            if found is None:
                break
            best = found
        return best

    def _asked(self, group: Group, example: Example) -> Showing:
        """Whether the engine shows it."""
        case = example.mismatch.case

        def showing(candidates: Sequence[Blueprint]) -> Iterator[Example]:
            batch = [written for candidate in candidates if (written := self._written(candidate, group.engine))]
            results = self.models.ask([(written, case) for written in batch], group.engine)
            self.models.forget(batch)
            if results is None:
                return
            for index, written in enumerate(batch):
                expected = answers(written.tokenizer, [case], skip_special=True)
                single = Batch([case], {REFERENCE: expected, group.engine: results.slice(index, index + 1)})
                yield from _alike(group, example, written.blueprint, written.tokenizer, single)

        return showing

    def _written(self, candidate: Blueprint, engine: str) -> Written | None:
        """The model on disk, if it is one and the engine's format has words for it."""
        try:
            written = self.models.write(candidate, [engine])
        except (TokparityError, KeyError):
            return None  # it describes no model any more
        if engine in written.refused:
            self.models.forget([written])
            return None
        return written


def _imitated(group: Group, example: Example) -> Showing:
    """Whether the reference with the group's quirks shows it."""
    case = example.mismatch.case

    def showing(candidates: Sequence[Blueprint]) -> Iterator[Example]:
        for candidate in candidates:
            try:
                right = Tokenizer(*candidate.build())
            except (TokparityError, KeyError):
                continue  # it describes no model any more
            try:
                wrong = right.with_behaviour(quirks.flip_all(map(quirks.get, group.quirks), right.behaviour))
            except Exception:
                continue  # a flip that does not fit the model may raise anything
            expected, actual = (answers(tokenizer, [case], skip_special=True) for tokenizer in (right, wrong))
            single = Batch([case], {REFERENCE: expected, group.engine: actual})
            yield from _alike(group, example, candidate, right, single)

    return showing


def _first(best: Blueprint, showing: Showing, tried: set[Blueprint], together: int) -> Iterator[Example]:
    """Smaller models that show the same, in order; this many are looked at together."""
    batch: list[Blueprint] = []
    for candidate in best.smaller():
        if candidate not in tried:
            tried.add(candidate)
            batch.append(candidate)
        if len(batch) == together:
            yield from showing(batch)
            batch = []
    if batch:
        yield from showing(batch)


def _alike(group: Group, example: Example, blueprint: Blueprint, right: Tokenizer, single: Batch) -> Iterator[Example]:
    """The example on another model, if what is seen there belongs to the same group."""
    base = _base(right)
    for found in _judge(example.mismatch, right).mismatches(single, [group.engine]):
        same_kind = bool(group.quirks) or found.kind == example.mismatch.kind
        if same_kind and _is_of(group, example, blueprint, base, found):
            yield replace(example, mismatch=found, blueprint=blueprint)


def _is_of(group: Group, example: Example, blueprint: Blueprint, base: Base, found: Mismatch) -> bool:
    """Whether a mismatch on a model has the cause of the group, by what explains the engine on the example's model."""
    (cause,) = causes_of(base, example.explained, [found])
    return key_of(blueprint.algorithm, cause, found) == group.key


def _base(tokenizer: Tokenizer) -> Base:
    return Base(tokenizer.vocabulary, tokenizer.behaviour)


def _judge(mismatch: Mismatch, tokenizer: Tokenizer) -> Judge:
    return Judge(mismatch.model, REFERENCE, tokenizer.vocabulary.pieces)
