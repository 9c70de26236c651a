"""Takes the score of user-defined pieces from the file."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="scores_user_defined_as_written",
    title="Takes the score of user-defined pieces from the file",
    symptom="User-defined pieces are cut up, or always win: the score that the file has for them means nothing.",
    cause="The score in the file (mostly 0) is used for user-defined pieces as for normal ones.",
    fix="Score them as the model's tokenizer does, without a look at the file.",
    field="user_defined_score",
    value="own",
    witness=lambda: toys.unigram(toys.OVERLAP, kinds=toys.OVERLAP_KINDS, user_defined_score="length").on("abc"),
)
