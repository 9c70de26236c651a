"""All families of causes except the catalog, in the order in which they are tried: simple causes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokparity.diagnose.facts import Facts, Family
from tokparity.diagnose.families.answers.id_blocks import id_blocks
from tokparity.diagnose.families.answers.mapped_ids import mapped_ids
from tokparity.diagnose.families.answers.one_id_each import one_id_each
from tokparity.diagnose.families.cuts.elsewhere import cut_elsewhere
from tokparity.diagnose.families.cuts.miscounted import miscounted_cuts
from tokparity.diagnose.families.cuts.taken_for import taken_for
from tokparity.diagnose.families.merges.limited import merged_otherwise
from tokparity.diagnose.families.merges.lost import lost_merges
from tokparity.diagnose.families.merges.scattered import scattered_merges
from tokparity.diagnose.families.patterns.edited import edited_patterns
from tokparity.diagnose.families.scores import rounded_scores, scores_of_unknowns
from tokparity.diagnose.families.texts.blocks import in_blocks
from tokparity.diagnose.families.texts.escaped import escaped_texts, whole_texts
from tokparity.diagnose.families.texts.lost_bytes import lost_bytes
from tokparity.diagnose.families.texts.normalised import normalised_further
from tokparity.diagnose.families.texts.replaced import replaced_strings, several_strings
from tokparity.diagnose.families.texts.stretches import stretches
from tokparity.diagnose.families.vocabulary.cut_short import cut_short
from tokparity.diagnose.families.vocabulary.limited_words import limited_words, other_limits
from tokparity.diagnose.families.vocabulary.lost_pieces import lost_pieces
from tokparity.diagnose.families.vocabulary.other_kinds import other_kinds
from tokparity.diagnose.families.vocabulary.replaced_words import replaced_words
from tokparity.diagnose.hypothesis import Hypothesis, Variant, ids_by


def as_it_is(facts: Facts) -> Iterator[Variant]:
    """The model as it is: where an oracle of the user's choice is wrong, every variant that changes nothing predicts
    the answers too."""
    says = "as the reference reads it, and what they are compared with is otherwise"
    yield facts.variant(says, lambda question: ids_by(facts.base.tokenizer, question), [s.text for s in facts.failing])


OF_IDS: Sequence[tuple[str, Family]] = (("ids as a mapping", mapped_ids), ("ids by their number", id_blocks))
"""Those that read many wrong answers together, so that another fault among these hides what they show."""

FAMILIES: Sequence[tuple[str, Family]] = (
    ("the model as it is", as_it_is),
    *OF_IDS,
    ("one id for each character", one_id_each),
    ("scores of unknown characters", scores_of_unknowns),
    ("escaped texts", escaped_texts),
    ("lost bytes", lost_bytes),
    ("another limit of words", other_limits),
    ("long words", limited_words),
    ("blocks", in_blocks),
    ("texts changed as a whole", whole_texts),
    ("stretches between tokens", stretches),
    ("strings read as others", replaced_strings),
    ("several strings read as others", several_strings),
    ("miscounted cuts", miscounted_cuts),
    ("normalization", normalised_further),
    ("patterns", edited_patterns),
    ("lost merges", lost_merges),
    ("characters taken for others", taken_for),
    ("other cuts", cut_elsewhere),
    ("lost pieces", lost_pieces),
    ("kinds of pieces", other_kinds),
    ("scores", rounded_scores),
    ("merging", merged_otherwise),
    ("scattered merges", scattered_merges),
    ("words with other ids", replaced_words),
)
"""Each with its name, for what is said where time was up before it was tried."""

STORED: Sequence[tuple[str, Family]] = (
    *OF_IDS,
    ("one id for each character", one_id_each),
    ("scores of unknown characters", scores_of_unknowns),
    ("escaped texts", escaped_texts),
    ("strings read as others", replaced_strings),
    ("texts changed as a whole", whole_texts),
    ("several strings read as others", several_strings),
    ("lost bytes", lost_bytes),
    ("long words", limited_words),
    ("blocks", in_blocks),
    ("normalization", normalised_further),
    ("patterns", edited_patterns),
    ("a vocabulary cut short", cut_short),
    ("lost pieces", lost_pieces),
    ("lost merges", lost_merges),
    ("scores", rounded_scores),
    ("merging", merged_otherwise),
    ("words with other ids", replaced_words),
)
"""Those that need no engine to ask: what was stored of it shows them."""

FURTHER: Sequence[tuple[str, Family]] = (
    ("patterns", edited_patterns),
    ("characters taken for others", taken_for),
    ("other cuts", cut_elsewhere),
)
"""What else may be otherwise with a model that is a variant already."""


def proposed(families: Sequence[tuple[str, Family]], facts: Facts) -> Iterator[Hypothesis]:
    """The hypotheses of families, one family after the other; none is begun once the work is done, or time is up."""
    for name, family in families:
        if facts.asking.budget.begins(name):
            yield from family(facts)
