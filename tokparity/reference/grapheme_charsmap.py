"""The precompiled charsmap as Hugging Face's `tokenizers` applies it: per grapheme cluster, shortest prefix first.

SentencePiece replaces the longest known prefix at each byte. Here, a cluster of fewer than 6 bytes is looked up as a
whole. If a prefix of it is known, the replacement of the *shortest* known prefix replaces the whole cluster. So a
combining mark after a known character is lost. Otherwise each of its characters is looked up alone. Source: tokenizers
0.23, `normalizers/precompiled.rs`, and the crate spm_precompiled. Clusters are those of Unicode 17, compared with the
library for every character of up to three bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import regex

from tokparity.reference.charsmap import table_of
from tokparity.reference.unicode_versions import as_of_16

_CLUSTER = regex.compile(r"\X")
_LONGEST_CLUSTER = 6
_MARKS_17 = re.compile("[\u1acf-\u1add\u1ae0-\u1aeb]")


@dataclass(frozen=True)
class GraphemeCharsmap:
    """Replaces grapheme clusters. `blob` is the precompiled charsmap as in the model's file."""

    blob: bytes

    def __repr__(self) -> str:
        return f"a precompiled charsmap of {len(self.blob)} bytes, applied to whole graphemes"

    @property
    def _table(self) -> dict[str, str]:
        return table_of(self.blob)

    def __call__(self, text: str) -> str:
        if not self._table:
            return text
        seen = text if text.isascii() else as_of_16(_MARKS_17.sub("\u0300", text))
        return "".join(self._cluster(text[found.start() : found.end()]) for found in _CLUSTER.finditer(seen))

    def _cluster(self, cluster: str) -> str:
        if len(cluster.encode("utf-8", "surrogateescape")) < _LONGEST_CLUSTER:
            for end in range(1, len(cluster) + 1):
                replacement = self._table.get(cluster[:end])
                if replacement is not None:
                    return replacement
        return "".join(self._table.get(character, character) for character in cluster)
