"""Converts the objects of a report to JSON and back.

cattrs makes JSON from the fields and types of the classes. This module defines only the exceptions: questions,
origins, texts (bytes), outcomes, differences, and two fields with another name in reports. A value of the wrong type
is an error that names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from tokparity import questions
from tokparity.case import Case, Origin
from tokparity.difference import Difference
from tokparity.errors import FormatError
from tokparity.laws import LAWS
from tokparity.outcome import Answer, Decoding, Encoding, Failure, Outcome, Rendering, Spanning, Streaming, Whole
from tokparity.questions.json_text import from_json, to_json
from tokparity.quirks.former_names import current
from tokparity.span_laws import LAWS as SPAN_LAWS

if TYPE_CHECKING:
    from cattrs import Converter

    from tokparity.finding import Finding

Json = dict[str, Any]
Noun = TypeVar("Noun")


def to_record(noun: object) -> Json:
    """A noun as a JSON object."""
    record: Json = converter().unstructure(noun)
    return record


def from_record(noun: type[Noun], record: Mapping[str, Any]) -> Noun:
    """The noun that a JSON object holds; FormatError where it does not."""
    from cattrs import BaseValidationError, transform_error

    try:
        return converter().structure(record, noun)
    except BaseValidationError as error:
        raise FormatError(
            f"no {noun.__name__.lower()}: {'; '.join(transform_error(error))[:200]}", "run again"
        ) from None


@cache
def converter() -> Converter:
    """What turns nouns into JSON-able values and back."""
    from cattrs import Converter
    from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
    from cattrs.strategies import configure_union_passthrough

    from tokparity.finding import Finding, Mismatch

    made = Converter(prefer_attrib_converters=False)
    configure_union_passthrough(str | int | float | bool | None, made)
    made.register_unstructure_hook(bytes, to_json)
    made.register_structure_hook(bytes, lambda value, _: from_json(value))
    for plain in (int, float, str, bool):
        made.register_structure_hook(plain, _strict(plain))
    made.register_unstructure_hook(Difference, str)
    made.register_structure_hook(Difference, lambda value, _: Difference.parse(value))
    made.register_unstructure_hook_func(_is_question, lambda value: None if value is None else questions.to_json(value))
    made.register_structure_hook_func(
        _is_question, lambda value, _: None if value is None else questions.from_json(value)
    )
    made.register_unstructure_hook_func(_is_case, _case_to_json)
    made.register_structure_hook_func(_is_case, lambda value, _: _case_from_json(value))
    made.register_unstructure_hook_func(lambda kind: kind in _OUTCOMES, _outcome_to_json)
    made.register_structure_hook_func(lambda kind: kind in _OUTCOMES, lambda value, _: _outcome_from_json(value))
    for noun, field, name in ((Mismatch, "difference", "first_difference"), (Finding, "name", "finding")):
        renamed: Any = {field: override(rename=name)}
        if noun is Mismatch:
            renamed |= dict.fromkeys(("after", "beside"), override(omit_if_default=True))
        made.register_unstructure_hook(noun, make_dict_unstructure_fn(noun, made, **renamed))
        made.register_structure_hook(noun, make_dict_structure_fn(noun, made, **renamed))
    read = made.get_structure_hook(Finding)
    made.register_structure_hook(Finding, lambda value, kind: _with_current_names(read(value, kind)))
    return made


def _with_current_names(finding: Finding) -> Finding:
    """The finding of an earlier version, with today's names of its quirks."""
    causes = finding.name.removeprefix(finding.engine)
    before = finding.name[: len(finding.name) - len(causes)]
    return replace(
        finding,
        name=before + re.sub(r"\w+", lambda word: current(word[0]), causes),
        quirks=_current(finding.quirks),
        alternatives=tuple(map(_current, finding.alternatives)),
        ruled_out=tuple(replace(one, quirks=_current(one.quirks)) for one in finding.ruled_out),
        wrong_keys=tuple((current(name), key) for name, key in finding.wrong_keys),
    )


def _current(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(current, names))


_QUESTIONS = (*questions.KINDS.values(), questions.Question, questions.Question | None)


def _is_question(kind: Any) -> bool:
    return kind in _QUESTIONS


