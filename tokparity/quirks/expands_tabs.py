"""Makes four spaces of every tab."""

from __future__ import annotations

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.before_the_model import Replaced

QUIRK = Quirk(
    name="expands_tabs",
    title="Makes four spaces of every tab",
    symptom="Indented code and tables are other ids; a Makefile comes back broken.",
    cause="The text went through an editor, a formatter or a viewer that expands tabs.",
    fix="Pass the text on as it is.",
    field="decode_text",
    derive=lambda behaviour: Replaced(behaviour.decode_text, b"\t", b"    "),
    witness=lambda: toys.spm("a ▁", byte_pieces=True, space_marker="▁").on("a\ta"),
)
