"""What a cell of the table of models and engines says, and what its words mean; all kinds of report share it."""

from __future__ import annotations

from collections.abc import Iterator

from tokparity.report.model import Pair, Report

_WORDS = {
    "differ": ("mismatches", "other ids than the oracle's"),
    "fail": ("failures", "an error or a crash instead of ids"),
    "decode": ("decoding", "the same ids, decoded to another text"),
    "rows": ("rows_differ", "rows of ids, decoded to another text"),
    "streams": ("streams_differ", "streams of ids whose text is wrong"),
    "again": ("again_differ", "texts or rows that are encoded again, at whose way the engine is wrong"),
    "spans": ("spans_differ", "texts with characters at a wrong id"),
    "prompts": ("prompts_differ", "conversations with another prompt than that of the template"),
    "not run": (
        "unsupported",
        "texts that the engine cannot take, such as invalid UTF-8, or was no longer asked; the reference judges the "
        "oracle's",
    ),
}
_ABOUT = (
    "Share of texts with the oracle's ids. Many of the texts are made to break tokenizers; everyday text usually "
    "differs less."
)


def about(report: Report) -> str:
    """What the table's figures are; empty where no text was encoded."""
    return _ABOUT if any(pair.share is not None for pair in report.pairs) else ""


def share(pair: Pair) -> str:
    """Share of equal cases in per cent; never rounded up to 100."""
    if pair.share is None:
        return "-"
    return "100 %" if pair.share == 1 else f"{min(pair.share * 100, 99.99):.2f} %"


def counts(pair: Pair) -> Iterator[str]:
    """What stands beside the share: "243 differ", "38 fail"."""
    for word, (name, _) in _WORDS.items():
        if number := getattr(pair, name):
            yield f"{number:,} {word}"
    if pair.again and pair.share is None:
        yield f"{pair.again_same:,} of {pair.again:,} come back"
    left = _not_made(pair)
    if left:
        yield f"{left:,} prompts not made"
    if pair.share is None and pair.rows_put and not pair.rows_wrong:
        yield "all others equal" if left else "all equal"
    if pair.unavailable and pair.compared:
        yield "then unavailable"


def _not_made(pair: Pair) -> int:
    """Conversations that were not compared, of an engine that makes prompts."""
    return pair.prompts_not_run if pair.prompts else 0


def legend(report: Report) -> Iterator[str]:
    """What each word means that the table uses: "fail: an error or a crash instead of ids"."""
    for word, (name, meaning) in _WORDS.items():
        if any(getattr(pair, name) for pair in report.pairs):
            yield f"{word}: {meaning}"
    if any(map(_not_made, report.pairs)):
        yield "prompts not made: conversations that the engine cannot express, and that were not compared"
    if any(pair.again and pair.share is None for pair in report.pairs):
        yield "come back: texts that were encoded, decoded and encoded again, with the same ids"


def unavailable(report: Report) -> Iterator[str]:
    """Why engines were not run; one sentence for each engine and reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for pair in report.pairs:
        if pair.unavailable:
            reasons.setdefault((pair.engine, pair.unavailable), []).append(pair.model)
    for (engine, reason), models in reasons.items():
        on = ", ".join(models[:3]) + (f" and {len(models) - 3} more" if len(models) > 3 else "")
        yield f"{engine} unavailable on {on}: {reason}"