_WHOLES = ("whole_ids", "whole_decoded")
_OF_SPANS = ("ids", "spans", "encoded", "law", "place", "right")
_OUTCOMES = (Encoding, Decoding, Streaming, Spanning, Rendering, Failure, Outcome, Answer)


def _strict(kind: type) -> Any:
    """A hook that takes a value of just this type (a whole number may represent a float) and makes none up."""

    def structure(value: object, _: object) -> object:
        if type(value) is kind or (kind is float and type(value) is int):
            return value
        raise ValueError(f"{value!r:.60} is not a {kind.__name__}")

    return structure


def _is_case(kind: Any) -> bool:
    return kind is Case or getattr(kind, "__origin__", None) is Case


def _case_to_json(case: Case[Any]) -> Json:
    return {**questions.to_json(case.question), "origin": str(case.origin)}


def _case_from_json(value: Json) -> Case[Any]:
    return Case(questions.from_json(value), Origin.parse(value["origin"]))


def _outcome_to_json(outcome: Outcome) -> Json:
    """A JSON object with the keys that belong to the kind of outcome; of what was cut it has the length and hash."""
    if isinstance(outcome, Failure):
        return {"failure": outcome.kind, "message": outcome.message, "signal": outcome.signal}
    if isinstance(outcome, Streaming):
        found = {"deltas": list(map(to_json, outcome.deltas)), "law": outcome.law, "place": outcome.place}
        return {**found, "right": list(map(to_json, outcome.right))}
    if isinstance(outcome, Spanning):
        return {name: getattr(outcome, name) for name in _OF_SPANS}
    if isinstance(outcome, Rendering):
        return {"prompt": outcome.prompt, "raised": outcome.raised, "ids": list(outcome.ids)}
    decoded = None if outcome.decoded is None else to_json(outcome.decoded)
    found = {"decoded": decoded} if isinstance(outcome, Decoding) else {"ids": list(outcome.ids), "decoded": decoded}
    wholes = {name: getattr(outcome, name, None) for name in _WHOLES}
    return found | {name: to_record(whole) for name, whole in wholes.items() if whole is not None}


def _outcome_from_json(value: Json) -> Outcome:
    if "failure" in value:
        return Failure(value["failure"], value["message"], value["signal"])
    wholes = {name: from_record(Whole, value[name]) for name in _WHOLES if name in value}
    if "deltas" in value:
        deltas, right = (tuple(map(from_json, value[name])) for name in ("deltas", "right"))
        if type(value["place"]) is not int or value["law"] not in ("", *LAWS):
            raise ValueError(f"{value['law']!r:.60} at {value['place']!r:.60} is not a broken law")
        return Streaming(deltas, value["law"], value["place"], right)
    if "spans" in value:
        return _spanning_from_json(value)
    if "prompt" in value:
        return _rendering_from_json(value)
    if "ids" not in value:
        return Decoding(from_json(value["decoded"]), **wholes)
    ids = value["ids"]
    if not all(type(i) is int for i in ids):
        raise ValueError(f"{ids!r:.60} are not ids")
    return Encoding(tuple(ids), None if value["decoded"] is None else from_json(value["decoded"]), **wholes)


def _rendering_from_json(value: Json) -> Outcome:
    prompt, raised, ids = value["prompt"], value["raised"], value["ids"]
    if not isinstance(raised, str) or not isinstance(prompt, str | None) or any(type(i) is not int for i in ids):
        raise ValueError(f"{prompt!r:.60} is not a prompt")
    return Rendering(prompt, raised, tuple(ids))


def _spanning_from_json(value: Json) -> Outcome:
    spans, right = (tuple((start, end) for start, end in value[name]) for name in ("spans", "right"))
    encoded = value["encoded"]
    numbers = [value["place"], *value["ids"], *(encoded or ()), *(at for span in (*spans, *right) for at in span)]
    if any(type(number) is not int for number in numbers) or len(spans) != len(value["ids"]):
        raise ValueError(f"{value['spans']!r:.60} are not the spans of {len(value['ids'])} ids")
    if value["law"] not in ("", *SPAN_LAWS):
        raise ValueError(f"{value['law']!r:.60} is not a law of spans")
    before = None if encoded is None else tuple(encoded)
    return Spanning(tuple(value["ids"]), spans, before, (), value["law"], value["place"], right)
