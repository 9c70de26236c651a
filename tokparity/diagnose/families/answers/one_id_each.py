"""Whether each byte, character or word has one id of another vocabulary, and no piece of the model is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Prediction, has_other_ids
from tokparity.diagnose.limits.families import FEWEST_FOR_A_NUMBER, SHARE, TOLD
from tokparity.diagnose.limits.texts import MAPPED_ANSWERS, MAPPED_ENDS
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.questions.json_text import literal

Units = Callable[[bytes], Sequence[bytes]]
Answer = tuple[Sequence[bytes], Sequence[int]]
Ends = tuple[tuple[int, ...], tuple[int, ...]]
NO_ENDS: Ends = ((), ())

UNITS: Mapping[str, Units] = {
    "character": lambda text: [one.encode("utf-8", "surrogateescape") for one in _decoded(text)],
    "byte": lambda text: [bytes((byte,)) for byte in text],
    "word": lambda text: text.split(),
}


@dataclass(frozen=True)
class OneIdEach:
    """The hypothesis that the ids are those of the units of a text, between some ids at the ends.

    `asked` are the ids that go around these where the question asks for special ids.
    """

    sentence: str
    units: Units
    of: Mapping[bytes, int]
    before: tuple[int, ...]
    behind: tuple[int, ...]
    asked: Ends
    probes: Sequence[str]
    model: None = None

    def predict(self, seen: Observation) -> Prediction:
        """The ids of the units; None where one of them was never seen."""
        question = seen.question
        if not isinstance(question, Encode):
            return None
        ids = [self.of.get(unit) for unit in self.units(question.text)]
        first, last = self.asked if question.add_special else NO_ENDS
        known = (i for i in ids if i is not None)
        return None if None in ids else Encoding((*first, *self.before, *known, *self.behind, *last))


def one_id_each(facts: Facts) -> Iterator[OneIdEach]:
    """The hypotheses that all wrong answers together show, the plainest units first."""
    failing = [seen for seen in facts.failing if has_other_ids(seen)]
    rows = _rows(failing[:MAPPED_ANSWERS])
    asked = _asked_ends(rows, (facts.base.behaviour.prefix_ids, facts.base.behaviour.suffix_ids))
    inner, right = (
        [(question.text, _within(ids, asked) if question.add_special else ids) for question, ids in some]
        for some in (rows, _rows(facts.right))
    )
    for name, units in UNITS.items():
        answers = [(units(text), ids) for text, ids in inner]
        more = [len(ids) - len(units(text)) for text, ids in right]
        for front in range(MAPPED_ENDS):
            for back in range(MAPPED_ENDS):
                if any(number != front + back for number in more):
                    continue  # also where no other answer has its characters
                yield from _shown(name, units, answers, (front, back), asked, facts)


def _rows(some: Sequence[Observation]) -> list[tuple[Encode, Sequence[int]]]:
    return [
        (seen.question, seen.actual.ids)
        for seen in some
        if isinstance(seen.question, Encode) and isinstance(seen.actual, Encoding)
    ]


def _asked_ends(rows: Sequence[tuple[Encode, Sequence[int]]], ends: Ends) -> Ends:
    """The model's special ids if each answer to a question that asks for them has them, else none."""
    (first, last), asked = ends, [tuple(ids) for question, ids in rows if question.add_special]
    return ends if all(ids == (*first, *_within(ids, ends), *last) for ids in asked) else NO_ENDS


def _within(ids: Sequence[int], ends: Ends) -> tuple[int, ...]:
    return tuple(ids)[len(ends[0]) : len(ids) - len(ends[1])]


def _shown(
    name: str, units: Units, answers: Sequence[Answer], lengths: tuple[int, int], asked: Ends, facts: Facts
) -> Iterator[OneIdEach]:
    front, back = lengths
    inner = [(spelled, ids[front : len(ids) - back]) for spelled, ids in answers]
    fitting = [(spelled, ids) for spelled, ids in inner if len(spelled) == len(ids)]
    table = {unit: one for spelled, ids in fitting for unit, one in zip(spelled, ids, strict=True)}
    ends = {(tuple(ids[:front]), tuple(ids[len(ids) - back :])) for _, ids in answers}
    again = sum(len(spelled) for spelled, _ in fitting) - len(table)
    if again < FEWEST_FOR_A_NUMBER or len(fitting) < SHARE * len(answers) or len(ends) != 1:
        return
    if any(table[unit] != one for spelled, ids in fitting for unit, one in zip(spelled, ids, strict=True)):
        return
    ((before, behind),) = ends
    sides = [(before, "before them"), (behind, "behind them")]
    said = [f"the id {' '.join(map(str, ids))} {where}" for ids, where in sides if ids]
    why = "the engine finds no pieces of this model, so look at the vocabulary that it reads"
    sentence = "; ".join([f"each {name} comes as {_told(table, facts.base.vocabulary.byte_ids)}", *said, why])
    probes = [] if facts.asking.is_stored else [text for seen in facts.failing if (text := _plain(seen))]
    yield OneIdEach(sentence, units, table, before, behind, asked, probes)


def _told(table: Mapping[bytes, int], byte_pieces: Sequence[int | None]) -> str:
    """Some of the table; a number that the ids are too high by, where units are numbers themselves."""
    if all(len(unit) == 1 and byte_pieces[unit[0]] == i for unit, i in table.items()):
        return "its byte piece"
    if all(len(unit) == 1 for unit in table) and len(apart := {i - unit[0] for unit, i in table.items()}) == 1:
        (plus,) = apart
        return f"its number{f' {plus:+,}' if plus else ''}"
    if len({*table.values()}) == 1:
        return f"the id {next(iter(table.values())):,}"
    some = ", ".join(f"{literal(unit)} as {table[unit]:,}" for unit in sorted(table)[:TOLD])
    return f"one id, always the same one: {some}" + (f", and {len(table) - TOLD:,} more" if len(table) > TOLD else "")


def _plain(seen: Observation) -> str:
    return _decoded(seen.question.text) if isinstance(seen.question, Encode) else ""


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")
