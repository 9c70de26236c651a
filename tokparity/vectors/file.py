"""Vectors files: written with one case on each line, read strictly, whoever made them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from tokparity import questions
from tokparity.engines.renderers import NOW
from tokparity.errors import FormatError, UsageError
from tokparity.formats.json_fields import JsonFields, load_json
from tokparity.questions import Decode, Question, Render
from tokparity.questions.json_text import from_json, literal
from tokparity.quirks.former_names import current
from tokparity.vectors.fields import (
    LINE,
    NAME,
    OF_TEMPLATE,
    any_answer,
    converted,
    hash_of,
    ids,
    items,
    keys,
    matched,
    names,
    right_answer,
    text_line,
    with_conversation,
    without_conversation,
)
from tokparity.vectors.model import Acceptable, Fault, Group, Untold, Vector, Vectors, Wrong
from tokparity.vectors.spelling import line

FORMAT = "tokparity-vectors-1"
SUFFIX = ".vectors.json"
LICENSE = (
    "Apache-2.0. The texts and comments are tokparity's. No vocabulary is in this file: of the model it has only ids, "
    "and the pieces of these ids."
)

_MOST_BYTES = 1 << 24
_MOST_CASES = 10_000
_ID = re.compile(r"[a-z]-[0-9a-f]{8}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HEADER = {"format", "model", "sources", "oracle", "tokparity", "license", "counts", "faults", "untold", "cases"}
_CASE = {"id", "ask", "answer", "comment", "tags", "level", "wrong"}
_OF_CASE = {"pieces", "acceptable"}
"""What a case may have beside."""
_PLAIN = {"encode": {"text", "add_special", "parse_special"}, "decode": {"ids", "skip_special"}}
_ASKED = {
    **_PLAIN,
    "stream": {"ids", "prefill", "skip_special"},
    "spans": _PLAIN["encode"],
    "again": {"ids", "add_special", "parse_special", "skip_special"},
    "render": {"conversation"},
}
_GROUPS = {"streams": "stream", "spans": "spans", "again": "again", "conversations": "render"}
"""The kind of question of each group; a file may have none of them."""
_GROUP = {"faults", "untold", "cases"}


def text_of(vectors: Vectors) -> str:
    """The file, as it is written."""
    header = {
        "format": FORMAT, "model": vectors.model, "sources": dict(vectors.sources), "oracle": vectors.oracle,
        "tokparity": vectors.tokparity, "license": LICENSE, "counts": counts(vectors),
    }  # fmt: skip
    lines = [f"{literal(name)}: {literal(value)}" for name, value in header.items()]
    lines += _part(vectors)
    for name, group in vectors.groups.items():
        lines.append(f"{literal(name)}: {{\n" + ",\n".join(_part(group)) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _part(part: Vectors | Group) -> Iterator[str]:
    """The faults, those that no case shows, and the cases; first the template, if it is what is asked."""
    if isinstance(asked := part.cases[0].question if part.cases else None, Render):
        told = {"template": asked.template.text, "tokens": dict(asked.tokens), "now": NOW.isoformat()}
        yield from (f"{literal(name)}: {literal(value)}" for name, value in told.items())
    faults = (
        f"{literal(name)}: {literal({'does': one.does} | ({'alike': list(one.alike)} if one.alike else {}))}"
        for name, one in part.faults.items()
    )
    yield f'"faults": {_listed("{}", faults)}'
    untold = (literal({"why": one.why, "faults": list(one.faults)}) for one in part.untold)
    yield f'"untold": {_listed("[]", untold)}'
    yield f'"cases": {_listed("[]", map(line, part.cases))}'


def counts(vectors: Vectors) -> dict[str, int]:
    """How many cases there are, of each kind, and how many faults they show."""
    decode = sum(isinstance(case.question, Decode) for case in vectors.cases)
    return {
        "cases": len(vectors.cases),
        "encode": len(vectors.cases) - decode,
        "decode": decode,
        "may": sum(case.level == "may" for case in vectors.cases),
        "faults": sum(1 + len(fault.alike) for fault in vectors.faults.values()),
        **{name: len(group.cases) for name, group in vectors.groups.items()},
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
    keys(fields, _HEADER, _GROUPS.keys())
    text_line(fields, "license")
    faults, untold, cases = _contents(fields, _PLAIN)
    found = Vectors(
        model=text_line(fields, "model"),
        sources=_sources(fields),
        oracle=text_line(fields, "oracle"),
        tokparity=text_line(fields, "tokparity"),
        faults=faults,
        untold=untold,
        cases=cases,
        groups={name: _group(fields, name) for name in _GROUPS if name in fields.data},
    )
    if fields.data["counts"] != counts(found):
        raise fields.error("counts", "do not fit what is in the file")
    return found


def _group(fields: JsonFields, name: str) -> Group:
    inner = fields.inner(name)
    if inner is None:
        raise fields.error(name, "is not an object")
    if _GROUPS[name] != Render.KIND:
        keys(inner, _GROUP)
        return Group(*_contents(inner, (_GROUPS[name],)))
    keys(inner, _GROUP | OF_TEMPLATE)
    return Group(*_contents(inner, (Render.KIND,), without_conversation(inner)))


def _contents(
    fields: JsonFields, asks: Collection[str], template: Render | None = None
) -> tuple[dict[str, Fault], tuple[Untold, ...], tuple[Vector, ...]]:
    """Faults, untold ones and cases, which may ask questions of these kinds, with this template if of one."""
    told = fields.need("faults", dict)
    faults = {current(matched(fields, "faults", name, NAME)): _fault(fields, name) for name in told}
    if len(fields.need("cases", list)) > _MOST_CASES:
        raise fields.error("cases", f"has more than {_MOST_CASES} items")
    untold = tuple(_untold(one) for one in items(fields, "untold"))
    return faults, untold, tuple(_vector(one, faults, asks, template) for one in items(fields, "cases"))


def _sources(fields: JsonFields) -> dict[str, str]:
    inner = fields.inner("sources")
    if inner is None:
        raise fields.error("sources", "is missing")
    return {
        matched(inner, name, name, LINE): matched(inner, name, value, _SHA256) for name, value in inner.data.items()
    }


def _fault(fields: JsonFields, name: str) -> Fault:
    one = fields.item("faults", 0, fields.data["faults"][name])
    keys(one, {"does"}, {"alike"})
    return Fault(text_line(one, "does"), names(one, "alike"))


def _untold(fields: JsonFields) -> Untold:
    keys(fields, {"why", "faults"})
    return Untold(text_line(fields, "why"), names(fields, "faults"))


def _vector(fields: JsonFields, faults: dict[str, Fault], asks: Collection[str], template: Render | None) -> Vector:
    ask = fields.need("ask", str)
    if ask not in asks:
        raise fields.error("ask", f"is {ask!r:.40}, not one of {', '.join(asks)}")
    keys(fields, _CASE | _ASKED[ask], _OF_CASE)
    question = with_conversation(fields, template) if template else _question(fields, ask)
    vector = Vector(
        id=matched(fields, "id", fields.need("id", str), _ID),
        question=question,
        answer=right_answer(fields, ask),
        pieces=tuple(converted(fields, "pieces", from_json, one) for one in fields.get("pieces", list, [])),
        comment=text_line(fields, "comment"),
        tags=tuple(matched(fields, "tags", one, LINE) for one in fields.need("tags", list)),
        acceptable=tuple(_acceptable(one, ask) for one in fields.list_of("acceptable")),
        wrong=tuple(_wrong(one, ask, faults) for one in items(fields, "wrong")),
    )
    if fields.need("level", str) != vector.level:
        raise fields.error("level", f"is not {vector.level!r}, as its acceptable answers have it")
    return vector


def _question(fields: JsonFields, ask: str) -> Question:
    for name in _ASKED[ask] - {"text", "ids", "prefill"}:
        fields.need(name, bool)
    for name in _ASKED[ask] & {"ids", "prefill"}:
        ids(fields, name, fields.data[name])
    return converted(fields, "text", questions.from_json, {"kind": ask, **fields.data})


def _acceptable(fields: JsonFields, ask: str) -> Acceptable:
    keys(fields, {"answer", "why"}, {"faults"})
    return Acceptable(any_answer(fields, ask), text_line(fields, "why"), names(fields, "faults"))


def _wrong(fields: JsonFields, ask: str, faults: dict[str, Fault]) -> Wrong:
    keys(fields, {"faults", "answer"})
    told = names(fields, "faults")
    if unknown := [name for name in told if name not in faults]:
        raise fields.error("faults", f"has {unknown[0]!r}, which the header does not describe")
    return Wrong(told, hash_of(fields) or any_answer(fields, ask))
