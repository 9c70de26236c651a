"""The types in which llama.cpp reads the keys of a tokenizer; a file in which one has another type it does not open.

Source: llama.cpp, `src/llama-vocab.cpp` (load) and `src/llama-model-loader.cpp` (get_key, which converts nothing).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from tokparity.formats.gguf_cursor import Type
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import Field

_IDS = (
    *("bos", "eos", "eot", "eom", "unknown", "seperator", "padding", "mask"),
    *("fim_pre", "fim_suf", "fim_mid", "fim_pad", "fim_rep", "fim_sep"),
    *("prefix", "suffix", "middle"),
)
_FLAGS = ("add_bos_token", "add_eos_token", "add_sep_token", "add_space_prefix", "remove_extra_whitespaces")
_SCALARS: Mapping[str, Type] = {
    **{f"{PREFIX}{name}_token_id": Type.UINT32 for name in _IDS},
    PREFIX + "token_type_count": Type.UINT32,
    **dict.fromkeys((PREFIX + name for name in _FLAGS), Type.BOOL),
    PREFIX + "normalizer.lowercase": Type.BOOL,
    PREFIX + "normalizer.strip_accents": Type.BOOL,
    PREFIX + "pre": Type.STRING,
}
_ITEMS: Mapping[str, tuple[Type, ...]] = {
    PREFIX + "scores": (Type.FLOAT32, Type.INT32),
    PREFIX + "token_type": (Type.INT32,),
}
"""Arrays that are looked at whatever the model; the first type is what converters write."""


def whole_number(key: str) -> Type | None:
    """The type in which a key's whole number is read; None where that is not known."""
    return Type.UINT32 if _SCALARS.get(key) is Type.UINT32 else None


def refused_type(field: Field) -> tuple[str, str] | None:
    """The type that a key has and the one that it should have, where llama.cpp does not open a file with such a key."""
    if field.key in _ITEMS:
        wanted = _ITEMS[field.key]
        return None if field.item_type in wanted else (_name(field), f"array of {wanted[0].name.lower()}")
    should = _SCALARS.get(field.key, field.type)
    return None if field.type is should else (_name(field), should.name.lower())


def _name(field: Field) -> str:
    return field.type.name.lower() if field.item_type is None else f"array of {field.item_type.name.lower()}"


def as_read(key: str, value: Any) -> Any:
    """The same value in the type in which llama.cpp reads the key; None where it is none of that type."""
    try:
        if key in _ITEMS:
            return _array(key, value) if isinstance(value, array) else None
        if _SCALARS[key] is Type.STRING:
            return value if isinstance(value, bytes) else None
        known = {0: False, 1: True} if _SCALARS[key] is Type.BOOL else range(1 << 32)
        return known[value] if isinstance(value, int) and value >= 0 else None
    except (KeyError, IndexError, ValueError, OverflowError):
        return None


def _array(key: str, value: array[Any]) -> array[Any]:
    if _ITEMS[key][0] is Type.FLOAT32:
        return array("f", value)
    return array("i", map(int, value))
