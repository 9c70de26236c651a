"""Models in which a class of pieces has another kind, such as user-defined, and is cut out of the text first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice

from tokparity.diagnose.base import Base
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.texts import KINDS_OF_PIECES
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.separate.classes import classes
from tokparity.diagnose.separate.features import IN_A_PIECE
from tokparity.outcome import Encoding
from tokparity.vocabulary import Kind

_AROUND = ("", "a", " ", "the ", "12", ".")


def other_kinds(facts: Facts) -> Iterator[Variant]:
    """The variants that answer as the smallest mismatch was answered: a piece came that should not have."""
    smallest, base = facts.against, facts.base
    kinds = base.vocabulary.kinds
    if not facts.is_of_ids or not isinstance(smallest.actual, Encoding) or not base.vocabulary.scores:
        return
    came = [i for i in dict.fromkeys(smallest.actual.ids) if i not in smallest.ids and i < len(kinds)]
    for piece in (i for i in came if kinds[i] is Kind.NORMAL):
        for says, holds in islice(_sorts(_text(base, piece)), KINDS_OF_PIECES):
            if not facts.asking.can:
                return
            cut_out = [i for i, kind in enumerate(kinds) if kind is Kind.NORMAL and holds(_text(base, i))]
            variant = _variant(facts, f"with the pieces {says} as user-defined ones", cut_out)
            if facts.shows(variant):
                yield variant


def _sorts(text: str) -> Iterator[tuple[str, Callable[[str], bool]]]:
    """The sorts of pieces that this one is of."""
    for one in classes():
        if text and all(map(one.holds, text)):
            yield (
                f"of which each character is {one.says}",
                partial(IN_A_PIECE["of which each character is {}"], one.holds),
            )
    for one in classes():
        if len(text) == 1 and one.holds(text):
            says = "of one character, which is {}"
            yield says.format(one.says), partial(IN_A_PIECE[says], one.holds)


def _text(base: Base, piece: int) -> str:
    return base.vocabulary.pieces[piece].decode("utf-8", "surrogateescape")


def _variant(facts: Facts, says: str, cut_out: list[int]) -> Variant:
    base = facts.base
    kinds = list(base.vocabulary.kinds)
    for piece in cut_out:
        kinds[piece] = Kind.USER_DEFINED
    marker = base.behaviour.space_marker
    some = [_text(base, piece).replace(marker, " ") for piece in cut_out]
    texts = mixed(some, _AROUND, least=2, most=6)
    return facts.with_vocabulary(says, replace(base.vocabulary, kinds=tuple(kinds)), texts)
