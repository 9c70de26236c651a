"""Whether a mismatch has exactly the cause of a finding, which shrinking must preserve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokparity import quirks
from tokparity.finding import Finding, Mismatch
from tokparity.formats import Source
from tokparity.outcome import Encoding, Failure
from tokparity.questions import Spans, Stream
from tokparity.quirk import SOURCE_DIFFERS, Quirk
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer


@dataclass(frozen=True)
class SameCause:
    """`whole` is the reference with all of a finding's flips; each of `fewer` lacks one of them."""

    whole: Tokenizer
    fewer: Sequence[Tokenizer]

    @classmethod
    def of(cls, finding: Finding, sources: Sequence[Source]) -> SameCause:
        """The cause of a finding; `sources` are what the oracle and the engine read (see `explain.read_by`)."""
        differs = SOURCE_DIFFERS in finding.quirks
        ours, theirs = sources[0], sources[-1 if differs else 0]
        flips = [quirks.get(name) for name in finding.quirks if name != SOURCE_DIFFERS]

        def flipped(source: Source, left_out: Quirk | None = None) -> Tokenizer:
            kept = [quirk for quirk in flips if quirk is not left_out]
            return Tokenizer(source.vocabulary, source.behaviour).with_behaviour(
                quirks.flip_all(kept, source.behaviour)
            )

        fewer = [flipped(theirs, quirk) for quirk in flips]
        return cls(flipped(theirs), [*fewer, flipped(ours)] if differs else fewer)

    def gives(self, mismatch: Mismatch) -> bool:
        """Whether these quirks together give the engine's answer; perhaps fewer of them would give it, too."""
        return gives(self.whole, mismatch)

    def __call__(self, mismatch: Mismatch) -> bool:
        """Whether the reference gives the engine's answer with all flips, and not with any one of them left out."""
        return self.gives(mismatch) and not any(gives(tokenizer, mismatch) for tokenizer in self.fewer)


def gives(tokenizer: Tokenizer, mismatch: Mismatch) -> bool:
    """Whether the tokenizer does what the engine did: the ids, and where these are right, what they decode to."""
    actual, outcome = mismatch.actual, imitate(tokenizer, mismatch.case.question, decodes=True)
    if isinstance(mismatch.case.question, Stream):
        return getattr(actual, "deltas", None) == getattr(outcome, "deltas", None)
    if isinstance(mismatch.case.question, Spans):
        return getattr(actual, "spans", None) == getattr(outcome, "spans", None)
    if isinstance(actual, Failure):
        return isinstance(outcome, Failure) and outcome.kind == "crash"
    if isinstance(actual, Encoding) and isinstance(outcome, Encoding) and mismatch.difference.aspect == "ids":
        return actual.ids == outcome.ids
    return not isinstance(outcome, Failure) and outcome.decoded == actual.decoded
