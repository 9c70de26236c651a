"""Figures about a finding: how many tokens too many, the share of byte tokens, affected scripts and corpora."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.report.model import Report
from tokparity.vocabulary import BYTE_PIECE

_TWO_WORDS = ("OLD", "LINEAR", "MEETEI", "SYLOTI", "TAI", "NEW", "PHAGS-PA", "CANADIAN", "SUNUWAR")

Counts = Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Symptoms:
    """Over the stored mismatches of a finding: `texts` of them, tokens per text, shares of byte tokens.

    `affected` and `compared` count texts of the whole run; `scripts` and `origins` come with the most frequent first.
    Texts that were made smaller count nowhere, unless there are no others; `smaller` is their number.
    """

    texts: int
    tokens_expected: float
    tokens_actual: float
    bytes_expected: float
    bytes_actual: float
    affected: int
    compared: int
    scripts: Counts
    origins: Counts
    smaller: int
    oracle: str
    """The model's, which is not asked what it cannot express; empty where no pair of the report says it."""

    @property
    def sides_differ(self) -> bool:
        """Whether the figures tell the two sides apart; where only decoding differs they are the same."""
        return (self.tokens_expected, self.bytes_expected) != (self.tokens_actual, self.bytes_actual)


def symptoms(report: Report, finding: Finding) -> Symptoms:
    """The figures of one finding."""
    members = [report.mismatches[i] for i in report.members.get((finding.model, finding.name), ())]
    pair = next((p for p in report.pairs if (p.model, p.engine) == (finding.model, finding.engine)), None)
    found = symptoms_of(members)
    return replace(found, affected=finding.mismatches, compared=pair.compared, oracle=pair.oracle) if pair else found


def symptoms_of(stored: Sequence[Mismatch]) -> Symptoms:
    """The figures of some stored mismatches."""
    members = [m for m in stored if not m.case.origin.shrunk] or stored
    both = [m for m in members if isinstance(m.expected, Encoding) and isinstance(m.actual, Encoding)]
    expected = [piece for m in both for piece in m.expected_pieces]
    actual = [piece for m in both for piece in m.actual_pieces]
    texts = max(len(both), 1)
    return Symptoms(
        texts=len(both),
        tokens_expected=len(expected) / texts,
        tokens_actual=len(actual) / texts,
        bytes_expected=_share_of_bytes(expected),
        bytes_actual=_share_of_bytes(actual),
        affected=0,
        compared=0,
        scripts=Counter(script(text_of(m)) for m in members).most_common(),
        origins=Counter(origin_name(m) for m in members).most_common(),
        smaller=len(stored) - len(members),
        oracle="",
    )


def _share_of_bytes(pieces: Sequence[bytes]) -> float:
    return sum(bool(BYTE_PIECE.fullmatch(piece)) for piece in pieces) / max(len(pieces), 1)


def origin_name(mismatch: Mismatch) -> str:
    """The corpus or generator that a case is from."""
    return mismatch.case.origin.name or mismatch.case.origin.source


def text_of(mismatch: Mismatch) -> bytes:
    """The text that was put, or that a row of ids should have become."""
    question, expected = mismatch.case.question, mismatch.expected
    return question.text if isinstance(question, Encode) else getattr(expected, "decoded", None) or b""


def script(text: bytes) -> str:
    """The script most of a text's letters belong to, after the names of its characters; "no letters" without any."""
    letters: Counter[str] = Counter()
    for character, count in Counter(text[:2000].decode("utf-8", "replace")).items():  # a name is looked up but once
        if character.isalpha():
            letters[_script_of(character)] += count
    return letters.most_common(1)[0][0] if letters else "no letters"


@lru_cache(maxsize=1 << 16)
def _script_of(letter: str) -> str:
    words = unicodedata.name(letter, "UNNAMED").split()
    return " ".join(words[: 2 if words[0] in _TWO_WORDS else 1]).capitalize()
