"""The differences in how two sources cut texts into pieces: the algorithm, scores, merges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.difference import first_difference
from tokparity.formats import Source
from tokparity.formats.expressible import shown as value_shown
from tokparity.lint.difference import Difference, some, text_of, vocabulary_with
from tokparity.lint.effects import EFFECTS
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Vocabulary


def of_algorithm(left: Source, right: Source) -> Difference:
    """Another algorithm, with the data that it needs: one source orders merges by score, the other lists them, say."""
    ours, theirs = left.vocabulary, right.vocabulary

    def apply(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        needed = replace(
            vocabulary, pieces=theirs.pieces, kinds=theirs.kinds, scores=theirs.scores, merges=theirs.merges
        )
        fields = {name: getattr(right.behaviour, name) for name in ("segment", "unused_pieces")}
        return needed, replace(behaviour, **fields)

    one, other = value_shown(left.behaviour.segment), value_shown(right.behaviour.segment)
    what = (
        f"{one} with {len(ours.scores)} scores and {len(ours.merges)} merges on the left, "
        f"{other} with {len(theirs.scores)} and {len(theirs.merges)} on the right"
    )
    return Difference("algorithm", what, EFFECTS["segment"] + ", unless both come to the same", apply)


def of_scores(left: Source, right: Source) -> Iterator[Difference]:
    """Yield a difference for pieces whose scores differ, if either model's algorithm uses scores."""
    if left.behaviour.segment not in (spm, ugm) and right.behaviour.segment not in (spm, ugm):
        return  # nobody looks at them
    ours, theirs = left.vocabulary.scores, right.vocabulary.scores
    if ours == theirs:
        return

    apply = vocabulary_with(scores=theirs)
    if not ours or not theirs:
        what = f"there are none on the {'right' if ours else 'left'}"
        yield Difference("scores", what, "nothing is merged in the right order", apply)
        return
    other = [i for i, (our, their) in enumerate(zip(ours, theirs, strict=True)) if our != their]
    pieces = [left.vocabulary.pieces[i] for i in other]
    what = f"{len(other)} differ: {some(pieces)} (the first: {ours[other[0]]:g} on the left, {theirs[other[0]]:g})"
    yield Difference("scores", what, "pieces are preferred in another order", apply, tuple(map(text_of, pieces[:50])))


def of_merges(left: Source, right: Source) -> Iterator[Difference]:
    """Merges that one side lacks, or has in another order."""
    ours, theirs = left.vocabulary.merges, right.vocabulary.merges
    if ours == theirs:
        return

    apply = vocabulary_with(merges=theirs)
    missing, extra = set(theirs) - set(ours), set(ours) - set(theirs)
    for merges, what in ((missing, "missing on the left"), (extra, "missing on the right")):
        if merges:
            made = sorted((a + b for a, b in merges), key=len)
            told = f"{len(merges)} {what}, of those with {len(ours)} and {len(theirs)}: {some(made)}"
            yield Difference("merges", told, "these pieces are not put together", apply, tuple(map(text_of, made[:50])))
    if not missing and not extra:
        first = first_difference(ours, theirs)
        text = text_of(b"".join((theirs[first:] or ours[first:])[0]))  # one that is listed twice may be all
        yield Difference(
            "merges", f"in another order from number {first}", "words are put together differently", apply, (text,)
        )
