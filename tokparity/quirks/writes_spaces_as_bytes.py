"""Writes each space as a byte and puts the marker before every word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokparity.behaviour import Pretokenise
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys

_SPACE = re.compile("([ ▁])")


@dataclass(frozen=True)
class SpacesAsBytes:
    """Cuts the words of another pre-tokenizer at each space (escaped or not) and marks what follows one."""

    inner: Pretokenise | None

    def __call__(self, text: str, at_start: bool) -> list[str]:
        words = self.inner(text, at_start) if self.inner else [text]
        return list(self._marked(words, at_start))

    @staticmethod
    def _marked(words: Sequence[str], at_start: bool) -> Iterator[str]:
        # A space at the very start of the input is the space prefix: it is the marker of the first word, no more.
        begins, is_first = at_start, at_start
        for word in words:
            for part in filter(None, _SPACE.split(word)):
                if _SPACE.fullmatch(part):
                    if not is_first:
                        yield " "
                    begins = True
                else:
                    yield "▁" + part if begins else part
                    begins = False
                is_first = False


QUIRK = Quirk(
    name="writes_spaces_as_bytes",
    title="Writes each space as a byte, and marks every word",
    symptom="Between any two words there is the byte token of the space, so a text has nearly twice as many tokens "
    "as it should.",
    cause="The engine splits the text at spaces, and writes the marker at the start of every word. It also keeps the "
    "space itself. No piece is a bare space, so the space falls back to bytes.",
    fix="Spell each space as the model does: ▁, or Ġ in the byte alphabet. Put one before the text only where the "
    "model asks for it (add_space_prefix).",
    field="pretokenise",
    derive=Derived(Place.AFTER, 10, lambda behaviour: SpacesAsBytes(behaviour.pretokenise)),
    witness=lambda: toys.spm("a ▁a b ▁b", byte_pieces=True).on("a b"),
)
