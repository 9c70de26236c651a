"""Decoding under test: rows of ids before all engines, judged by the oracle's text.

A row is shown as the JSON array that `tokparity decode MODEL --engine E -` reads; that is the text of its Case.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tokparity.diff import first_difference, kind
from tokparity.finding import Mismatch
from tokparity.fuzz.row_causes import Decoded
from tokparity.generators import BLOCK
from tokparity.generators.id_sequences import ORIGIN, Row, prepare
from tokparity.outcome import Case, Encoding, Failure, Outcome
from tokparity.questions.shrink import shrink_ids
from tokparity.session.judge import NOT_ASKED, REFERENCE, Judge

if TYPE_CHECKING:
    from tokparity.engines.buffers import Ids
    from tokparity.engines.results import Results
    from tokparity.generators.subject import Subject

_SHRUNK = "shrunk from "
_RIGHT = 200  # rows that are kept of what an engine got right
_DIED = ("crash", "timeout", "memory")
"""What no row of ids may do to an engine; that it refuses one out of range is its right."""


class Decoders(Protocol):
    """Engines that can be asked to decode: `EngineSet`."""

    def decoded(self, ids: Ids, skip_special: bool, only: Collection[str] = ()) -> Mapping[str, Results]:
        """What each engine makes of the rows."""


class DecodeSearch:
    """Rows of ids for one model; `rows` counts them."""

    def __init__(self, subject: Subject, judge: Judge, shown: Sequence[str], seed: int) -> None:
        self.rows = 0
        self._draw = prepare(subject)
        self._size = len(subject.vocabulary)
        self._judge = judge
        self._shown = shown
        self.right: defaultdict[str, list[Decoded]] = defaultdict(list)
        """For each engine the first rows that it decoded as the oracle did."""
        self._seed = seed

    def mismatches(self, decoders: Decoders, rows: int) -> list[Mismatch]:
        """Put the next (about so many) rows to all engines."""
        blocks = max(rows // BLOCK, 1)
        drawn = [row for _ in range(blocks) for row in self._block()]
        first = self.rows - len(drawn)
        skip_special = first // BLOCK % 2 == 0
        cases = [_case(row, f"{ORIGIN}:{self._seed}:{first + i}") for i, row in enumerate(drawn)]
        return list(self._judged(decoders, drawn, cases, skip_special, self._shown))

    def made(self, mismatch: Mismatch) -> bool:
        """Whether a mismatch is about a row of ids."""
        return mismatch.case.origin.removeprefix(_SHRUNK).startswith(ORIGIN + ":")

    def shrunk(self, mismatch: Mismatch, stop: Callable[[], bool], decoders: Decoders) -> Mismatch:
        """A shortest row with a mismatch of the same engine and kind."""
        wanted = kind(mismatch)
        skip_special = not mismatch.case.parse_special
        origin = mismatch.case.origin if mismatch.case.origin.startswith(_SHRUNK) else _SHRUNK + mismatch.case.origin

        def same(rows: Sequence[Row]) -> dict[bytes, Mismatch]:
            cases = [_case(row, origin) for row in rows]
            if stop():
                return {}
            found = self._judged(decoders, rows, cases, skip_special, [mismatch.engine])
            return {seen.case.text: seen for seen in found if kind(seen) == wanted}

        def check(rows: Sequence[Row]) -> list[bool]:
            seen = same(rows)
            return [_text(row) in seen for row in rows]

        row = shrink_ids(tuple(json.loads(mismatch.case.text)), check)
        return same([row]).get(_text(row), mismatch)

    def _block(self) -> list[Row]:
        """The next 64 rows; they follow from the seed and their number alone."""
        rng = random.Random(f"{ORIGIN}:{self._seed}:{self.rows // BLOCK}")
        found = [self._draw(rng, self.rows + i, ()) for i in range(BLOCK)]
        self.rows += BLOCK
        return found

    def _judged(
        self, decoders: Decoders, rows: Sequence[Row], cases: Sequence[Case], skip_special: bool, engines: Sequence[str]
    ) -> Iterator[Mismatch]:
        from tokparity.engines.buffers import Ids

        asked = tuple(dict.fromkeys((*engines, self._judge.oracle, REFERENCE)))
        answers = decoders.decoded(Ids.from_list(rows), skip_special, asked)
        cases = [replace(case, parse_special=not skip_special) for case in cases]
        for engine in engines:
            results = answers.get(engine)
            if results is None:
                continue
            for index in range(len(rows)):
                found = self._judged_row(answers, engine, rows[index], index, skip_special)
                if found is not None:
                    expected, actual, oracle, difference = found
                    yield Mismatch(
                        cases[index], self._judge.model, engine, oracle, expected, actual, difference,
                        self._spell(rows[index]), self._spell(rows[index]),
                    )  # fmt: skip

    def _judged_row(
        self, answers: Mapping[str, Results], engine: str, row: Row, index: int, skip_special: bool
    ) -> tuple[Outcome, Outcome, str, str] | None:
        """(expected, actual, who judged, difference) where an engine is wrong."""
        actual = _outcome(answers[engine], row, index)
        # An id that the model skips is as good as out of range.
        in_range = all(0 <= i < self._size and self._judge.pieces[i] for i in row)
        if isinstance(actual, Failure):
            if actual.kind in NOT_ASKED or (not in_range and actual.kind not in _DIED):
                return None
            return Failure("unavailable", "any text"), actual, self._judge.oracle, f"failure:{actual.kind}"
        for oracle in (self._judge.oracle, REFERENCE):
            expected = _outcome(answers[oracle], row, index) if oracle in answers else None
            if isinstance(expected, Encoding) and in_range:
                if expected.decoded == actual.decoded and len(self.right[engine]) < _RIGHT:
                    self.right[engine].append(Decoded(row, skip_special, expected.decoded or b""))
                return self._compared(expected, actual, oracle)
        return None

    @staticmethod
    def _compared(expected: Encoding, actual: Encoding, oracle: str) -> tuple[Outcome, Outcome, str, str] | None:
        if expected.decoded == actual.decoded:
            return None
        difference = first_difference(expected.decoded or b"", actual.decoded or b"")
        return expected, actual, oracle, f"decode:{difference}"

    def _spell(self, row: Row) -> tuple[bytes, ...]:
        pieces = self._judge.pieces
        return tuple(pieces[i] if 0 <= i < len(pieces) else b"" for i in row)


def _case(row: Row, origin: str) -> Case:
    return Case(_text(row), add_special=False, origin=origin)


def _text(row: Row) -> bytes:
    return json.dumps(row).encode()


def _outcome(results: Results, row: Row, index: int) -> Outcome:
    failure = results.failed.get(index)
    if failure is not None:
        return failure
    return Encoding(row, b"" if results.decoded is None else results.decoded[index])
