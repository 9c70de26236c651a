"""What makes an accepted finding this one: what the engine gives on its texts, what damage it does, in how many cases.

A text alone says too little: another fault may show on it, or on the texts that contain it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from tokparity.case import Origin, TextCase, text_case
from tokparity.diagnose import plainness
from tokparity.difference import decoded_bytes
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.questions import Decode, Encode
from tokparity.questions.json_text import literal, parse

if TYPE_CHECKING:
    from tokparity.models.record import AcceptedFinding

_TEXTS = 4  # of one finding, on which an entry says what the engine gives
_LONGEST = 16  # ids or bytes of a text or an answer that is written into an entry
_COMPARED = 256  # ids or bytes of an answer whose damage is told: a report holds the beginning of longer ones
_MANY = 2  # times the accepted number of cases


def accepted_cases(accepted: Sequence[AcceptedFinding]) -> Iterator[TextCase]:
    """The texts of the accepted findings: always put, so that it is not left to chance whether they are met."""
    for index, entry in enumerate(accepted):
        if entry.text:
            text = parse(entry.text)
            for add_special, parse_special in product((True, False), repeat=2):
                yield text_case(text, add_special, parse_special, Origin("accepted", number=index))


def holds(text: bytes, accepted: bytes) -> bool:
    """Whether a text contains an accepted one; the empty text, which is in every other one, covers itself alone."""
    return accepted in text if accepted else not text


def as_it_shows(
    entry: AcceptedFinding, mismatch: Mismatch, members: Sequence[Mismatch], cases: int, put: int
) -> AcceptedFinding:
    """The entry, so that it accepts what `members` show, and no other fault of its text, which is that of `mismatch`.

    `cases` of those that were `put` show it. Of streams and spans each run asks another sample, so an entry says
    their law alone.
    """
    if type(mismatch.case.question) not in (Encode, Decode):
        return entry
    plain_first = sorted(members or [mismatch], key=plainness)
    spread = [plain_first[len(plain_first) * place // _TEXTS] for place in range(_TEXTS)]
    gives = dict.fromkeys(line for one in (mismatch, *spread) if (line := example(one)))
    damages = sorted({told for one in plain_first if (told := damage(one))})
    return replace(entry, gives=tuple(gives)[:_TEXTS], damage=tuple(damages), cases=f"{cases} of {put}")


def example(mismatch: Mismatch) -> str:
    """What the engine gives on a text, and what is right, on one line; empty where it is long, or no text."""
    question = mismatch.case.question
    right, given = _told(mismatch, mismatch.expected), _told(mismatch, mismatch.actual)
    if type(question) is not Encode or question.size > _LONGEST or not (right and given):
        return ""
    return f"{_about(question)}{given}{_NOT}{right}"


_NOT = ", not "


def damage(mismatch: Mismatch) -> str:
    """What the engine does to the right answer, in words that do not depend on the text; empty where it is long."""
    if isinstance(mismatch.actual, Failure):
        return f"no answer ({mismatch.actual.kind})"
    if mismatch.difference.law:
        return ""
    right, given = _row(mismatch, mismatch.expected), _row(mismatch, mismatch.actual)
    if max(len(right), len(given)) > _COMPARED:
        return ""
    unit = "id" if mismatch.difference.aspect == "ids" else "byte"
    is_one = len(right) - len(given) == 1
    for where, part in (("last", right[: len(given)]), ("first", right[len(right) - len(given) :])):
        if len(given) < len(right) and part == given:
            return f"the {where} {unit} is missing" if is_one else f"the {where} {unit}s are missing"
    if _is_within(given, right):
        return f"{unit}s are missing inside"
    if _is_within(right, given):
        return _added(right, given, unit)
    return f"the {unit}s are in another order" if sorted(right) == sorted(given) else f"other {unit}s"


_ADDED = ("ids are added", "bytes are added")
"""What an entry of an earlier version says, whichever they are and wherever they stand."""


def _added(right: Sequence[int], given: Sequence[int], unit: str) -> str:
    """Where the ids or bytes stand that are added, and which one it is, if it is one."""
    more = len(given) - len(right)
    if given[: len(right)] == right:
        where, added = "behind the others", given[len(right) :]
    elif given[more:] == right:
        where, added = "before the others", given[:more]
    else:
        return f"{unit}s are added"
    return f"the {unit} {added[0]} is added {where}" if more == 1 else f"{unit}s are added {where}"


def as_accepted(
    finding: Finding, entries: Sequence[AcceptedFinding], members: Sequence[Mismatch], put: int
) -> Finding | None:
    """None where a finding is what its entries accept; else the finding as a new one, which says what has changed.

    An entry that says nothing beside its text accepts whatever shows on it. `put` is the number of cases of the
    engine, 0 where nobody knows it.
    """
    if not all(entry.gives or entry.damage or entry.cases for entry in entries):
        return None
    changes = (*_answers(entries, members), *_damages(entries, members))
    if changes:
        mismatch, told = min(changes, key=lambda change: plainness(change[0]))
        return replace(finding, smallest=mismatch, beyond=f"changed: {told}")
    told = _more(finding, entries, members, put)
    return replace(finding, beyond=f"changed: {told}") if told else None


def beyond(finding: Finding, entries: Sequence[AcceptedFinding], others: Sequence[Mismatch]) -> Finding:
    """The finding as a new one, which shows the smallest of the mismatches that no entry speaks of."""
    accepted = ", ".join(dict.fromkeys(entry.text or ", ".join(entry.origins) for entry in entries))
    told = f"what is accepted ({accepted}) is not in the texts of {len(others)} of its mismatches"
    return replace(finding, smallest=min(others, key=plainness), beyond=told)


def _answers(entries: Sequence[AcceptedFinding], members: Sequence[Mismatch]) -> Iterator[tuple[Mismatch, str]]:
    """The mismatches on texts of which the entries say what the engine gives, and that are answered otherwise."""
    accepted = {line for entry in entries for line in entry.gives}
    for mismatch in members:
        line = example(mismatch)
        if not line or line in accepted:
            continue
        begin, end = _about(mismatch.case.question), _NOT + _told(mismatch, mismatch.expected)
        same = next((one for one in accepted if one.startswith(begin) and one.endswith(end)), "")
        if same:
            yield mismatch, f"{line.removesuffix(end)}; {same[len(begin) : len(same) - len(end)]} is accepted"


def _damages(entries: Sequence[AcceptedFinding], members: Sequence[Mismatch]) -> Iterator[tuple[Mismatch, str]]:
    """The mismatches whose damage no entry speaks of; those that only this run made, or put for an entry, apart."""
    accepted = {told for entry in entries for told in entry.damage}
    if not all(entry.damage for entry in entries):
        return
    for mismatch in members:
        origin = mismatch.case.origin
        told = "" if origin.shrunk or origin.source == "accepted" else damage(mismatch)
        if told and accepted.isdisjoint({told, *(_ADDED if " added" in told else ())}):
            yield mismatch, f"{told}; accepted is: {', '.join(sorted(accepted))}"


def _more(finding: Finding, entries: Sequence[AcceptedFinding], members: Sequence[Mismatch], put: int) -> str:
    """That many more cases show it, by number and by share: a shorter run, or a longer one, changes one of the two."""
    counts = [tuple(map(int, entry.cases.split(" of "))) for entry in entries if entry.cases]
    if len(counts) < len(entries) or not put:
        return ""
    accepted, of = sum(count for count, _ in counts), max(of for _, of in counts)
    cases = finding.mismatches - sum(one.case.origin.source == "accepted" for one in members)
    if cases <= _MANY * accepted or cases * of <= _MANY * accepted * put:
        return ""
    return f"{cases:,} of {put:,} cases show it; {accepted:,} of {of:,} are accepted"


def _about(question: object) -> str:
    remarks = f" ({', '.join(question.remarks)})" if isinstance(question, Encode) and [*question.remarks] else ""
    return f"{question.literal}{remarks}: " if isinstance(question, Encode) else ""


def _told(mismatch: Mismatch, outcome: Outcome) -> str:
    if isinstance(outcome, Failure):
        return f"no answer ({outcome.kind})"
    row = _row(mismatch, outcome)
    if len(row) > _LONGEST:
        return ""
    return literal(row) if isinstance(row, bytes) else str(list(row))


def _row(mismatch: Mismatch, outcome: Outcome) -> Sequence[int]:
    """The ids that an outcome has; the decoded bytes, where these are what differs."""
    return (
        outcome.ids if isinstance(outcome, Encoding) and mismatch.difference.aspect == "ids" else decoded_bytes(outcome)
    )


def _is_within(part: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether a row is left of another one if some of its ids are taken out."""
    left = iter(whole)
    return len(part) < len(whole) and all(one in left for one in part)
