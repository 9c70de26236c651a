"""Trusts the lead byte for the length of a character."""

from __future__ import annotations

from dataclasses import dataclass

from tokparity.behaviour import Behaviour, Normalise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.reference.spaces import with_markers
from tokparity.reference.text import encode_text, keep_bytes


@dataclass(frozen=True)
class GroupedByLead:
    """Groups of 1 to 4 bytes by the high half of the first; a group that is not a character stays bytes, ASCII too.

    Spaces are escaped before that, so a group may end within the marker. It shows only where invalid bytes are kept.
    Source: llama.cpp, `unicode_len_utf8`.
    """

    inner: Normalise | None
    marker: str
    escapes_runs: bool = True

    def __call__(self, text: str) -> str:
        text = self.inner(text) if self.inner else text
        if text.isascii():
            return text
        return self._grouped(encode_text(with_markers(text, self.marker, self.escapes_runs)))

    def _grouped(self, data: bytes) -> str:
        parts: list[str] = []
        at = 0
        while at < len(data):
            size = {12: 2, 13: 2, 14: 3, 15: 4}.get(data[at] >> 4, 1)
            group = data[at : at + size]
            text = keep_bytes(group)
            # A space of a run stays a byte, lest what a group has left of the run be taken for a single space.
            is_left = text == " " and not self.escapes_runs
            parts.append(text if len(text) == 1 and not is_left else "".join(chr(0xDC00 + byte) for byte in group))
            at += size
        return "".join(parts)


def _grouped(behaviour: Behaviour) -> Normalise:
    return GroupedByLead(behaviour.normalise, behaviour.space_marker, behaviour.escapes_runs)


QUIRK = Quirk(
    name="groups_bytes_by_lead",
    title="Trusts the lead byte for the length of a character",
    symptom="Only texts that are not UTF-8 differ: letters after an invalid byte become byte pieces too.",
    cause="The engine reads the length of a character from its first byte and does not check the bytes after it.",
    fix="Check the continuation bytes, and start again at the first byte that is not one.",
    field="normalise",
    derive=Derived(Place.AFTER, 30, _grouped),
    witness=lambda: toys.spm("a b", byte_pieces=True).on(b"\xe2aba"),
)
