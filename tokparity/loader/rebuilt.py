"""What a loader made of a file: the parts that it changed, and which of them give its ids.

In one environment, the raw library and the library below the loader each write the file. Their files are compared, so
that both have the same words for the same thing. The parts that differ are then put into the raw file, first all of
them, then all but one, and the raw library runs it. A part that cannot be left out is the proven cause.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

from tokparity.case import TextCase
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import EngineError
from tokparity.loader.library import Library
from tokparity.outcome import Outcome
from tokparity.questions import Question
from tokparity.sources.batches import batches

_TOP = ("added_tokens", "post_processor", "decoder", "normalizer", "pre_tokenizer")
_SHOWN, _CHARACTERS = 3, 80  # changes that are told of one part, and characters of a value

Tree = Mapping[str, Any]
Outcomes = Mapping[Question, Outcome]
Texts = Mapping[str, str | dict[str, str]]


@dataclass(frozen=True)
class RebuiltPart:
    """A part of the file that came out otherwise: what became what, and whether the loader's answers need it."""

    name: str
    changes: tuple[str, ...]
    needed: bool


@dataclass(frozen=True)
class Rebuilt:
    """The parts that differ; the raw file with those that are needed gives the loader's answers on `same` of the
    `different` texts. Where the loader shows no file, `words` say why."""

    parts: tuple[RebuiltPart, ...] = ()
    same: int = 0
    different: int = 0
    words: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the parts give all of the loader's answers."""
        return 0 < self.same == self.different

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was changed, and what that gives."""
        if self.words:
            return (f"what the loader made of the file cannot be seen: {self.words}",)
        if not self.parts:
            return ("the loader took the file over as it is: what differs is done around it",)
        if not self.same:
            names = ", ".join(part.name for part in self.parts)
            return (f"the loader changed {names}, without an effect on these texts: what differs is done around it",)
        told = [change for part in self.parts if part.needed for change in part.changes]
        told += [f"the raw file with this gives the loader's answers on {self.same} of {self.different} texts"]
        if idle := ", ".join(part.name for part in self.parts if not part.needed):
            told += [f"changed too, without an effect on these texts: {idle}"]
        return tuple(told)


@dataclass
class Rebuilding:
    """The raw file in a library, which has it open, beside what loaders made of it; a mixed file is tried once."""

    raw: Library
    cases: Sequence[TextCase]
    _known: dict[bytes, Outcomes] = field(default_factory=dict)

    def __enter__(self) -> Rebuilding:
        with ExitStack() as stack:
            self._folder = stack.enter_context(TemporaryFolder())
            self._trial = stack.enter_context(closing(Library(self.raw.engine, self.raw.python)))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def of(self, loader: Library) -> Rebuilt:
        """What a loader, which has a model open, made of the raw file."""
        try:
            before, after = self._before, self._saved(loader)
        except EngineError as error:
            return Rebuilt(words=error.message)
        right, wrong = self._right, _outcomes(loader, self.cases)
        differing = [case.question for case in self.cases if wrong[case.question] != right[case.question]]
        names = [name for name in _names(before, after) if _part(before, name) != _part(after, name)]
        changed = {name: json.dumps(_part(after, name)) for name in names}

        def same(chosen: Collection[str]) -> int:
            given = self._tried({name: changed[name] for name in chosen})
            return sum(given.get(question) == wrong[question] for question in differing)

        most = same(names) if names else 0
        needed = _needed(names, lambda fewer: same(fewer) == most) if most else names
        parts = (RebuiltPart(name, tuple(_changes(name, before, after)), name in needed) for name in names)
        return Rebuilt(tuple(parts), most, len(differing))

    def _tried(self, changed: Mapping[str, str]) -> Outcomes:
        """What the raw file with these parts gives; nothing where they are not a file without the others."""
        text = _mixed(self._before_text, changed)
        key = hashlib.sha256(text.encode()).digest()
        if key not in self._known:
            path = Path(self._folder, "mixed")
            path.write_text(text, encoding="utf-8")
            try:
                self._trial.open(str(path), {})
            except EngineError:
                self._known[key] = {}
            else:
                self._known[key] = _outcomes(self._trial, self.cases)
        return self._known[key]

    @cached_property
    def _before(self) -> Tree:
        return self._saved(self.raw)

    @cached_property
    def _before_text(self) -> Texts:
        """Each part of the raw file as JSON: what is not changed is written once."""
        model = {name: json.dumps(value) for name, value in self._before["model"].items()}
        return {name: model if name == "model" else json.dumps(value) for name, value in self._before.items()}

    @cached_property
    def _right(self) -> Outcomes:
        return _outcomes(self.raw, self.cases)

    def _saved(self, library: Library) -> Tree:
        """The file as a library writes it."""
        path = Path(self._folder, library.engine)
        library.save(str(path))
        content: Tree = json.loads(path.read_text(encoding="utf-8"))
        return content


def _needed(names: Sequence[str], is_enough: Callable[[Sequence[str]], bool]) -> Sequence[str]:
    """The parts of which none can be left out: halves are left out first, for each try opens a file."""
    needed, size = list(names), len(names) // 2
    while size:
        place = 0
        while place < len(needed) > size:
            fewer = [*needed[:place], *needed[place + size :]]
            if is_enough(fewer):
                needed = fewer
            else:
                place += size
        size //= 2
    return needed


def _outcomes(library: Library, cases: Sequence[TextCase]) -> Outcomes:
    given: dict[Question, Outcome] = {}
    for batch in batches(cases):
        results = library.results(batch)
        given.update((case.question, results.outcome(place)) for place, case in enumerate(batch))
    return given


def _names(before: Tree, after: Tree) -> Iterator[str]:
    """All parts; the settings of a model one by one, where both are models of one type."""
    yield from _TOP
    if before["model"].get("type") == after["model"].get("type"):
        yield from (f"model.{name}" for name in dict.fromkeys([*before["model"], *after["model"]]))
    else:
        yield "model"


def _part(tree: Tree, name: str) -> Any:
    top, _, below = name.partition(".")
    return tree[top].get(below) if below else tree.get(top)


def _mixed(before: Texts, changed: Mapping[str, str]) -> str:
    """The raw file with these parts of the other one, as JSON."""
    mixed = {name: dict(text) if isinstance(text, dict) else text for name, text in before.items()}
    for name, text in changed.items():
        top, _, below = name.partition(".")
        inner = mixed.get(top)
        if below and isinstance(inner, dict):
            inner[below] = text
        else:
            mixed[top] = text
    return _object({name: _object(text) if isinstance(text, dict) else text for name, text in mixed.items()})


def _object(texts: Mapping[str, str]) -> str:
    return f"{{{', '.join(f'{json.dumps(name)}: {text}' for name, text in texts.items())}}}"


def _changes(name: str, before: Tree, after: Tree) -> Iterator[str]:
    """What became what in a part, the first few."""
    was, is_ = _part(before, name), _part(after, name)
    if name == "added_tokens":  # which of them, rather than at which place
        was, is_ = ({token["content"]: token for token in tokens or ()} for tokens in (was, is_))
    found = list(_differences(name, was, is_))
    yield from islice(found, _SHOWN)
    if len(found) > _SHOWN:
        yield f"{name}: {len(found) - _SHOWN} more"


def _differences(path: str, was: Any, is_: Any) -> Iterator[str]:
    if was == is_:
        return
    if isinstance(was, dict) and isinstance(is_, dict) and was.get("type") == is_.get("type"):
        for key in dict.fromkeys([*was, *is_]):
            yield from _differences(f"{path}.{key}", was.get(key), is_.get(key))
    elif isinstance(was, list) and isinstance(is_, list) and len(was) == len(is_):
        for place, (one, other) in enumerate(zip(was, is_, strict=True)):
            yield from _differences(f"{path}[{place}]", one, other)
    else:
        yield f"{path}: {_short(was)} became {_short(is_)}"


def _short(value: Any) -> str:
    """A component as its name and those of what it holds; anything else as JSON."""
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        inner = (_short(one) for held in value.values() if isinstance(held, list) for one in held)
        names = [one for one in inner if one] if value["type"] == "Sequence" else []
        return str(value["type"]) + (f"[{', '.join(names)}]" if names else "")
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"{len(value)} entries"
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]} ..."
