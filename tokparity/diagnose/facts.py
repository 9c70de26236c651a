"""What a family of hypotheses reads (the model, the evidence, the engine), and how it makes hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tokparity.behaviour import Behaviour
from tokparity.diagnose.asking import Asking
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.hypothesis import OF, OF_THE_MODEL, Hypothesis, Ids, Variant, foretells, has_other_ids, ids_by
from tokparity.diagnose.limits.families import WORK_PER_NEW_PIECE, WORK_PER_RUN, WORK_PER_TOKENIZER
from tokparity.questions import Encode
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Facts:
    """The remaining mismatches, the right answers, the model, and the engine if it can run.

    `against` is what hypotheses must predict first: the smallest mismatch. If a hypothesis is better than the model
    itself, it is the `base`, and what it predicts wrongly comes first.
    """

    against: Observation
    failing: Sequence[Observation]
    right: Sequence[Observation]
    asking: Asking
    base: Base
    is_beside: bool = False
    """Whether known quirks explain other mismatches of this engine: what is asked may show these as well."""

    def about(self, against: Observation, base: Base) -> Facts:
        """The same, where something else is to be predicted by another model."""
        return replace(self, against=against, base=base)

    @property
    def question(self) -> Encode:
        """The text that is to be predicted first, where `is_of_ids`."""
        question = self.against.question
        return question if isinstance(question, Encode) else Encode(b"")

    @property
    def is_text(self) -> bool:
        """Whether what is to be predicted first is the answer to a text."""
        return isinstance(self.against.question, Encode)

    @property
    def is_of_ids(self) -> bool:
        """Whether it is a text of which other ids came than were expected."""
        return has_other_ids(self.against)

    def shows(self, one: Hypothesis) -> bool:
        """Whether a variant predicts what is to be predicted first."""
        return foretells(one, self.against)

    def variant(self, says: str, ids: Ids, probes: Sequence[str], model: Base | None = None) -> Variant:
        """A variant of which each prediction is counted as work; `says` follows "the model"."""
        return Variant(f"{OF_THE_MODEL}{says}", partial(_counted, self.asking.budget.spend, ids), probes, model)

    def text_variant(self, says: str, parts: Callable[[str], Sequence[str]], probes: Sequence[str]) -> Variant:
        """Whether the engine reads a text as other texts, whose ids it joins; `says` follows the words "the text"."""
        ids = partial(joined_ids, self.base, parts)
        return Variant(f"{OF} the text {says}", partial(_counted, self.asking.budget.spend, ids), probes)

    def with_behaviour(self, says: str, behaviour: Behaviour, probes: Sequence[str]) -> Variant:
        """The model with another behavior."""
        self.asking.budget.spend(self.base.work_of(behaviour))
        model = self.base.with_behaviour(behaviour)
        return self.variant(says, partial(ids_by, model.tokenizer), probes, model)

    def with_vocabulary(self, says: str, vocabulary: Vocabulary, probes: Sequence[str]) -> Variant:
        """The model with another vocabulary."""
        return self.variant(says, partial(ids_by, self.built(vocabulary)), probes)

    def tokenizer(self, behaviour: Behaviour) -> Tokenizer:
        """The model's tokenizer with another behavior."""
        self.asking.budget.spend(self.base.work_of(behaviour))
        return self.base.tokenizer.with_behaviour(behaviour)

    def built(self, vocabulary: Vocabulary, behaviour: Behaviour | None = None) -> Tokenizer:
        """A tokenizer with another vocabulary, and possibly another behavior."""
        self.asking.budget.spend(WORK_PER_TOKENIZER + WORK_PER_NEW_PIECE * (len(vocabulary) + len(vocabulary.merges)))
        return Tokenizer(vocabulary, behaviour or self.base.behaviour)


Family = Callable[[Facts], Iterator[Hypothesis]]
"""A kind of causes: the hypotheses of it that may predict what is to be predicted first, the plainest ones first."""


def joined_ids(base: Base, parts: Callable[[str], Sequence[str]], question: Encode) -> list[int] | None:
    """The joined ids of the texts as which a text is read, with the special ids around them."""
    found = parts(question.text.decode("utf-8", "surrogateescape"))
    return ids_of_parts(base, [part.encode("utf-8", "surrogateescape") for part in found], question)


def ids_of_parts(base: Base, parts: Sequence[bytes], question: Encode, between: Sequence[int] = ()) -> list[int] | None:
    """Tokenize several texts separately and join their ids, with the special ids of one text around them.

    `between` are ids that stand between the parts.
    """
    if len(parts) == 1:
        ids = ids_by(base.tokenizer, replace(question, text=parts[0]))
        return None if ids is None else list(ids)
    rows = [ids_by(base.tokenizer, replace(question, text=part, add_special=False)) for part in parts]
    if any(row is None for row in rows):
        return None
    joined = [i for nth, row in enumerate(rows) for i in (*(between if nth else ()), *(row or ()))]
    behaviour = base.behaviour
    return [*behaviour.prefix_ids, *joined, *behaviour.suffix_ids] if question.add_special else joined


def _counted(spend: Callable[[float], None], ids: Ids, question: Encode) -> Sequence[int] | None:
    spend(WORK_PER_RUN + question.size)
    return ids(question)
