"""Compares the answers of all engines to one batch with the oracle's: counts, and a sighting for each wrong one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokparity import difference
from tokparity.case import AnyCase
from tokparity.difference import UNKNOWN, Difference, difference_of, first_difference, kind_of_decoded
from tokparity.finding import Mismatch
from tokparity.outcome import NOT_ASKED, Answer, Encoding, Failure, Outcome
from tokparity.questions import Again, Decode, Encode, Render, Spans, Stream
from tokparity.report.tally import Tally
from tokparity.session import again, id_rows, judged_prompts
from tokparity.session.batch import Batch as Batch
from tokparity.session.batch import Judgment as Judgment
from tokparity.session.batch import Sighting as Sighting
from tokparity.session.judged_spans import by_itself, outcome_of, wrong_spans
from tokparity.vocabulary import pieces_at

if TYPE_CHECKING:
    from tokparity.engines.results import Results

REFERENCE = "reference"


@dataclass
class _Count:
    """Counts of one engine on one batch, as they grow."""

    sightings: list[Sighting] = field(default_factory=list)
    mismatches: int = 0
    decode: int = 0
    round_trip: int = 0


@dataclass(frozen=True)
class Judge:
    """Judges one model's engines by its oracle, and by `second` where the oracle cannot be asked.

    For the mismatches, `pieces` are the model's pieces by id, and `encode` is its encoding of prompts. Where `second`
    is the oracle itself, nobody else judges. Where it `spares_oracle`, the oracle's own streams and spans are not.
    """

    model: str
    oracle: str
    pieces: Sequence[bytes]
    second: str = REFERENCE
    encode: judged_prompts.Encode = lambda prompt: ()
    spares_oracle: bool = False

    def verdict(self, batch: Batch, engine: str) -> Judgment | None:
        """What an engine did, in the batch's order; None where it was not asked. What all agree on costs nothing."""
        results = batch.results.get(engine)
        if results is None or not batch.cases:
            return None
        if self.spares_oracle and engine == self.oracle and isinstance(batch.cases[0].question, Stream | Spans):
            return None
        refused = {i for i, failure in results.failures if failure.kind in NOT_ASKED}
        if isinstance(batch.cases[0].question, Again):
            return self._again(batch, engine, results)
        if isinstance(batch.cases[0].question, Render):
            return judged_prompts.verdict(batch, engine, refused, REFERENCE)
        if isinstance(batch.cases[0].question, Stream | Spans):
            return self._by_laws(batch, engine, results, refused)
        if isinstance(batch.cases[0].question, Decode):
            return self._rows(batch, engine, results, refused)
        return self._texts(batch, engine, results, refused)

    def case(self, batch: Batch, seen: Sighting) -> AnyCase:
        """The case of the mismatch."""
        case = batch.cases[seen.place]
        return self.mismatch(batch, seen).case if isinstance(case.question, Again) else case

    def mismatches(self, batch: Batch, engines: Sequence[str]) -> Iterator[Mismatch]:
        """All mismatches written out, by engine and then in the batch's order."""
        for engine in engines:
            verdict = self.verdict(batch, engine)
            for seen in verdict.sightings if verdict else ():
                yield self.mismatch(batch, seen)

    def mismatch(self, batch: Batch, seen: Sighting) -> Mismatch:
        """The mismatch written out; of a text that is encoded again, the first step with a wrong answer."""
        if isinstance(batch.cases[seen.place].question, Render):
            return judged_prompts.mismatch(batch, seen, self.model, self.encode, self.pieces)
        case, actual = batch.cases[seen.place], outcome_of(batch, seen.engine, seen.place, REFERENCE)
        answer = by_itself(actual) or self._answer(batch, seen.oracle, seen.place)
        if isinstance(case.question, Again):
            case, answer, actual = again.wrong_link(batch, seen.engine, seen.oracle, seen.place, self._known)
        expected: Outcome = answer or Failure("unavailable", "nobody gave an answer")
        if isinstance(actual, Failure):
            difference: Difference | None = Difference("failure", failure=actual.kind)
        else:
            difference = None if answer is None else difference_of(case, answer, actual)
        if difference is None:
            raise ValueError(f"{seen.oracle} and {seen.engine} do not differ on case {seen.place}")
        pieces = self.spell(case, expected)
        same = isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids == actual.ids
        return Mismatch(
            case, self.model, seen.engine, seen.oracle, expected, actual, difference,
            pieces, pieces if same else self.spell(case, actual),
        )  # fmt: skip

    def expected(self, batch: Batch, index: int) -> Answer | None:
        """The answer by which a case is judged; None where nobody gave one. Of streams that is any that is right."""
        if isinstance(batch.cases[index].question, Render):
            return self._answer(batch, REFERENCE, index)
        if isinstance(batch.cases[index].question, Stream):
            return id_rows.right_stream(batch.results.values(), index)
        answer = self._answer(batch, self.oracle, index)
        return self._answer(batch, self.second, index) if answer is None else answer

    # --- texts

    def _texts(self, batch: Batch, engine: str, results: Results, refused: set[int]) -> Judgment:
        count = _Count()
        unjudged = set(range(len(batch.cases))) - refused
        for oracle in dict.fromkeys((self._oracle(batch), self.second)):
            expected = batch.results.get(oracle)
            judged = set() if expected is None else unjudged.difference(expected.failed)
            self._differing(batch, engine, oracle, judged, count)
            unjudged -= judged
        # An engine that dies is wrong, whatever the right answer is.
        failed = [_failure(results, index, engine, REFERENCE) for index in unjudged if index in results.failed]
        tally = Tally(
            cases=batch.count(range(len(batch.cases))),
            mismatches=count.mismatches,
            failures=batch.count(results.failed.keys() - refused),
            unsupported=batch.count(refused),
            unjudged=batch.count(unjudged.difference(results.failed)),
            decode=count.decode,
            round_trip=count.round_trip,
            unrecorded=batch.count({i for i in refused if results.failed[i].kind == "unrecorded"}),
        )
        return Judgment(tally, sorted([*count.sightings, *failed]))

    def _differing(self, batch: Batch, engine: str, oracle: str, judged: Collection[int], count: _Count) -> None:
        """Of the cases that this oracle judges, those on which the engine gave something else."""
        from tokparity.engines.buffers import differing

        if not judged:
            return
        expected, actual = batch.results[oracle], batch.results[engine]
        if expected.ids is None or actual.ids is None:
            raise ValueError(f"{oracle} or {engine} was asked for something else than ids")
        failed = actual.failed.keys() & judged
        count.sightings += [_failure(actual, index, engine, oracle) for index in failed]
        answered = set(judged) - failed
        by_ids = answered.intersection(differing(expected.ids, actual.ids).tolist())
        count.mismatches += batch.count(by_ids)
        for index in by_ids:
            kind = self._kind_of_ids(expected.row(index), actual.row(index))
            count.sightings.append(Sighting(index, engine, oracle, kind))
        if expected.decoded is None or actual.decoded is None:
            return
        for index in answered.intersection(differing(expected.decoded, actual.decoded).tolist()) - by_ids:
            question = batch.cases[index].question
            same = isinstance(question, Encode) and expected.text(index) == question.text
            times = batch.count((index,))
            count.round_trip += times * same
            count.decode += times * (not same)
            unknown = not self._unknown.isdisjoint(expected.row(index))
            count.sightings.append(Sighting(index, engine, oracle, kind_of_decoded(unknown, same)))

    def _kind_of_ids(self, expected: Sequence[int], actual: Sequence[int]) -> str:
        one, other = (pieces_at(self.pieces, ids) for ids in (expected, actual))
        return difference.kind_of_ids(one, other, first_difference(expected, actual))

    # --- rows of ids

    def _rows(self, batch: Batch, engine: str, results: Results, refused: set[int]) -> Judgment:
        """An engine may refuse ids that the model does not have, but not die of them; other rows have one text."""
        rows = [case.question.ids for case in batch.cases if isinstance(case.question, Decode)]
        known = id_rows.known(rows, self.pieces)
        are_versions = self.second == self.oracle in batch.results  # that both fail is no difference
        refused = refused.union(batch.results[self.oracle].failed if are_versions else ())
        seen = [
            Sighting(index, engine, self._oracle(batch), difference.kind_of_row(kind))
            for index, kind in id_rows.failed(results, refused, known)
        ]
        unjudged = known.difference(results.failed)
        for oracle in dict.fromkeys((self._oracle(batch), self.second)):
            expected = batch.results.get(oracle)
            judged = set() if expected is None else unjudged.difference(expected.failed)
            for index in id_rows.other_texts(expected, results, judged):
                unknown = not self._unknown.isdisjoint(rows[index])
                kind = difference.kind_of_row(kind_of_decoded(unknown, was_the_text=False))
                seen.append(Sighting(index, engine, oracle, kind))
            unjudged -= judged
        return Judgment(Tally(rows=len(rows), rows_differ=len(seen)), sorted(seen))

    def _by_laws(self, batch: Batch, engine: str, results: Results, refused: set[int]) -> Judgment:
        """Streams and spans that break a law, and failures (of streams: at ids that the model has)."""
        rows = [case.question.row[1:] for case in batch.cases if isinstance(case.question, Stream)]
        asked = len(batch.cases) - len(refused)
        if not rows:
            seen = sorted(
                Sighting(i, engine, REFERENCE, kind) for i, kind in wrong_spans(batch, engine, refused, REFERENCE)
            )
            return Judgment(Tally(spans=asked, spans_differ=len(seen)), seen)
        judges = batch.results.get(self._oracle(batch)), batch.results.get(REFERENCE)
        found = id_rows.wrong_streams(results, refused, id_rows.known(rows, self.pieces), *judges)
        seen = sorted(Sighting(index, engine, self._oracle(batch), kind) for index, kind in found)
        return Judgment(Tally(streams=asked, streams_differ=len(seen)), seen)

    def _again(self, batch: Batch, engine: str, results: Results) -> Judgment:
        """Texts and rows that are encoded again: the first step with another answer than the oracle's."""
        oracles = dict.fromkeys((self._oracle(batch), self.second))
        found = again.wrong(batch, engine, oracles, self._known)
        seen = [one._replace(kind=self.mismatch(batch, one).kind) for one in found]
        return Judgment(again.counted(results) + Tally(again_differ=len(seen)), seen)

    # --- both

    def _oracle(self, batch: Batch) -> str:
        """Who judges: the oracle, unless it has not one answer to the batch (it was asked what it cannot be asked)."""
        results = batch.results.get(self.oracle)
        if results is None:
            return self.second
        silent = [failure for failure in results.failed.values() if failure.kind in NOT_ASKED]
        return self.second if batch.cases and len(silent) == len(batch.cases) else self.oracle

    @staticmethod
    def _answer(batch: Batch, engine: str, index: int) -> Answer | None:
        results = batch.results.get(engine)
        outcome = None if results is None else results.outcome(index)
        return None if outcome is None or isinstance(outcome, Failure) else outcome

    def spell(self, case: AnyCase, outcome: Outcome) -> tuple[bytes, ...]:
        """The pieces of the ids that were given, or that were to be decoded."""
        if isinstance(case.question, Decode | Stream):
            return pieces_at(self.pieces, case.question.ids)
        return pieces_at(self.pieces, outcome.ids) if isinstance(outcome, Encoding) else ()

    @cached_property
    def _known(self) -> frozenset[int]:
        """The ids that the model has."""
        return frozenset(i for i, piece in enumerate(self.pieces) if piece)

    @cached_property
    def _unknown(self) -> frozenset[int]:
        """The ids of the pieces that show an unknown token."""
        return frozenset(i for i, piece in enumerate(self.pieces) if piece in UNKNOWN)


def _failure(results: Results, index: int, engine: str, oracle: str) -> Sighting:
    return Sighting(index, engine, oracle, difference.kind_of_failure(results.failed[index]))
