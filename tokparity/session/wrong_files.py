"""Separates what an engine does because its file has wrong keys from what it does beside that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from tokparity.case import AnyCase
from tokparity.diagnose import Base, Explanation, Observation, Put, of_mismatch
from tokparity.difference import Difference, difference_of
from tokparity.finding import Attacked, Control, Finding, Mismatch
from tokparity.formats import Source
from tokparity.outcome import NOT_ASKED, Encoding, Failure, Outcome
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.asking import AskedEngine
from tokparity.session.same_cause import gives
from tokparity.vocabulary import pieces_at

_CONTROLS = 200

Held = Callable[[Put], Put]
"""Judges more texts as the mismatches are judged."""

Diagnosed = Callable[
    [Sequence[Mismatch], Sequence[Control], Sequence[Base], Held, AskedEngine | None], list[Explanation]
]
"""Explains mismatches of an engine that can be asked by what the bases say."""


@dataclass(frozen=True)
class Obeyed:
    """What the oracle's source says, what the engine's file says, and what that file says once its keys are right."""

    source: Base
    file: Base
    mended: Base
    path: Path | None = None
    """A copy of the file with its keys right, for engines that open files."""

    @classmethod
    def of(cls, sources: Sequence[Source], mended: Base | None, path: Path | None = None) -> Obeyed | None:
        """Of what the oracle and the engine read (`explain.read_by`); None where no key is known to be wrong."""
        if mended is None or len(sources) < 2:
            return None
        source, file = (Base(one.vocabulary, one.behaviour) for one in sources)
        return cls(source, file, mended, path)

    def shown_by(self, finding: Finding, sources: Sequence[Source]) -> Sequence[Source]:
        """The sources on which a finding's cause is to be seen: what is not a fault of the file shows beside it."""
        return sources if SOURCE_DIFFERS in finding.quirks else sources[-1:]

    def makes(self, mismatch: Mismatch) -> bool:
        """Whether the wrong keys alone make it: who obeys the file is wrong in this way, and right without them."""
        return gives(self._file, mismatch) and _is_right(self._mended, mismatch)

    def keeps(self, mismatch: Mismatch) -> bool:
        """Whether who obeys the file does this also with its keys right."""
        return gives(self._mended, mismatch)

    def explained(
        self,
        mismatches: Sequence[Mismatch],
        controls: Sequence[Control],
        asking: AskedEngine | None,
        diagnosed: Diagnosed,
    ) -> list[Explanation]:
        """What the wrong keys explain, by them; then the causes of the rest.

        Where the engine can open the mended file, that is an experiment; else the reference foretells it.
        """
        if asking is not None and self.path is not None:
            with asking.with_file(self.path) as other:
                if not other.panel.unavailable:
                    return self._by_experiment(mismatches, controls, other, diagnosed)
        return self._by_reference(mismatches, controls, asking, diagnosed)

    def _by_experiment(
        self,
        mismatches: Sequence[Mismatch],
        controls: Sequence[Control],
        other: AskedEngine,
        diagnosed: Diagnosed,
    ) -> list[Explanation]:
        """What the engine has right with the keys right is theirs; what it has wrong all the same is its own."""
        made: list[int] = []
        own: dict[int, Mismatch] = {}
        for i, answer in enumerate(other([mismatch.case for mismatch in mismatches])):
            one = mismatches[i]
            difference = _difference(one.case, one.expected, answer)
            is_of_ids = one.difference.aspect == "ids"
            if difference is None or (is_of_ids and difference.is_of_decoding):  # how it decodes other texts show
                made.append(i)
            elif isinstance(answer, Failure) and answer.kind in NOT_ASKED:
                own[i] = one
            else:
                own[i] = replace(one, actual=answer, difference=difference, actual_pieces=_pieces(self.mended, answer))
        found = [self._of_keys(made, len(controls), tried=True)] if made else []

        def held(put: Put) -> Put:
            return lambda cases: [
                seen and _seen(self.mended, case, seen.expected, answer)
                for case, seen, answer in zip(cases, put(cases), other(cases), strict=True)
            ]

        if own:
            both = [self.source, self.mended]
            found += _placed(diagnosed(list(own.values()), controls, both, held, other), list(own))
        return found

    def _by_reference(
        self,
        mismatches: Sequence[Mismatch],
        controls: Sequence[Control],
        asking: AskedEngine | None,
        diagnosed: Diagnosed,
    ) -> list[Explanation]:
        """What who obeys the file gives is the keys'; the rest is held against the file."""
        both = [self.source, self.file]
        made = [i for i, mismatch in enumerate(mismatches) if self.makes(mismatch)]
        right = [control for control in controls if self._says(control.case, control.outcome)]
        if len(made) <= len(controls) - len(right):  # it does not obey the file, or only by accident
            return diagnosed(mismatches, controls, both, lambda put: put, asking)
        taken = set(made)
        against = {i: one for i, m in enumerate(mismatches) if i not in taken and (one := self._against(m))}
        others = [i for i in range(len(mismatches)) if i not in taken and i not in against]
        right += [
            Control(one.case, one.model, one.engine, one.actual)
            for one in (mismatches[i] for i in made[:: max(len(made) // _CONTROLS, 1)][:_CONTROLS])
            if not isinstance(one.actual, Failure) and self._says(one.case, one.actual)
        ]
        found = [self._of_keys(made, len(right), tried=False)]
        if against:
            own = diagnosed(list(against.values()), right, [self.file], self._held, asking)
            found += _placed(own, list(against))
        if others:
            more = diagnosed([mismatches[i] for i in others], controls, both, lambda put: put, asking)
            found += _placed(more, others)
        return found

    @cached_property
    def _file(self) -> Tokenizer:
        return Tokenizer(self.file.vocabulary, self.file.behaviour)

    @cached_property
    def _mended(self) -> Tokenizer:
        return Tokenizer(self.mended.vocabulary, self.mended.behaviour)

    def _says(self, case: AnyCase, outcome: Outcome) -> bool:
        """Whether the file says what an engine gave."""
        said = imitate(self._file, case.question, decodes=True)
        if isinstance(said, Failure) or isinstance(outcome, Failure):
            return False
        return difference_of(case, said, outcome) is None

    def _against(self, mismatch: Mismatch) -> Mismatch | None:
        """The mismatch of what the engine gave from what its file says; None where the file says that, or nothing."""
        said = imitate(self._file, mismatch.case.question, decodes=True)
        difference = None if isinstance(said, Failure) else _difference(mismatch.case, said, mismatch.actual)
        if difference is None:
            return None
        pieces = _pieces(self.file, said) or mismatch.expected_pieces
        return replace(mismatch, expected=said, difference=difference, expected_pieces=pieces)

    def _held(self, put: Put) -> Put:
        """The same engine, judged by what its file says."""
        return lambda cases: [
            seen and _seen(self.file, case, imitate(self._file, case.question, decodes=True), seen.actual)
            for case, seen in zip(cases, put(cases), strict=True)
        ]

    @staticmethod
    def _of_keys(made: Sequence[int], controls: int, tried: bool) -> Explanation:
        """That the wrong keys explain these; verified where it was tried what the engine does with the keys right."""
        return Explanation(
            "ids",
            "verified" if tried else "reproduced",
            tuple(made),
            (SOURCE_DIFFERS,),
            controls=controls,
            verified=len(made),
            attacked=Attacked(len(made), 0, len(made), 0, fresh=True) if tried else Attacked(),
        )


def _difference(case: AnyCase, expected: Outcome, actual: Outcome) -> Difference | None:
    """Where an answer departs from what was expected; nowhere where nobody expected an answer and one came."""
    if isinstance(actual, Failure):
        return Difference("failure", failure=actual.kind)
    return None if isinstance(expected, Failure) else difference_of(case, expected, actual)


def _seen(base: Base, case: AnyCase, expected: Outcome, actual: Outcome) -> Observation | None:
    """What an engine did on a case, by what was expected of it; None where nobody can say."""
    if isinstance(expected, Failure) or (isinstance(actual, Failure) and actual.kind in NOT_ASKED):
        return None
    difference = _difference(case, expected, actual)
    if difference is None:
        return Observation(case, expected, expected)
    spelled = [_pieces(base, one) for one in (expected, actual)]
    return of_mismatch(Mismatch(case, "", "", "", expected, actual, difference, *spelled))


def _pieces(base: Base, outcome: Outcome) -> tuple[bytes, ...]:
    return pieces_at(base.vocabulary.pieces, outcome.ids) if isinstance(outcome, Encoding) else ()


def _is_right(tokenizer: Tokenizer, mismatch: Mismatch) -> bool:
    """Whether the tokenizer gives what was expected: the ids, and where these were right, what they decode to."""
    expected, outcome = mismatch.expected, imitate(tokenizer, mismatch.case.question, decodes=True)
    if isinstance(expected, Failure) or isinstance(outcome, Failure):
        return False
    if isinstance(expected, Encoding) and isinstance(outcome, Encoding) and not mismatch.difference.is_of_decoding:
        return expected.ids == outcome.ids
    return expected.decoded == outcome.decoded


def _placed(found: Sequence[Explanation], places: Sequence[int]) -> list[Explanation]:
    """Explanations of some of the mismatches as explanations of all."""

    def at(indices: Iterable[int]) -> frozenset[int]:
        return frozenset(places[i] for i in indices)

    return [
        replace(
            one,
            members=tuple(places[i] for i in one.members),
            near_misses=tuple(
                replace(miss, explained=at(miss.explained), run_on=at(miss.run_on)) for miss in one.near_misses
            ),
        )
        for one in found
    ]
