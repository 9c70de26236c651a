"""Never merges through an unused piece."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind

QUIRK = Quirk(
    name="skips_unused_steps",
    title="Never merges through an unused piece",
    symptom="Longer pieces that are built by way of an unused one are not found.",
    cause="Pieces of kind 5 (unused) are left out of merging altogether.",
    fix="Let them be a step of merging, and take them apart if they are left at the end.",
    field="unused_pieces",
    value="never",
    witness=lambda: toys.spm("ab abc a b c", kinds={"ab": Kind.UNUSED}, unused_pieces="resegment").on("abc"),
)
