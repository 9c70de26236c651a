"""All variants of a model that mismatches may show: what is plain and soon found first, for time is limited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from tokparity.diagnose.base import Base
from tokparity.diagnose.families.conditions.conditional import Conditional
from tokparity.diagnose.families.cuts.elsewhere import cut_elsewhere
from tokparity.diagnose.families.cuts.miscounted import miscounted_cuts
from tokparity.diagnose.families.cuts.taken_for import taken_for
from tokparity.diagnose.families.merges.limited import merged_otherwise
from tokparity.diagnose.families.merges.lost import lost_merges
from tokparity.diagnose.families.merges.scattered import scattered_merges
from tokparity.diagnose.families.patterns.edited import edited_patterns
from tokparity.diagnose.families.scores import rounded_scores
from tokparity.diagnose.families.texts.blocks import in_blocks
from tokparity.diagnose.families.texts.lost_bytes import lost_bytes
from tokparity.diagnose.families.texts.normalised import normalised_further
from tokparity.diagnose.families.texts.stretches import stretches
from tokparity.diagnose.families.vocabulary.limited_words import limited_words
from tokparity.diagnose.families.vocabulary.lost_pieces import lost_pieces
from tokparity.diagnose.families.vocabulary.other_kinds import other_kinds
from tokparity.diagnose.seen import Asking, Seen
from tokparity.diagnose.trial import Variant, ids_by


def shown_by(
    smallest: Seen,
    failing: Sequence[Seen],
    right: Sequence[Seen],
    asking: Asking,
    base: Base,
    conditional: Conditional,
) -> Iterator[Variant]:
    """The variants that may answer as the smallest mismatch was answered; what is `failing` and `right` may tell."""
    return chain(
        _itself(failing, base),
        lost_bytes(smallest, right, asking, base),
        limited_words(smallest, failing, base),
        in_blocks(smallest, asking, base),
        stretches(smallest, base),
        miscounted_cuts(smallest, base),
        normalised_further(smallest, base),
        edited_patterns(smallest, asking, base),
        lost_merges(smallest, failing, right, asking, base),
        taken_for(smallest, asking, base),
        cut_elsewhere(smallest, asking, base),
        lost_pieces(smallest, failing, right, asking, base),
        other_kinds(smallest, asking, base),
        rounded_scores(smallest, base),
        merged_otherwise(smallest, base),
        scattered_merges(failing, asking, base),
        conditional.variants(failing, right, asking),
    )


def _itself(failing: Sequence[Seen], base: Base) -> Iterator[Variant]:
    """The model as it is: where an oracle of the user's choice is wrong, every variant that changes nothing foretells
    the answers too."""
    says = "as the reference reads it, and what they are compared with is otherwise"
    yield Variant(says, partial(ids_by, base.tokenizer), [seen.text for seen in failing])


def shown_further(asking: Asking, against: Seen, base: Base) -> Iterator[Variant]:
    """What else may be otherwise, as something shows that a variant (`base`) foretells wrongly."""
    ways = (edited_patterns, taken_for, cut_elsewhere)
    return chain.from_iterable(way(against, asking, base) for way in ways)
