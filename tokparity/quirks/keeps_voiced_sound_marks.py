"""Keeps voiced sound marks on kana."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert

_VOICED = re.compile("([ぁ-ヿ][\u3099\u309a])")


@dataclass(frozen=True)
class VoicedKept:
    """BERT's normaliser, on all but kana with a voiced sound mark."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        parts = _VOICED.split(unicodedata.normalize("NFD", text))
        kept = (unicodedata.normalize("NFC", part) if n % 2 else self.inner(part) for n, part in enumerate(parts))
        return "".join(kept)


def with_voiced_marks(stage: Any) -> Any:
    """BERT's normaliser with marks of kana kept if it strips accents, other stages as they are."""
    if not isinstance(stage, Bert):
        return stage
    strips = stage.lowercase if stage.strip_accents is None else stage.strip_accents
    return VoicedKept(stage) if strips else stage


QUIRK = Quirk(
    name="keeps_voiced_sound_marks",
    title="Keeps voiced sound marks on kana",
    symptom="Long Japanese words are one unknown token, because ザ and で are no pieces while サ and て are.",
    cause="Accents are stripped by a routine for Latin letters, which leaves U+3099 and U+309A alone.",
    fix="Decompose (NFD) and drop every nonspacing mark.",
    field="normalise",
    derive=normalises_with(with_voiced_marks),
    links=("https://github.com/huggingface/swift-transformers/pull/354",),
    witness=lambda: toys.wordpiece("サ ザ", normalise=Bert()).on("ザ"),
)
