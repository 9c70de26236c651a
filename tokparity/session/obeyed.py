"""What an engine does because it obeys a file whose keys are wrong, told apart from what it does beside that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from tokparity import quirks
from tokparity.case import AnyCase
from tokparity.diagnose import Base, Explanation, Put, Seen, of_mismatch
from tokparity.difference import Difference, difference_of
from tokparity.finding import Attacked, Control, Finding, Mismatch
from tokparity.formats import Source
from tokparity.outcome import Answer, Encoding, Failure, Outcome
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.asking import Asking
from tokparity.session.same_cause import gives
from tokparity.vocabulary import pieces_at

_CONTROLS = 200
_ATTACKED = 400
_ATTACKED_SHARE = 0.9
"""Where an engine obeys less of the file than this on new texts, the cause is not called verified."""

Diagnosed = Callable[[Sequence[Mismatch], Sequence[Control], Sequence[Base], Callable[[Put], Put]], list[Explanation]]
"""Explains mismatches by what the bases say; the last argument judges more texts as the mismatches are judged."""


@dataclass(frozen=True)
class Obeyed:
    """What the oracle's source says, what the engine's file says, and what that file says once its keys are right."""

    source: Base
    file: Base
    mended: Base

    @classmethod
    def of(cls, sources: Sequence[Source], mended: Base | None) -> Obeyed | None:
        """Of what the oracle and the engine read (`explain.read_by`); None where no key is known to be wrong."""
        if mended is None or len(sources) < 2:
            return None
        source, file = (Base(one.vocabulary, one.behaviour) for one in sources)
        return cls(source, file, mended)

    def shown_by(self, finding: Finding, sources: Sequence[Source]) -> Sequence[Source]:
        """The sources on which a finding's cause is to be seen: what is no fault of the file shows beside it."""
        return sources if SOURCE_DIFFERS in finding.quirks else sources[-1:]

    def makes(self, mismatch: Mismatch) -> bool:
        """Whether the wrong keys alone make it: who obeys the file is wrong in this way, and right without them."""
        return gives(self._file, mismatch) and _is_right(self._mended, mismatch)

    def explained(
        self,
        mismatches: Sequence[Mismatch],
        controls: Sequence[Control],
        asking: Asking | None,
        known: Collection[str],
        diagnosed: Diagnosed,
    ) -> list[Explanation]:
        """What the wrong keys explain, by them; then the causes of the rest, which is held against the file."""
        made = [i for i, mismatch in enumerate(mismatches) if self.makes(mismatch)]
        right = [control for control in controls if self._says(control.case, control.outcome)]
        if len(made) <= len(controls) - len(right):  # it does not obey the file, or only by accident
            return diagnosed(mismatches, controls, [self.source, self.file], lambda put: put)
        taken = set(made)
        against = {i: one for i, m in enumerate(mismatches) if i not in taken and (one := self._against(m))}
        others = [i for i in range(len(mismatches)) if i not in taken and i not in against]
        right += [
            Control(one.case, one.model, one.engine, one.actual)
            for one in (mismatches[i] for i in made[:: max(len(made) // _CONTROLS, 1)][:_CONTROLS])
            if not isinstance(one.actual, Failure) and self._says(one.case, one.actual)
        ]
        found = [self._of_keys(made, len(right), asking, known)]
        if against:
            own = diagnosed(list(against.values()), right, [self.file], self._judged)
            found += _placed(own, list(against))
        if others:
            both = [self.source, self.file]
            more = diagnosed([mismatches[i] for i in others], controls, both, lambda put: put)
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
        if isinstance(said, Failure):
            return None
        difference = self._difference(mismatch.case, said, mismatch.actual)
        if difference is None:
            return None
        pieces = mismatch.expected_pieces
        if isinstance(said, Encoding):
            pieces = tuple(pieces_at(self.file.vocabulary.pieces, said.ids))
        return replace(mismatch, expected=said, difference=difference, expected_pieces=pieces)

    @staticmethod
    def _difference(case: AnyCase, said: Answer, actual: Outcome) -> Difference | None:
        if isinstance(actual, Failure):
            return Difference("failure", failure=actual.kind)
        return difference_of(case, said, actual)

    def _judged(self, put: Put) -> Put:
        """The same engine, judged by what its file says."""

        def judged(cases: Sequence[AnyCase]) -> list[Seen | None]:
            return [
                None if seen is None else self._seen(case, seen) for case, seen in zip(cases, put(cases), strict=True)
            ]

        return judged

    def _seen(self, case: AnyCase, seen: Seen) -> Seen | None:
        said = imitate(self._file, case.question, decodes=True)
        if isinstance(said, Failure):
            return None
        difference = self._difference(case, said, seen.actual)
        if difference is None:
            return Seen(case.question, said, seen.actual, wrong=False)
        pieces = self.file.vocabulary.pieces
        spelled = [
            tuple(pieces_at(pieces, one.ids)) if isinstance(one, Encoding) else () for one in (said, seen.actual)
        ]
        return of_mismatch(Mismatch(case, "", "", "", said, seen.actual, difference, *spelled))

    def _of_keys(
        self, made: Sequence[int], controls: int, asking: Asking | None, known: Collection[str]
    ) -> Explanation:
        """That the wrong keys explain these; verified where the engine obeys the file on other texts as well."""
        attack = Attacked() if asking is None else self._attack(asking, known)
        obeys = attack.changes > 0 and attack.otherwise <= (1 - _ATTACKED_SHARE) * attack.changes
        return Explanation(
            "ids",
            "verified" if obeys else "reproduced",
            tuple(made),
            (SOURCE_DIFFERS,),
            controls=controls,
            verified=len(made),
            attacked=attack,
        )

    def _attack(self, asking: Asking, known: Collection[str]) -> Attacked:
        """What the engine answers on texts that the wrong keys change; what is known of it is no contradiction."""
        flips = [quirks.get(name) for name in known if name in quirks.names()]
        beside = self._file.with_behaviour(quirks.flip_all(flips, self.file.behaviour))
        cases = list(islice((case for case in asking.put if self._changes(case)), _ATTACKED))
        answered = [
            (case, one) for case, one in zip(cases, asking.fresh(cases), strict=True) if isinstance(one, Encoding)
        ]
        obeys = sum(
            any(_ids(tokenizer, case) == one.ids for tokenizer in (self._file, beside)) for case, one in answered
        )
        return Attacked(len(answered), 0, len(answered), len(answered) - obeys, fresh=True)

    def _changes(self, case: AnyCase) -> bool:
        one, other = _ids(self._file, case), _ids(self._mended, case)
        return None not in (one, other) and one != other


def _ids(tokenizer: Tokenizer, case: AnyCase) -> tuple[int, ...] | None:
    found = imitate(tokenizer, case.question)
    return found.ids if isinstance(found, Encoding) else None


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
