"""Applies the charsmap to whole grapheme clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import regex

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.quirks.toys import CHARSMAP
from tokparity.reference.charsmap import Charsmap


@dataclass(frozen=True)
class PerGrapheme:
    """A charsmap that is applied cluster by cluster, shortest key first."""

    charsmap: Charsmap

    def __call__(self, text: str) -> str:
        return "".join(self._replaced(cluster) for cluster in regex.findall(r"\X", text))

    def _replaced(self, cluster: str) -> str:
        if len(cluster.encode("utf-8", "surrogatepass")) < 6:
            whole = self._shortest(cluster)
            if whole is not None:
                return whole
        found = ((self._shortest(character), character) for character in cluster)
        return "".join(character if replacement is None else replacement for replacement, character in found)

    def _shortest(self, text: str) -> str | None:
        table = self.charsmap.table
        return next((table[text[:n]] for n in range(1, len(text) + 1) if text[:n] in table), None)


def per_grapheme(stage: Any) -> Any:
    """A charsmap applied per grapheme cluster, other stages as they are."""
    return PerGrapheme(stage) if isinstance(stage, Charsmap) else stage


QUIRK = Quirk(
    name="applies_charsmap_per_grapheme",
    title="Applies the charsmap to whole grapheme clusters",
    symptom="Combining marks vanish, and decomposed Hangul stays decomposed; plain text agrees.",
    cause=(
        "A grapheme cluster of less than 6 bytes is replaced as a whole by what the shortest key that it begins with "
        "stands for; longer ones are looked up character by character."
    ),
    fix="Go through the text and replace, at each place, the longest key.",
    field="normalise",
    derive=normalises_with(per_grapheme),
    links=(
        "https://github.com/huggingface/tokenizers/issues/2116",
        "https://github.com/huggingface/tokenizers/issues/2334",
        "https://github.com/huggingface/tokenizers/pull/2430",
    ),
    witness=lambda: toys.unigram({"a": -1, "á": -2, "b": -3}, normalise=CHARSMAP).on("ª\N{COMBINING ACUTE ACCENT}b"),
)
