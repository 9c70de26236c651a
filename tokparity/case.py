"""What is put to an engine (Case): a question, and where it comes from (Origin)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar, overload

from tokparity.questions import Encode, Question

Kind = Literal["corpus", "generator", "accepted", "known", "probe", "diagnosis", "given"]

Q_co = TypeVar("Q_co", bound=Question, covariant=True)


class Origin(NamedTuple):
    """Where a case comes from; written as text, it is what a report shows and what makes a generated text again.

    `name` is the file of the corpus, the name of the generator, a known quirk of an engine, or the part of the probe
    set. `number` is the line or index, `seed` the seed of the generator. `parent` is the origin of the text that a
    grown one was made from, `model` the generated model that it was put to.
    """

    source: Kind
    name: str = ""
    number: int = 0
    seed: int = 0
    parent: Origin | None = None
    shrunk: bool = False
    model: str = ""

    def __str__(self) -> str:
        match self.source:
            case "corpus":
                own = f"{self.name}:{self.number}"
            case "generator":
                own = f"{self.name}:{self.seed}:{self.number}"
            case "accepted":
                own = f"accepted:{self.number}"
            case "known":
                own = f"known:{self.name}"
            case "probe":
                own = f"probe:{self.name}:{self.number}"
            case _:
                own = self.name or self.source
        parent = f"@{self.parent}" if self.parent is not None else ""
        return f"{'shrunk from ' if self.shrunk else ''}{self.model}{own}{parent}"

    @property
    def corpus(self) -> str:
        """What names the corpus on the command line."""
        return self.name.partition("/")[0]

    @property
    def depth(self) -> int:
        """How often the text was grown from another one."""
        return 0 if self.parent is None else 1 + self.parent.depth

    def smaller(self) -> Origin:
        """The origin of a case that was shrunk from one of this origin."""
        return self._replace(shrunk=True)

    @classmethod
    def parse(cls, text: str) -> Origin:
        """The origin that was written as this text; one that is of no known form is "given", by that name."""
        shrunk = text.startswith(_SHRUNK)
        text = text.removeprefix(_SHRUNK)
        model = _MODEL.match(text)
        text = text[model.end() :] if model else text
        own, _, parent = text.partition("@")
        if not _GENERATED.fullmatch(own):
            own, parent = text, ""  # the "@" is part of a file's name
        origin = _own(own)
        return origin._replace(
            parent=cls.parse(parent) if parent else None, shrunk=shrunk, model=model.group() if model else ""
        )


_SHRUNK = "shrunk from "
_MODEL = re.compile(r"models:-?\d+:\d+/")
_GENERATED = re.compile(r"([^:]+):(-?\d+):(\d+)")
_LINE = re.compile(r"(.+):(\d+)", re.DOTALL)


def _own(text: str) -> Origin:
    """An origin without what it was shrunk or grown from."""
    if text in ("diagnosis", "probe"):
        return Origin("diagnosis", text)
    if text.startswith("known:"):
        return Origin("known", text.removeprefix("known:"))
    if text.startswith("probe:") and (found := _LINE.fullmatch(text.removeprefix("probe:"))):
        return Origin("probe", found[1], int(found[2]))
    if found := _GENERATED.fullmatch(text):
        return Origin("generator", found[1], int(found[3]), int(found[2]))
    if found := _LINE.fullmatch(text):
        return Origin("accepted" if found[1] == "accepted" else "corpus", *_named(found[1]), int(found[2]))
    return GIVEN if text == "given" else Origin("given", text)


def _named(name: str) -> tuple[str]:
    return ("" if name == "accepted" else name,)


GIVEN = Origin("given")


@dataclass(frozen=True, slots=True)
class Case(Generic[Q_co]):
    """One question that every engine answers, and where it comes from."""

    question: Q_co
    origin: Origin = GIVEN


AnyCase = Case[Question]
TextCase = Case[Encode]


def text_case(text: bytes, add_special: bool = True, parse_special: bool = False, origin: Origin = GIVEN) -> TextCase:
    """The case of a text to be encoded."""
    return Case(Encode(text, add_special, parse_special), origin)


@dataclass(frozen=True, slots=True)
class LineCases(Sequence[TextCase]):
    """The texts of one file, all with the same flags; a case is made only for a text that is looked at.

    `numbers` are the lines (or rows) on which they stand.
    """

    name: str
    texts: Sequence[bytes]
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, place: int) -> TextCase: ...

    @overload
    def __getitem__(self, place: slice) -> LineCases: ...

    def __getitem__(self, place: int | slice) -> TextCase | LineCases:
        if isinstance(place, slice):
            return LineCases(self.name, self.texts[place], self.numbers[place])
        return text_case(self.texts[place], origin=Origin("corpus", self.name, self.numbers[place]))


def texts_of(cases: Sequence[AnyCase]) -> Sequence[bytes]:
    """The texts that are to be encoded."""
    if isinstance(cases, LineCases):
        return cases.texts
    return [case.question.text for case in cases if isinstance(case.question, Encode)]
