"""Which of the differences between two sources sets a mismatch right."""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.errors import TokparityError
from tokparity.finding import Mismatch
from tokparity.formats import Source
from tokparity.lint.compare import differences
from tokparity.lint.difference import Difference
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer

_TRIED = 12


def telling(engines: Source, oracles: Source, mismatch: Mismatch) -> list[Difference]:
    """The differences of which each alone sets the mismatch right in the engine's source; where none does, all."""
    found = list(differences(engines, oracles))
    return [one for one in found[:_TRIED] if _sets_right(one, engines, mismatch)] or found


def _sets_right(difference: Difference, engines: Source, mismatch: Mismatch) -> bool:
    question, expected = mismatch.case.question, mismatch.expected
    if not isinstance(expected, Encoding) or not isinstance(question, Encode):
        return False
    try:
        tokenizer = Tokenizer(*difference.apply(engines.vocabulary, engines.behaviour))
        ids = tokenizer.encode(question.text, question.add_special, question.parse_special)
        decoded = tokenizer.decode(ids, skip_special=True)
    except (TokparityError, KeyError, ValueError, IndexError):
        return False  # half of what belongs together may be no tokenizer
    return tuple(ids) == expected.ids and expected.decoded in (None, decoded)


def rows(found: Sequence[Difference]) -> tuple[tuple[str, str], ...]:
    """The differences as (key, value), for a reader."""
    return tuple((f"{one.part} (left: engine's file, right: oracle's)", one.what[:200]) for one in found)
