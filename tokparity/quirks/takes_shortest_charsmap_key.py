"""Takes the shortest key of the charsmap that fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.quirks.toys import CHARSMAP
from tokparity.reference.charsmap import Charsmap


@dataclass(frozen=True)
class ShortestKey:
    """A charsmap of which the shortest key that fits is replaced."""

    charsmap: Charsmap

    def __call__(self, text: str) -> str:
        table = self.charsmap.table
        parts: list[str] = []
        at = 0
        while at < len(text):
            ends = range(at + 1, min(at + self.charsmap.longest, len(text)) + 1)
            end = next((end for end in ends if text[at:end] in table), None)
            parts.append(text[at] if end is None else table[text[at:end]])
            at = end or at + 1
        return "".join(parts)


def shortest_key(stage: Any) -> Any:
    """A charsmap with shortest keys, other stages as they are."""
    return ShortestKey(stage) if isinstance(stage, Charsmap) else stage


QUIRK = Quirk(
    name="takes_shortest_charsmap_key",
    title="Takes the shortest key of the charsmap that fits",
    symptom="Letters with combining marks keep the mark, or get another form than the model has.",
    cause="At each place the first key found in the trie is replaced, which is the shortest.",
    fix="Walk the trie to its end and take the longest key that fits.",
    field="normalise",
    derive=normalises_with(shortest_key),
    links=("https://github.com/huggingface/tokenizers/issues/2116",),
    witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=CHARSMAP).on("ª\N{COMBINING ACUTE ACCENT}b"),
)
