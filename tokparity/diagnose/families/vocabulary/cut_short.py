"""A vocabulary that ends too early, found in stored answers: no id from a certain number on occurs.

An engine that can still be run is run on single pieces instead (`lost_pieces`), which shows the exact id.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.families.vocabulary.lost_pieces import without_pieces
from tokparity.diagnose.hypothesis import Variant, has_other_ids, ids_by
from tokparity.outcome import Encoding


def cut_short(facts: Facts) -> Iterator[Variant]:
    """The model without the pieces from an id on, where every wrong answer lacks one of them."""
    if not facts.is_of_ids:
        return
    vocabulary = facts.base.vocabulary
    added = vocabulary.added_by_id
    came = [i for seen in (*facts.failing, *facts.right) for i in _ids(seen) if i not in added]
    first = max(came, default=-1) + 1
    lost = [i for seen in facts.failing if has_other_ids(seen) for i in seen.ids if i >= first and i not in added]
    if not lost or first == 0:
        return
    last = min(lost)
    told = f"{last:,} or more" + ("" if first == last else f" (or {first:,} or more)")
    for edge in dict.fromkeys((last, first)):
        removed = frozenset(i for i in range(edge, len(vocabulary)) if i not in added)
        without = facts.built(without_pieces(vocabulary, removed))
        yield facts.variant(f"without the pieces whose id is {told}", partial(ids_by, without), [])


def _ids(seen: Observation) -> tuple[int, ...]:
    return tuple(seen.actual.ids) if isinstance(seen.actual, Encoding) else ()
