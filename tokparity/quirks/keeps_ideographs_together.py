"""Leaves ideographs inside of words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import normalises_with
from tokparity.reference import splits
from tokparity.reference.normalise import Bert


def without_chinese(stage: Any) -> Any:
    """BERT's normaliser without spaces around ideographs, others as they are."""
    return replace(stage, handle_chinese_chars=False) if isinstance(stage, Bert) else stage


QUIRK = Quirk(
    name="keeps_ideographs_together",
    title="Leaves ideographs inside of words",
    symptom="Chinese text is a few unknown tokens instead of one token per character.",
    cause="handle_chinese_chars (tokenize_chinese_chars) is not obeyed.",
    fix="Put spaces around each ideograph before the text is split.",
    field="normalise",
    derive=normalises_with(without_chinese),
    links=("https://github.com/huggingface/swift-transformers/pull/45",),
    witness=lambda: toys.wordpiece("中 文", normalise=Bert(), pretokenise=splits.Bert()).on("中文"),
)
