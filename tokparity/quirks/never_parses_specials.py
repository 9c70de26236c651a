"""Takes special tokens in the text for plain text."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys

QUIRK = Quirk(
    name="never_parses_specials",
    title="Takes special tokens in the text for plain text",
    symptom=(
        "Chat templates fall apart: <|im_start|> becomes several common pieces, and the model does not see the turn."
    ),
    cause="Special tokens spelled in the text are not looked for, although the caller asked.",
    fix="Match special tokens when the caller asks to parse them.",
    field="parses_special",
    value="never",
    witness=lambda: toys.spm("< s >").on("<s>", parse_special=True),
)
