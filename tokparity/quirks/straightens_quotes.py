"""Makes typographic quotation marks and apostrophes straight."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Translated

QUIRK = Quirk(
    name="straightens_quotes",
    title="Makes typographic quotation marks and apostrophes straight",
    symptom="Curly quotes come back straight; contractions are cut like those with a straight apostrophe.",
    cause="Text is cleaned of what word processors put into it before the tokenizer sees it.",
    fix="Pass the text on as it is.",
    field="decode_text",
    derive=lambda behaviour: Translated(behaviour.decode_text, "‘’“”", "''\"\""),
    witness=lambda: toys.spm("a '", byte_pieces=True).on("a’a"),
)
