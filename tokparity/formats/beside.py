"""What the files beside a tokenizer say that it does not say itself, as transformers reads them.

Source: transformers, `tokenization_utils_base.py` (from_pretrained): special_tokens_map.json is the older of the two,
and what tokenizer_config.json says wins. A token is its text, or an object with its text as `content`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tokparity.errors import FormatError

CONFIGURATION, TOKENS_MAP = "tokenizer_config.json", "special_tokens_map.json"
MAX_BYTES = 1 << 24
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")


def configuration(path: Path, name: str = CONFIGURATION) -> Mapping[str, object]:
    """The JSON object in the file of this name beside the tokenizer, empty if there is none."""
    beside = path.with_name(name)
    if not beside.is_file():
        return {}
    if beside.stat().st_size > MAX_BYTES:
        raise FormatError(f"{beside} has {beside.stat().st_size} bytes", "repair or remove it")
    try:
        found = json.loads(beside.read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{beside} is not JSON: {error}", "repair or remove it") from error
    return found if isinstance(found, dict) else {}


def special_tokens(path: Path) -> dict[str, str]:
    """The texts of the special tokens that are named, by role."""
    said = {**configuration(path, TOKENS_MAP), **configuration(path)}
    found = {role: said.get(f"{role}_token") for role in ROLES}
    texts = {role: token.get("content") if isinstance(token, dict) else token for role, token in found.items()}
    return {role: text for role, text in texts.items() if isinstance(text, str)}
