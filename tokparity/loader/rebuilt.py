"""What a loader made of a file: the parts that it changed, and which of them give its ids.

The file as the raw library writes it again is held against the file that the library below the loader writes, in the
same environment, so that both have the same words for the same thing. The parts that differ are then put into the raw
file, all of them and without each, and the raw library is asked: what cannot be left out is the cause, and is proven.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
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


@dataclass(frozen=True)
class Part:
    """A part of the file that came out otherwise: what became what, and whether the loader's answers need it."""

    name: str
    changes: tuple[str, ...]
    needed: bool


@dataclass(frozen=True)
class Rebuilt:
    """The parts that differ; the raw file with those that are needed gives the loader's answers on `same` of the
    `different` texts. Where the loader shows no file, `words` say why."""

    parts: tuple[Part, ...] = ()
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


def rebuilt(loader: Library, raw: Library, cases: Sequence[TextCase]) -> Rebuilt:
    """What the loader, which has a model open, made of the file that `raw` has open."""
    with TemporaryFolder() as folder, closing(Library(raw.engine, raw.python)) as trial:
        try:
            before, after = (_saved(library, Path(folder, library.engine)) for library in (raw, loader))
        except EngineError as error:
            return Rebuilt(words=error.message)
        right, wrong = _outcomes(raw, cases), _outcomes(loader, cases)
        differing = [case for case in cases if wrong[case.question] != right[case.question]]

        def same(names: Collection[str]) -> int:
            path = Path(folder, "mixed")
            path.write_text(json.dumps(_mixed(before, after, names)), encoding="utf-8")
            try:
                trial.open(str(path), {})
            except EngineError:  # these parts are not a file without the others
                return 0
            given = _outcomes(trial, differing)
            return sum(given[case.question] == wrong[case.question] for case in differing)

        names = [name for name in _names(before, after) if _part(before, name) != _part(after, name)]
        most = same(names) if names else 0
        needed = _needed(names, lambda fewer: same(fewer) == most) if most else names
    parts = (Part(name, tuple(_changes(name, before, after)), name in needed) for name in names)
    return Rebuilt(tuple(parts), most, len(differing))


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


def _saved(library: Library, path: Path) -> Tree:
    """The file as the library writes it."""
    library.save(str(path))
    content: Tree = json.loads(path.read_text(encoding="utf-8"))
    return content


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


def _mixed(before: Tree, after: Tree, names: Collection[str]) -> Tree:
    """The raw file with these parts of the other one."""
    mixed = {**before, "model": dict(before["model"])}
    for name in names:
        top, _, below = name.partition(".")
        if below:
            mixed[top][below] = _part(after, name)
        else:
            mixed[top] = _part(after, name)
    return mixed


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
