"""Makes a plain space of every other space character."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Translated

_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Unicode's space separators (Zs) but U+0020."""

QUIRK = Quirk(
    name="reads_wide_spaces_as_spaces",
    title="Makes a plain space of every other space character",
    symptom="No-break spaces (French punctuation, pasted text) and ideographic spaces are lost.",
    cause="All of Unicode's space separators are cleaned to U+0020 before the tokenizer sees the text.",
    fix="Pass the text on as it is; a model that wants this has a normaliser for it.",
    field="decode_text",
    derive=lambda behaviour: Translated(behaviour.decode_text, _SPACES, " " * len(_SPACES)),
    witness=lambda: toys.spm("a ▁", byte_pieces=True, space_marker="▁").on("a\u3000a"),
)
