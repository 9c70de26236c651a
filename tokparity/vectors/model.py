"""The nouns of a vectors file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from tokparity.outcome import Decoding, Encoding, Failure, Outcome, Place, Spanning, Streaming
from tokparity.questions import Question


@dataclass(frozen=True, slots=True)
class Deltas:
    """The text that each id of a stream adds, and at last what is left."""

    texts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The ids of a text, and the first character of each with the one behind its last."""

    ids: tuple[int, ...]
    spans: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """The text of some ids, and the ids of that text."""

    text: bytes
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Prompted:
    """The prompt of a conversation, and the ids that the engine makes of it where it returns these as well."""

    text: bytes
    ids: tuple[int, ...] | None = None


Answer = tuple[int, ...] | bytes | Deltas | Placed | Returned | Prompted | None
"""What the question asks for, or None where the engine refuses the question, raises an error or dies."""


@dataclass(frozen=True, slots=True)
class RightStream:
    """What deltas must be: joined one of the texts, and after each id at most `later` bytes may be missing of it."""

    texts: tuple[bytes, ...]
    later: tuple[int, ...]

    def allows(self, answer: Answer) -> bool:
        """Whether deltas are right."""
        if not isinstance(answer, Deltas) or len(answer.texts) != len(self.later) + 1:
            return False
        whole = b"".join(answer.texts)
        given = accumulate(map(len, answer.texts))
        in_time = all(len(whole) - end <= most for end, most in zip(given, self.later, strict=False))
        return whole in self.texts and in_time


@dataclass(frozen=True, slots=True)
class RightSpans:
    """What spans must be: each empty or inside the `outer` one of its id, and every place of `must` in some span."""

    ids: tuple[int, ...]
    outer: tuple[Place, ...]
    must: tuple[Place, ...]

    def allows(self, answer: Answer) -> bool:
        """Whether ids and their spans are right."""
        if not isinstance(answer, Placed) or answer.ids != self.ids or len(answer.spans) != len(self.ids):
            return False
        pairs = zip(answer.spans, self.outer, strict=True)
        inside = all(start == end or first <= start <= end <= last for (start, end), (first, last) in pairs)
        covered = {at for start, end in answer.spans for at in range(start, end)} if inside else set()
        return inside and all(at in covered for start, end in self.must for at in range(start, end))


@dataclass(frozen=True, slots=True)
class RightPrompt:
    """The prompt of a conversation and its ids, with no special token added; no text where the template raises."""

    text: bytes | None
    ids: tuple[int, ...] = ()

    def allows(self, answer: Answer) -> bool:
        """Whether a prompt is right, and its ids if there are any; an error is, where the template raises one."""
        if not isinstance(answer, Prompted):
            return answer is None and self.text is None
        return answer.text == self.text and answer.ids in (None, self.ids)


Right = Answer | RightStream | RightSpans | RightPrompt
"""A right answer, or what is true of each of the right answers where there are several."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """The 32-bit FNV-1a hash of a long answer, which is not stored itself (see `spelling.hashed`)."""

    fnv1a: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """The answer of an engine with any one of these faults."""

    faults: tuple[str, ...]
    answer: Answer | Hashed


@dataclass(frozen=True, slots=True)
class Acceptable:
    """Another answer that sound implementations return, and why."""

    answer: Answer
    why: str
    faults: tuple[str, ...] = ()


Level = Literal["must", "may"]


@dataclass(frozen=True, slots=True)
class Vector:
    """One question with its right answer, a comment for a reader, and what each fault makes of it.

    `pieces` are those of the right ids, or of the ids that are to be decoded; empty where these are many.
    """

    id: str
    question: Question
    answer: Right | Hashed
    pieces: tuple[bytes, ...]
    comment: str
    tags: tuple[str, ...]
    acceptable: tuple[Acceptable, ...] = ()
    wrong: tuple[Wrong, ...] = ()

    @property
    def level(self) -> Level:
        """`may` if the vector accepts another answer too, else `must`."""
        return "may" if self.acceptable else "must"


@dataclass(frozen=True, slots=True)
class Fault:
    """A known fault: what an engine that has it does, and the other faults whose answers are the same on this model."""

    does: str
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Untold:
    """Faults that no case shows, and how that was tested."""

    why: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Cases of one kind of question that is no plain one, with the known faults that only this kind shows."""

    faults: Mapping[str, Fault]
    untold: Sequence[Untold]
    cases: Sequence[Vector]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The contents of a vectors file.

    `sources` are the SHA-256 of the model's files by name, `oracle` the name and version of the engine that answered.
    """

    model: str
    sources: Mapping[str, str]
    oracle: str
    tokparity: str
    faults: Mapping[str, Fault]
    untold: Sequence[Untold]
    cases: Sequence[Vector]
    groups: Mapping[str, Group] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Vectors | Group, ...]:
        """These, and each group, of which every one names its own faults."""
        return self, *self.groups.values()

    @property
    def size(self) -> int:
        """How many cases all parts have."""
        return sum(len(part.cases) for part in self.parts)


def allows(right: Right, answer: Answer) -> bool:
    """Whether an answer is right."""
    return right.allows(answer) if isinstance(right, RightStream | RightSpans | RightPrompt) else right == answer


def answer_of(outcome: Outcome) -> Answer:
    """What a vectors file says of an outcome."""
    if isinstance(outcome, Failure):
        return None
    if isinstance(outcome, Streaming):
        return Deltas(outcome.deltas)
    if isinstance(outcome, Spanning):
        return Placed(outcome.ids, outcome.spans)
    return outcome.ids if isinstance(outcome, Encoding) else outcome.decoded


def outcome_of(answer: tuple[int, ...] | bytes | None) -> Outcome:
    """An answer to a plain question as an outcome."""
    if answer is None:
        return Failure("error", "no answer")
    return Decoding(answer) if isinstance(answer, bytes) else Encoding(answer)
