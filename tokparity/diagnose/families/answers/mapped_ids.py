"""Whether the ids are the right ones after a fixed mapping, or with ids added or missing at their ends."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.answers.id_maps import Row, id_maps, table_of
from tokparity.diagnose.families.scores import joined_pieces
from tokparity.diagnose.hypothesis import Prediction, has_other_ids
from tokparity.diagnose.limits.families import SHARE
from tokparity.diagnose.limits.texts import MAP_ASKED, MAP_BESIDE, MAP_ROUNDS, MAPPED_ANSWERS, MAPPED_ENDS
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.questions.json_text import literal


@dataclass(frozen=True)
class Ends:
    """What is wrong at the ends of an answer: how many right ids are missing there, or which ids are added."""

    says: str = ""
    front: int = 0
    back: int = 0
    before: tuple[int, ...] = ()
    behind: tuple[int, ...] = ()

    def inner(self, expected: Row, actual: Row) -> tuple[Row, Row] | None:
        """The two without what is otherwise at the ends; None where they do not have it."""
        first, last = len(self.before), len(actual) - len(self.behind)
        if tuple(actual[:first]) != self.before or tuple(actual[last:]) != self.behind or first > last:
            return None
        return expected[self.front : len(expected) - self.back], actual[first:last]


@dataclass(frozen=True)
class MappedIds:
    """The hypothesis of one mapping with its ends."""

    sentence: str
    ends: Ends
    of: Callable[[int], int | None]
    probes: Sequence[str]
    is_learned: bool = True
    model: None = None

    def predict(self, seen: Observation) -> Prediction:
        """The ids that the engine returns for the right ids."""
        if not isinstance(seen.question, Encode):
            return None
        mapped = [self.of(one) for one in seen.ids[self.ends.front : len(seen.ids) - self.ends.back]]
        ids = tuple(i for i in mapped if i is not None)
        return Encoding((*self.ends.before, *ids, *self.ends.behind)) if len(ids) == len(mapped) else None


def mapped_ids(facts: Facts) -> Iterator[MappedIds]:
    """The mappings that all wrong answers together may show."""
    pieces = facts.base.vocabulary.pieces
    spelled = facts.base.generators.subject.spelled

    def shown(one: int) -> str:
        return literal(pieces[one]) if 0 <= one < len(pieces) else "no piece"

    def texts(ids: Iterable[int]) -> list[str]:
        some = (spelled[i] for i in ids if 0 <= i < len(spelled))
        return [text.decode("utf-8", "surrogateescape") for text in some if text]

    for ends in _ends(_pairs(facts)):
        table = _table(facts, ends)
        for _ in range(MAP_ROUNDS):  # what lies between two ids of which one is mapped otherwise is not known yet
            between = {i for one in id_maps(table, shown) for edge in one.edges for i in _between(edge, table)}
            new = [text for text in texts(sorted(between)) if text not in facts.asking.seen]
            if not new or not facts.asking.can:
                break
            facts.asking.wrong(new)
            table = _table(facts, ends)
        if ends.says and all(one == came for one, came in table.items()):
            yield _hypothesis(facts, ends.says, ends, int, [])
        if ends.says and len(_pairs(facts)) == 1:
            continue  # one answer cannot show that its ends are otherwise and its ids too
        for one in id_maps(table, shown):
            says = f"{one.says}, and {ends.says}" if ends.says else one.says
            near = (edge + step for edge in one.edges for step in range(-MAP_BESIDE, MAP_BESIDE + 1))
            yield replace(_hypothesis(facts, says, ends, one.of, texts(near)), is_learned=one.is_learned)
        # Where some answers are right and others mapped, a condition may tell which.
        of_wrong = table_of([inner for pair in _pairs(facts) if (inner := ends.inner(*pair)) is not None], ())
        for one in id_maps(of_wrong, shown) if of_wrong != table else ():
            yield _hypothesis(facts, f"{one.says}, and {ends.says}" if ends.says else one.says, ends, one.of, [])


def _pairs(facts: Facts) -> list[tuple[Row, Row]]:
    failing = [seen for seen in (*facts.failing, *facts.asking.seen.values()) if has_other_ids(seen)][:MAPPED_ANSWERS]
    return [(seen.ids, seen.actual.ids) for seen in failing if isinstance(seen.actual, Encoding)]


def _table(facts: Facts, ends: Ends) -> dict[int, int]:
    """What each id came as between the ends."""
    found = [inner for pair in _pairs(facts) if (inner := ends.inner(*pair)) is not None]
    return table_of(found, [] if ends.says else _spared(facts))


def _between(edge: int, table: Mapping[int, int]) -> list[int]:
    """Some of the ids on either side of an edge up to the next one that is known."""
    known = sorted(table)
    at = bisect_left(known, edge)
    below = known[at - 1] if at else edge
    above = next((one for one in known[at:] if one > edge), edge)
    every = [*range(below + 1, edge), *range(edge + 1, above)]
    return every[:: max(len(every) // MAP_ASKED, 1)][:MAP_ASKED]


def _hypothesis(
    facts: Facts, says: str, ends: Ends, of: Callable[[int], int | None], texts: Sequence[str]
) -> MappedIds:
    some = [] if facts.asking.is_stored else [*texts, *joined_pieces(facts.base)]
    return MappedIds(says, ends, of, some)


def _spared(facts: Facts) -> Sequence[Row]:
    right = (seen for seen in (*facts.right, *facts.asking.seen.values()) if not seen.wrong)
    return [seen.ids for seen in right if isinstance(seen.actual, Encoding)][:MAPPED_ANSWERS]


def _ends(pairs: Sequence[tuple[Row, Row]]) -> Iterator[Ends]:
    """What may be otherwise at the ends, as far as nearly all answers have it."""
    if not pairs:
        return
    ((more, times),) = Counter(len(actual) - len(expected) for expected, actual in pairs).most_common(1)
    if times < SHARE * len(pairs) or abs(more) > MAPPED_ENDS:
        return
    if not more:
        yield Ends()
        return
    size = abs(more)
    for front in (size, *range(size)):
        rows = [pair[more > 0] for pair in pairs if len(pair[more > 0]) >= size]
        cut: Callable[[Row], tuple[Row, Row]] = partial(_cut, front, size - front)
        (((before, behind), times),) = Counter(map(cut, rows)).most_common(1)
        if times < SHARE * len(pairs):
            continue
        both = ((before, "before", "beginning"), (behind, "behind", "end"))
        sides = [side for side in both if side[0]]
        if more < 0:
            says = " and ".join(f"{_named(ids)} {_are(ids)} missing at the {end}" for ids, _, end in sides)
            yield Ends(says, front=front, back=size - front)
        else:
            doubled = all(cut(expected) == (before, behind) for expected, _ in pairs)
            says = " and ".join(
                f"{_named(ids)} {_twice(ids) if doubled else f'{_are(ids)} added'} {where} the others"
                for ids, where, _ in sides
            )
            yield Ends(says, before=tuple(before), behind=tuple(behind))


def _cut(front: int, back: int, row: Row) -> tuple[Row, Row]:
    """The first and the last ids of a row."""
    return tuple(row[:front]), tuple(row[len(row) - back :])


def _named(ids: Row) -> str:
    return ("the id " if len(ids) == 1 else "the ids ") + " and ".join(map(str, ids))


def _twice(ids: Row) -> str:
    return "comes twice" if len(ids) == 1 else "come twice"


def _are(ids: Row) -> str:
    return "is" if len(ids) == 1 else "are"
