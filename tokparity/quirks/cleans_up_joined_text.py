"""Cleans decoded text up after joining it, where the model's own decoder cleans each token."""

from __future__ import annotations

from tokparity.behaviour import Decode
from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import decodes_with
from tokparity.quirks.decoded_text import Changed, uncleaned
from tokparity.reference import splits
from tokparity.reference.decode import HuggingFaceDecode
from tokparity.reference.decode_stages import WordPiece, clean_up


def cleaned_at_last(decode: Decode) -> Decode:
    """What cleans the whole text up where `decode` does so token by token."""
    stages = decode.stages if isinstance(decode, HuggingFaceDecode) else None
    cleans = any(isinstance(stage, WordPiece) and stage.cleanup for stage in stages or ())
    return Changed(uncleaned(decode), wholly_cleaned_up) if cleans else decode


def wholly_cleaned_up(text: bytes) -> bytes:
    """The text cleaned up by all rules."""
    return clean_up(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


QUIRK = Quirk(
    name="cleans_up_joined_text",
    title="Cleans up the joined text when decoding, not each token",
    symptom="Decoded text has a'a where the model's own decoder gives a ' a, and don't where it gives do not.",
    cause="The rules of clean_up_tokenization run over the whole text, as in transformers. The WordPiece decoder of "
    "tokenizers cleans each token with the space before it, so no rule sees two tokens.",
    fix="Clean up each token, with the space before it, and then join them.",
    field="decode",
    derive=decodes_with(42, cleaned_at_last),
    links=github("huggingface/transformers/issues/35175"),
    witness=lambda: toys.wordpiece("a '", decode=HuggingFaceDecode((WordPiece(),)), pretokenise=splits.Bert()).on(
        "a ' a"
    ),
)
