"""Uses pieces that are marked as unused."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import Kind

QUIRK = Quirk(
    name="uses_unused_pieces",
    title="Uses pieces that are marked as unused",
    symptom="Tokens come out that the model has never seen in training.",
    cause="Pieces of kind 5 (unused) are matched like normal ones.",
    fix="Keep unused pieces out of the result; SPM may use them as a step of merging and must take them apart again.",
    field="unused_pieces",
    value="as_normal",
    witness=lambda: toys.spm("ab a b", kinds={"ab": Kind.UNUSED}).on("ab"),
)
