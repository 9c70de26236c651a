"""Takes only ASCII's white space away beside tokens with lstrip or rstrip."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="strips_ascii_spaces_only",
    title="Takes only ASCII's white space away beside tokens with lstrip or rstrip",
    symptom="A no-break space (U+00A0) or an ideographic one (U+3000) beside a special token stays, where spaces go.",
    cause="White space is told byte by byte with C's isspace.",
    fix="Look at characters, and at White_Space of Unicode.",
    field="strips_what",
    value="ascii",
    links=("https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",),
    witness=lambda: toys.spm("a \xa0 <m>", added=(toys.special("<m>", 4, rstrip=True),)).on(
        "<m>\xa0a", parse_special=True
    ),
)
