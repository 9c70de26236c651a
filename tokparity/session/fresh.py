"""One engine in a process that has answered nothing yet, as often as it takes one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tokparity.case import AnyCase
from tokparity.outcome import Decoding, Encoding, Failure, Outcome
from tokparity.session.panel import submit

if TYPE_CHECKING:
    from tokparity.engines.process.client import Client

_AT_A_TIME = 500


class Fresh:
    """An engine whose processes are new before each series of questions; the model is open in them."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def answers(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        """What a new process answers to these, one after the other."""
        self._client.renew()
        found: list[Outcome] = []
        for _, alike in groupby(cases, key=lambda case: case.question.alike):
            asked = list(alike)
            for start in range(0, len(asked), _AT_A_TIME):
                part = asked[start : start + _AT_A_TIME]
                results = self._client.take(submit(self._client, part))
                found += map(results.outcome, range(len(part)))
        return found

    def seconds(self, cases: Sequence[AnyCase]) -> float:
        """What the engine takes over cases with alike questions, in a process that may have answered others."""
        return self._client.take(submit(self._client, cases)).seconds

    def alone(self, case: AnyCase) -> Outcome:
        """What a new process answers to one question."""
        return self.answers([case])[0]


def same(one: Outcome, other: Outcome) -> bool:
    """Whether two answers to one question are the same; of failures the kind is, for messages hold addresses."""
    if isinstance(one, Failure) or isinstance(other, Failure):
        return isinstance(one, Failure) and isinstance(other, Failure) and one.kind == other.kind
    if isinstance(one, Encoding) and isinstance(other, Encoding) and one.ids != other.ids:
        return False
    decoded = (one.decoded, other.decoded)
    return type(one) is type(other) and (None in decoded or decoded[0] == decoded[1])


def is_right(outcome: Outcome, expected: Outcome) -> bool:
    """Whether an answer is the expected one."""
    return isinstance(outcome, Encoding | Decoding) and same(outcome, expected)
