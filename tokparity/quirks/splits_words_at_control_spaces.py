"""Ends a word at a vertical tab, a form feed or U+0085, which BERT drops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Normalise
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference.normalise import Bert

_TO_SPACES = dict.fromkeys(map(ord, "\v\f\x85"), " ")
"""The control characters (category Cc) that are white space and that BERT does not take for it."""


@dataclass(frozen=True)
class ControlsAsSpaces:
    """BERT's normaliser on a text in which these characters are spaces."""

    inner: Normalise

    def __call__(self, text: str) -> str:
        return self.inner(text.translate(_TO_SPACES))


def _with_spaces(stage: Any) -> Any:
    return ControlsAsSpaces(stage) if isinstance(stage, Bert) and stage.clean_text else stage


QUIRK = Quirk(
    name="splits_words_at_control_spaces",
    title="Ends a word at a vertical tab, a form feed or U+0085, which BERT drops",
    symptom="A word with one of these characters in it becomes two; BERT's tokenizer leaves the character out.",
    cause=(
        "Characters are asked whether they are white space (White_Space of Unicode) before they are asked whether they "
        "are control characters; BERT's clean_text asks in the other order and excepts only tab, newline and return."
    ),
    fix="Drop control characters first, all but U+0009, U+000A and U+000D.",
    field="normalise",
    derive=normalises_with(_with_spaces),
    links=(
        "https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",
        "https://github.com/google-research/bert/blob/master/tokenization.py",
    ),
    witness=lambda: toys.wordpiece("ab a b", normalise=Bert()).on("a\x85b"),
)
