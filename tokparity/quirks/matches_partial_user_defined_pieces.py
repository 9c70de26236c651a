"""Takes the beginning of a user-defined piece for the whole of it, in the middle of a character."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Normalise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.groups_bytes_by_lead import GroupedByLead
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.text import encode_text, keep_bytes
from tokparity.vocabulary import Kind


@dataclass(frozen=True)
class Torn:
    """The charsmap, but bytes that begin one of its kept pieces pass through, however few of them match.

    A match may end within a character. Each byte that is left of the character is not UTF-8 and becomes U+FFFD.
    Source: llama.cpp, `naive_trie::get_longest_prefix`. It returns the depth that was reached in the trie, not the
    longest key.
    """

    inner: Charsmap
    marker: str
    collapses: bool

    def __call__(self, text: str) -> str:
        kept = [encode_text(piece) for piece in self.inner.keep]
        beginnings = {piece[:n] for piece in kept for n in range(1, len(piece) + 1)}
        data = encode_text(text)
        parts: list[bytes] = []
        done = at = 0
        while at < len(data):
            size = 0
            while at + size < len(data) and data[at : at + size + 1] in beginnings:
                size += 1
            if size:
                parts += self._normalised(data[done:at]), data[at : at + size]
                done = at + size
            at += size or 1
        parts.append(self._normalised(data[done:]))
        torn = keep_bytes(b"".join(parts))
        # Groups are made of escaped spaces, which nobody collapses any more.
        return GroupedByLead(None, self.marker)(re.sub(" +", " ", torn).strip(" ") if self.collapses else torn)

    def _normalised(self, data: bytes) -> bytes:
        return encode_text(self.inner(keep_bytes(data)))


def _torn(behaviour: Behaviour) -> Normalise | None:
    inner = behaviour.normalise
    if not isinstance(inner, Charsmap) or not inner.keep:
        return inner
    return Torn(inner, behaviour.space_marker, behaviour.collapse_spaces)


QUIRK = Quirk(
    name="matches_partial_user_defined_pieces",
    title="Matches part of a user-defined piece, even within a character",
    symptom="Characters that share their first byte with a user-defined piece become the unknown token. If ▁▁ is "
    "such a piece, these are U+2000 to U+2FFF.",
    cause="The search for a user-defined piece returns how many bytes it matched in the trie, not the length of the "
    "longest piece that it found.",
    fix="Remember the last node at which a piece ended, and give its length.",
    field="normalise",
    derive=Derived(Place.PART, 100, _torn),
    witness=lambda: toys.unigram(
        {"”": -1, "▁▁": -2, "▁": -3}, kinds={"▁▁": Kind.USER_DEFINED}, normalise=replace(toys.CHARSMAP, keep=("▁▁",))
    ).on("”"),
)
