"""Takes only one space away from the start of decoded text where extra spaces were removed."""

from __future__ import annotations

from dataclasses import replace

from tokparity.behaviour import Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.reference.decode import DecodePieces


def _one(decode: Decode) -> Decode:
    return replace(decode, strips_all=False) if isinstance(decode, DecodePieces) else decode


QUIRK = Quirk(
    name="strips_one_decoded_space",
    title="Takes only one space away from the start of decoded text where extra spaces were removed",
    symptom="Decoded text begins with a space where the ids begin with several markers.",
    cause="The decoder is Strip with start = 1, whether the model removes extra spaces on encoding or not.",
    fix="Where the model removes extra spaces, take away the markers of all pieces at the start.",
    field="decode",
    derive=decodes_with(_one),
    links=("https://github.com/google/sentencepiece/blob/master/src/sentencepiece_processor.cc",),
    witness=lambda: toys.spm("a ▁", space_prefix="always", collapse_spaces=True, strip_decoded_prefix=True).on("▁a"),
)
