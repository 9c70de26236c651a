"""How the engines vote on a finding's smallest case; engines with one library, or one export, have one vote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from tokparity.difference import Difference
from tokparity.engines import engine_name
from tokparity.finding import Finding, Vote
from tokparity.outcome import Answer, Encoding, Outcome
from tokparity.session.panel import Panel
from tokparity.session.seats import Seating

_LEAST = 3
"""With fewer independent engines there is nothing to count."""

_LIBRARY = re.compile(r"(?:^|, )(?!recorded )([A-Za-z][\w.-]*) v?\d")
"""A library in an engine's version: "transformers 5.1.0, tokenizers 0.22.0" has two."""


@dataclass(frozen=True)
class Voices:
    """Which engines depend on each other, in groups; nobody is in two of them."""

    groups: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, seating: Seating, versions: Mapping[str, str]) -> Voices:
        """Engines with a library in common, and those that opened an export of ours, count once."""
        traits = {engine: set(_libraries(engine, version)) for engine, version in versions.items()}
        for seat in seating.seats:
            if seat.exported and seat.engine in traits:
                traits[seat.engine].add("an export")
        groups: list[tuple[set[str], set[str]]] = []
        for engine, own in traits.items():
            alike = [group for group in groups if group[1] & own]
            members = {engine}.union(*(group[0] for group in alike))
            groups = [group for group in groups if group not in alike]
            groups.append((members, own.union(*(group[1] for group in alike))))
        return cls(tuple(frozenset(members) for members, _ in groups))

    def count(self, engines: Collection[str]) -> int:
        """How many of these are independent of each other."""
        return sum(not group.isdisjoint(engines) for group in self.groups)


def _libraries(engine: str, version: str) -> Iterable[str]:
    """What it is made of: the libraries that its version tells, and the engine itself without version and options."""
    name = engine_name.parse(engine)
    yield engine if name.is_outside else name.base
    yield from _LIBRARY.findall(version)


def voted(finding: Finding, voices: Voices, panel: Panel) -> Finding:
    """The finding with the votes on its smallest case, where at least three independent engines answer it.

    The engine itself and the oracle have answered already; the engine may hang on this very text.
    """
    smallest = finding.smallest
    if smallest.difference.law:  # who is right about a stream is not a matter of votes
        return finding
    answers: dict[str, Outcome] = {smallest.oracle: smallest.expected, smallest.engine: smallest.actual}
    others = {engine for group in voices.groups for engine in group} - answers.keys()
    if others and voices.count([*others, *answers]) >= _LEAST:
        for batch in panel.results([[smallest.case]], lambda: False, others):
            answers |= {engine: results.outcome(0) for engine, results in batch.results.items() if engine in others}
    same: dict[object, list[str]] = {}
    for engine, outcome in answers.items():
        if isinstance(outcome, Answer):
            same.setdefault(_key(outcome, smallest.difference), []).append(engine)
    if voices.count([engine for engines in same.values() for engine in engines]) < _LEAST:
        return finding
    votes = [Vote(tuple(engines), voices.count(engines), _answer(answers[engines[0]])) for engines in same.values()]
    return replace(finding, votes=tuple(sorted(votes, key=lambda vote: -vote.voices)))


def _answer(outcome: Outcome) -> Answer:
    if not isinstance(outcome, Answer):
        raise TypeError(f"{outcome!r} is not an answer")
    return outcome


def _key(answer: Answer, difference: Difference) -> object:
    """What makes two answers the same vote: the ids, and where these are not the question, the text as well."""
    if isinstance(answer, Encoding):
        return (answer.ids, answer.decoded) if difference.is_of_decoding else answer.ids
    return answer.decoded
