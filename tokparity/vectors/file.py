"""Vectors files: written with one case on each line, read strictly, whoever made them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import Any, TypeVar

from tokparity import questions
from tokparity.errors import FormatError, UsageError
from tokparity.formats.json_fields import JsonFields, is_id, load_json
from tokparity.questions import Decode, Question
from tokparity.questions.json_text import from_json, literal
from tokparity.quirks.former_names import current
from tokparity.vectors.model import Acceptable, Answer, Fault, Hashed, Untold, Vector, Vectors, Wrong
from tokparity.vectors.spelling import line

FORMAT = "tokparity-vectors-1"
SUFFIX = ".vectors.json"
LICENSE = (
    "Apache-2.0. The texts and comments are tokparity's. No vocabulary is in this file: of the model it has only ids, "
    "and the pieces of these ids."
)

_MOST_BYTES = 1 << 24
_MOST_CASES = 10_000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,79}")
_ID = re.compile(r"[a-z]-[0-9a-f]{8}")
_HASH = re.compile(r"[0-9a-f]{8}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LINE = re.compile(r"[\x20-\x7e]{0,300}")
_HEADER = {"format", "model", "sources", "oracle", "tokparity", "license", "counts", "faults", "untold", "cases"}
_CASE = {"id", "ask", "answer", "comment", "tags", "level", "wrong"}
_OF_CASE = {"pieces", "acceptable"}
"""What a case may have beside."""
_ASKED = {"encode": {"text", "add_special", "parse_special"}, "decode": {"ids", "skip_special"}}

Item = TypeVar("Item")


def text_of(vectors: Vectors) -> str:
    """The file, as it is written."""
    faults = {
        name: {"does": fault.does} | ({"alike": list(fault.alike)} if fault.alike else {})
        for name, fault in vectors.faults.items()
    }
    header = {
        "format": FORMAT, "model": vectors.model, "sources": dict(vectors.sources), "oracle": vectors.oracle,
        "tokparity": vectors.tokparity, "license": LICENSE, "counts": counts(vectors),
    }  # fmt: skip
    lines = [f"{literal(name)}: {literal(value)}" for name, value in header.items()]
    lines.append(f'"faults": {_listed("{}", (f"{literal(name)}: {literal(one)}" for name, one in faults.items()))}')
    untold = (literal({"why": one.why, "faults": list(one.faults)}) for one in vectors.untold)
    lines.append(f'"untold": {_listed("[]", untold)}')
    lines.append(f'"cases": {_listed("[]", map(line, vectors.cases))}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def counts(vectors: Vectors) -> dict[str, int]:
    """How many cases there are, of each kind, and how many faults they show."""
    decode = sum(isinstance(case.question, Decode) for case in vectors.cases)
    return {
        "cases": len(vectors.cases),
        "encode": len(vectors.cases) - decode,
        "decode": decode,
        "may": sum(case.level == "may" for case in vectors.cases),
        "faults": sum(1 + len(fault.alike) for fault in vectors.faults.values()),
    }


def _listed(brackets: str, items: Iterator[str]) -> str:
    return f"{brackets[0]}\n" + ",\n".join(items) + f"\n{brackets[1]}"


def write(vectors: Vectors, path: Path) -> None:
    """Write the file; UsageError where the place cannot be written."""
    try:
        path.write_text(text_of(vectors), encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}", "choose another -o") from error


def read(path: Path) -> Vectors:
    """The vectors in a file; FormatError with the place of what is wrong."""
    if not path.is_file():
        raise FormatError(f"{str(path)!r} is not a file", f"give a file that `tokparity vectors` wrote (MODEL{SUFFIX})")
    if path.stat().st_size > _MOST_BYTES:
        raise FormatError(f"{str(path)!r} has more than {_MOST_BYTES} bytes", "is it a vectors file?")
    fields = load_json(path)
    if fields.data.get("format") != FORMAT:
        found = fields.data.get("format")
        raise FormatError(f"{str(path)!r} has the format {found!r:.60}, not {FORMAT!r}", "is it a vectors file?")
    _keys(fields, _HEADER)
    _line(fields, "license")
    names = fields.need("faults", dict)
    faults = {current(_matched(fields, "faults", name, _NAME)): _fault(fields, name) for name in names}
    if len(fields.need("cases", list)) > _MOST_CASES:
        raise fields.error("cases", f"has more than {_MOST_CASES} items")
    found = Vectors(
        model=_line(fields, "model"),
        sources=_sources(fields),
        oracle=_line(fields, "oracle"),
        tokparity=_line(fields, "tokparity"),
        faults=faults,
        untold=tuple(_untold(one) for one in _items(fields, "untold")),
        cases=tuple(_vector(one, faults) for one in _items(fields, "cases")),
    )
    if fields.data["counts"] != counts(found):
        raise fields.error("counts", "do not fit what is in the file")
    return found


def _sources(fields: JsonFields) -> dict[str, str]:
    inner = fields.inner("sources")
    if inner is None:
        raise fields.error("sources", "is missing")
    return {
        _matched(inner, name, name, _LINE): _matched(inner, name, value, _SHA256) for name, value in inner.data.items()
    }


def _fault(fields: JsonFields, name: str) -> Fault:
    one = fields.item("faults", 0, fields.data["faults"][name])
    _keys(one, {"does"}, {"alike"})
    return Fault(_line(one, "does"), _names(one, "alike"))


def _untold(fields: JsonFields) -> Untold:
    _keys(fields, {"why", "faults"})
    return Untold(_line(fields, "why"), _names(fields, "faults"))


def _vector(fields: JsonFields, faults: dict[str, Fault]) -> Vector:
    ask = fields.need("ask", str)
    if ask not in _ASKED:
        raise fields.error("ask", f"is {ask!r:.40}, not one of {', '.join(_ASKED)}")
    _keys(fields, _CASE | _ASKED[ask], _OF_CASE)
    question = _question(fields, ask)
    vector = Vector(
        id=_matched(fields, "id", fields.need("id", str), _ID),
        question=question,
        answer=_stored(fields, ask, may_refuse=False),
        pieces=tuple(_converted(fields, "pieces", from_json, one) for one in fields.get("pieces", list, [])),
        comment=_line(fields, "comment"),
        tags=tuple(_matched(fields, "tags", one, _LINE) for one in fields.need("tags", list)),
        acceptable=tuple(_acceptable(one, ask) for one in fields.list_of("acceptable")),
        wrong=tuple(_wrong(one, ask, faults) for one in _items(fields, "wrong")),
    )
    if fields.need("level", str) != vector.level:
        raise fields.error("level", f"is not {vector.level!r}, as its acceptable answers have it")
    return vector


def _question(fields: JsonFields, ask: str) -> Question:
    for name in _ASKED[ask] - {"text", "ids"}:
        fields.need(name, bool)
    if ask == "decode":
        _ids(fields, "ids", fields.data["ids"])
    return _converted(fields, "text", questions.from_json, {"kind": ask, **fields.data})


def _acceptable(fields: JsonFields, ask: str) -> Acceptable:
    _keys(fields, {"answer", "why"}, {"faults"})
    return Acceptable(_answer(fields, ask), _line(fields, "why"), _names(fields, "faults"))


def _wrong(fields: JsonFields, ask: str, faults: dict[str, Fault]) -> Wrong:
    _keys(fields, {"faults", "answer"})
    names = _names(fields, "faults")
    if unknown := [name for name in names if name not in faults]:
        raise fields.error("faults", f"has {unknown[0]!r}, which the header does not describe")
    return Wrong(names, _stored(fields, ask))


def _stored(fields: JsonFields, ask: str, may_refuse: bool = True) -> Answer | Hashed:
    """An answer, or the hash of one."""
    value = fields.data["answer"]
    if isinstance(value, dict) and value.keys() == {"fnv1a"}:
        return Hashed(_matched(fields, "answer", value["fnv1a"], _HASH))
    return _answer(fields, ask, may_refuse)


def _answer(fields: JsonFields, ask: str, may_refuse: bool = True) -> Answer:
    value = fields.data["answer"]
    if value is None and may_refuse:
        return None
    return _ids(fields, "answer", value) if ask == "encode" else _converted(fields, "answer", from_json, value)


def _ids(fields: JsonFields, name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(map(is_id, value)):
        raise fields.error(name, "is not a list of ids")
    return tuple(value)


def _names(fields: JsonFields, name: str) -> tuple[str, ...]:
    return tuple(current(_matched(fields, name, one, _NAME)) for one in fields.get(name, list, []))


def _line(fields: JsonFields, name: str) -> str:
    """A line of printable ASCII."""
    return _matched(fields, name, fields.need(name, str), _LINE)


def _matched(fields: JsonFields, name: str, value: object, pattern: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise fields.error(name, f"is {value!a:.60}, which is not allowed there")
    return value


def _converted(fields: JsonFields, name: str, convert: Callable[[Any], Item], value: object) -> Item:
    try:
        return convert(value)
    except (FormatError, TypeError, ValueError, KeyError) as error:
        raise fields.error(name, f"is wrong: {error!s:.80}") from error


def _items(fields: JsonFields, name: str) -> list[JsonFields]:
    """The objects of a list that must be there."""
    fields.need(name, list)
    return fields.list_of(name)


def _keys(fields: JsonFields, required: Set[str], optional: Set[str] = frozenset()) -> None:
    if missing := sorted(required - fields.data.keys()):
        raise fields.error(missing[0], "is missing")
    if unknown := sorted(fields.data.keys() - required - optional):
        raise fields.error(ascii(unknown[0])[:60], "is not a known field")
