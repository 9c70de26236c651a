"""Post-processors of a tokenizer.json: which ids go before and after those of the text."""

from __future__ import annotations

from typing import Any

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields, is_id

Ids = tuple[int, ...]

MAX_AROUND = 1024
"""How many ids may go around a text; real templates have two."""


def template_ids(fields: JsonFields | None) -> dict[str, Ids]:
    """`prefix_ids` and `suffix_ids` for a single text; FormatError for a template that does anything else."""
    before, after = _around(fields)
    if fields is not None and len(before) + len(after) > MAX_AROUND:
        raise fields.error("type", f"puts {len(before) + len(after)} ids around a text, at most {MAX_AROUND} are read")
    return {"prefix_ids": before, "suffix_ids": after}


def _around(fields: JsonFields | None) -> tuple[Ids, Ids]:
    if fields is None:
        return (), ()
    kind = fields.need("type", str)
    if kind == "ByteLevel":
        return (), ()  # it only trims offsets
    if kind in ("BertProcessing", "RobertaProcessing"):
        return (_pair_id(fields, "cls"),), (_pair_id(fields, "sep"),)
    if kind == "TemplateProcessing":
        return _template(fields)
    if kind == "Sequence":
        before, after = (), ()  # type: tuple[Ids, Ids]
        for inner in fields.list_of("processors"):
            outer = _around(inner)
            before, after = outer[0] + before, after + outer[1]
        return before, after
    raise FormatError(
        f"{fields.path}: {fields.where}type is {kind!r}, which is no post-processor that we know",
        "tokenizers 0.23 is supported",
    )


def _pair_id(fields: JsonFields, name: str) -> int:
    pair = fields.need(name, list)
    if len(pair) != 2 or not is_id(pair[1]):
        raise fields.error(name, f"is {excerpt(pair)}, not a token and its id")
    return int(pair[1])


def _template(fields: JsonFields) -> tuple[Ids, Ids]:
    tokens = fields.inner("special_tokens")
    sides: list[list[int]] = [[], []]
    texts = 0
    for item in fields.list_of("single"):
        special = item.inner("SpecialToken")
        if special is None:
            sequence = item.inner("Sequence")
            if sequence is None or sequence.text("id", "A") != "A":
                raise fields.error("single", f"holds {excerpt(dict(item.data))}, neither a token nor the text A")
            texts += 1
            continue
        sides[min(texts, 1)] += _special_ids(tokens, special)
        if len(sides[0]) + len(sides[1]) > MAX_AROUND:
            raise fields.error("single", f"has more than {MAX_AROUND} ids")
    if texts != 1:
        raise fields.error("single", f"has the text {texts} times; once is supported")
    return tuple(sides[0]), tuple(sides[1])


def _special_ids(tokens: JsonFields | None, special: JsonFields) -> list[int]:
    name = special.need("id", str)
    token = tokens.inner(name) if tokens else None
    ids: Any = token.get("ids", list) if token else None
    if not ids or len(ids) > MAX_AROUND or not all(map(is_id, ids)):
        raise special.error("id", f"is {excerpt(name)}, to which special_tokens gives the ids {excerpt(ids)}")
    return list(ids)
