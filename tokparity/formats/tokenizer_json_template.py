"""Post-processors of a tokenizer.json: which ids go before and after those of the text."""

from __future__ import annotations

from typing import Any

from tokparity.errors import FormatError
from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields, is_id

Ids = tuple[int, ...]

MAX_AROUND = 1024
"""How many ids may go around a text; real templates have two."""


Part = tuple[int | None, ...]
"""A stretch of a text's ids on its way through post-processors; None is the text's own ids."""


def template_ids(fields: JsonFields | None) -> dict[str, Ids]:
    """`prefix_ids` and `suffix_ids` for a single text; FormatError for a template that does anything else."""
    whole = [i for part in _processed(fields, [(None,)]) for i in part]
    at = whole.index(None)
    around = tuple(i for i in whole if i is not None)
    if fields is not None and len(around) > MAX_AROUND:
        raise fields.error("type", f"adds {len(around)} ids around a text; tokparity reads at most {MAX_AROUND}")
    return {"prefix_ids": around[:at], "suffix_ids": around[at:]}


def _processed(fields: JsonFields | None, parts: list[Part]) -> list[Part]:
    """The parts that a post-processor makes of those that the one before it made; the first is given the text alone."""
    if fields is None:
        return parts
    kind = fields.need("type", str)
    if kind == "ByteLevel":
        return parts  # it only trims offsets
    if kind in ("BertProcessing", "RobertaProcessing"):
        before, after = (_pair_id(fields, "cls"),), (_pair_id(fields, "sep"),)
        between = after if kind == "RobertaProcessing" else ()
        return [(*(between if n else before), *part, *after) for n, part in enumerate(parts)]
    if kind == "TemplateProcessing":
        return _template(fields, parts)
    if kind == "Sequence":
        for inner in fields.list_of("processors"):
            parts = _processed(inner, parts)
        return parts
    raise FormatError(
        f"{fields.path}: {fields.where}type is {kind!r}, which is not a post-processor that tokparity reads",
        "tokparity reads what tokenizers 0.23 reads",
    )


def _pair_id(fields: JsonFields, name: str) -> int:
    pair = fields.need(name, list)
    if len(pair) != 2 or not is_id(pair[1]):
        raise fields.error(name, f"is {excerpt(pair)}, not a token and its id")
    return int(pair[1])


def _template(fields: JsonFields, parts: list[Part]) -> list[Part]:
    """What a template puts in place of the text, or of two texts where a processor before it made two parts."""
    if len(parts) > 2:
        raise fields.error(
            "type", f"is given {len(parts)} parts by the post-processors before it, which makes the library fail"
        )
    name = "single" if len(parts) == 1 else "pair"
    texts = dict(zip("AB", parts, strict=False))
    tokens = fields.inner("special_tokens")
    made: list[Part] = []
    for item in fields.list_of(name):
        special = item.inner("SpecialToken")
        if special is not None:
            made.append(_special_ids(tokens, special))
        else:
            sequence = item.inner("Sequence")
            text = None if sequence is None else texts.get(sequence.text("id", "A"))
            if text is None:
                raise fields.error(name, f"holds {excerpt(dict(item.data))}, neither a token nor a text that is there")
            made.append(text)
        if sum(map(len, made)) > MAX_AROUND:
            raise fields.error(name, f"has more than {MAX_AROUND} ids")
    if (times := [i for part in made for i in part].count(None)) != 1:
        raise fields.error(name, f"has the text {times} times; once is supported")
    return made


def _special_ids(tokens: JsonFields | None, special: JsonFields) -> Ids:
    name = special.need("id", str)
    token = tokens.inner(name) if tokens else None
    ids: Any = token.get("ids", list) if token else None
    if not ids or len(ids) > MAX_AROUND or not all(map(is_id, ids)):
        raise special.error("id", f"is {excerpt(name)}, to which special_tokens gives the ids {excerpt(ids)}")
    return tuple(ids)
