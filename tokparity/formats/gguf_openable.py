"""What keeps llama.cpp from opening a GGUF that can be read, in words of ours: its own name offsets and calls."""

from __future__ import annotations

import sys
from pathlib import Path

from tokparity.errors import FormatError
from tokparity.formats.gguf_cursor import Type
from tokparity.formats.gguf_metadata import Metadata, read_metadata
from tokparity.formats.gguf_shards import Shards


def why_not(path: Path) -> tuple[str, str] | None:
    """What is in the way, and the next step; None where we know nothing that is."""
    try:
        metadata = read_metadata(path)
    except (FormatError, OSError):
        return None  # what cannot be read has an error of its own
    return _of_order(metadata) or _of_types(metadata) or _of_shards(metadata)


def _of_order(metadata: Metadata) -> tuple[str, str] | None:
    if metadata.byte_order == sys.byteorder:
        return None
    told = f"it is {metadata.byte_order}-endian, and llama.cpp reads only the byte order of the machine"
    return told, f"convert it with `gguf-convert-endian FILE {sys.byteorder}` of the package gguf"


def _of_shards(metadata: Metadata) -> tuple[str, str] | None:
    shards = Shards.of(metadata.path, {key: field.value for key, field in metadata.fields.items()})
    if shards is None:
        return None
    about = f"it is shard {shards.number} of {shards.count}"
    if not shards.named_well:
        name = f"NAME-{shards.number:05}-of-{shards.count:05}.gguf"
        return f"{about}, and its name does not say so", f"call it {name}, as the other shards are called"
    missing = [path.name for path in shards.missing]
    if not missing:
        return None
    more = f" and {len(missing) - 1} more are" if len(missing) > 1 else " is"
    return f"{about}, and {missing[0]}{more} not beside it", "put all shards into one folder"


def _of_types(metadata: Metadata) -> tuple[str, str] | None:
    nested = next((field.key for field in metadata.fields.values() if field.item_type is Type.ARRAY), None)
    if nested is None:
        return None
    return f"its key {nested:.200} is an array of arrays, which llama.cpp does not read", "write the file without it"
