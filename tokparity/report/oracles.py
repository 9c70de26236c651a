"""What each oracle relies on: the model's own tokenizer file, or a file that tokparity made from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tokparity.questions.json_text import plain
from tokparity.report.model import Pair, Report

Word = Literal["independent", "file", "export", "known", "reading", "recording"]

EXPORTED = "exported by tokparity"
"""The end of `Pair.source` where the engine opened an export."""
OF_KNOWN = f"of a known model, {EXPORTED}"
"""The same where the export is of the known model that a file is compared with."""

SENTENCES: dict[Word, str] = {
    "independent": "the oracle is independent; it opens the model's own tokenizer file",
    "file": "the oracle opens the GGUF itself, so a fault of that file does not show",
    "export": "the oracle opens tokparity's export of the file under test, so a fault of that file does not show",
    "known": "the oracle opens tokparity's export of the known model, whose own file is a GGUF",
    "reading": "the oracle is tokparity's reference, so a fault of its reading does not show",
    "recording": "the oracle is a recording",
}


def word_of(pair: Pair) -> Word:
    """What an oracle relies on, judged by the file that it opened."""
    if pair.oracle.startswith("reference"):
        return "reading"
    if pair.oracle.startswith("replay:"):
        return "recording"
    if pair.source.endswith(EXPORTED):
        return "known" if pair.source.endswith(OF_KNOWN) else "export"
    return "file" if pair.source.endswith(".gguf") else "independent"


def sentences(report: Report) -> Iterator[str]:
    """One sentence for each sort of oracle, with the models that have it."""
    models: dict[Word, list[str]] = {}
    for pair in report.pairs:
        if pair.is_oracle:
            models.setdefault(word_of(pair), []).append(pair.model)
    for word, told in SENTENCES.items():
        if word in models:
            yield plain(f"{', '.join(models[word])}: {told}.")
