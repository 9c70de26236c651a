"""Which prompts of an engine are wrong: those that are not the reference's, whoever is the oracle of the ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tokparity.difference import beside, kind_of, of_prompts
from tokparity.finding import Mismatch
from tokparity.outcome import DEADLY, NOT_ASKED, Failure, Outcome, Rendering
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.tally import Tally
from tokparity.session.batch import Batch, Judgment, Sighting
from tokparity.vocabulary import pieces_at

if TYPE_CHECKING:
    from tokparity.formats import Source

Encode = Callable[[bytes], Sequence[int]]
"""The ids of a prompt, by the model's own encoding."""


def encoding(source: Source) -> Encode:
    """The encoding of a model, built when it is first needed; special tokens are parsed, and none is added."""
    tokenizer = cache(lambda: Tokenizer(source.vocabulary, source.behaviour))
    return lambda prompt: tokenizer().encode(prompt, False, True)


def right_prompt(batch: Batch, knowing: str, index: int) -> Outcome:
    """What the engine `knowing` makes of a conversation."""
    results = batch.results.get(knowing)
    return Failure("unavailable", f"{knowing} was not asked") if results is None else results.outcome(index)


def is_unknown(right: Outcome) -> bool:
    """Whether nobody knows the right prompt: the reference hung, ran out of memory, or was not asked."""
    return isinstance(right, Failure) and right.kind in (*DEADLY, *NOT_ASKED)


def verdict(batch: Batch, engine: str, refused: Collection[int], knowing: str) -> Judgment:
    """Prompts that are not those of the engine `knowing`; what nobody makes a prompt of counts nowhere."""
    found = list(_compared(batch, engine, refused, knowing))
    seen = [Sighting(index, engine, knowing, kind) for index, kind in found if kind]
    left = sum(_is_made(right_prompt(batch, knowing, index)) for index in refused)
    return Judgment(Tally(prompts=len(found), prompts_differ=len(seen), prompts_not_run=left), seen)


def _is_made(right: Outcome) -> bool:
    return isinstance(right, Rendering) and right.prompt is not None


def _compared(batch: Batch, engine: str, refused: Collection[int], knowing: str) -> Iterator[tuple[int, str]]:
    """Each conversation of which the engine or the reference makes a prompt, with the kind of what is wrong if any."""
    for index, case in enumerate(batch.cases):
        right, its = right_prompt(batch, knowing, index), batch.results[engine].outcome(index)
        if index in refused or is_unknown(right):
            continue
        difference = of_prompts(right, its)
        if difference is not None:
            yield index, kind_of(case, difference, its, (), ())
        elif _is_made(right):
            yield index, ""


def mismatch(batch: Batch, seen: Sighting, model: str, encode: Encode, pieces: Sequence[bytes]) -> Mismatch:
    """The mismatch with both prompts and their ids."""
    case = batch.cases[seen.place]
    given = (right_prompt(batch, name, seen.place) for name in (seen.oracle, seen.engine))
    right, its = given
    right, its = (_with_ids(one, encode) for one in (beside(right, its), its))
    difference = of_prompts(right, its)
    if difference is None:
        raise ValueError(f"{seen.oracle} and {seen.engine} do not differ on case {seen.place}")
    spelled = (pieces_at(pieces, one.ids) if isinstance(one, Rendering) else () for one in (right, its))
    return Mismatch(case, model, seen.engine, seen.oracle, right, its, difference, *spelled)


def _with_ids(given: Outcome, encode: Encode) -> Outcome:
    if not isinstance(given, Rendering) or given.prompt is None:
        return given
    return replace(given, ids=tuple(encode(given.decoded)))
