"""What the files beside a tokenizer say that it does not say itself, as transformers reads them.

Source: transformers 4.57 and 5.24, `tokenization_utils_base.py` (_from_pretrained): special_tokens_map.json is the
older of the two; what it says wins where tokenizer_config.json has no `added_tokens_decoder`. llama.cpp's converter
reads tokenizer_config.json alone, so that wins here. A token is its text, or an object with its text as `content`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokparity.errors import FormatError

if TYPE_CHECKING:
    from tokparity.formats import Source

CONFIGURATION, TOKENS_MAP, TEMPLATE = "tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja"
GENERATION = "generation_config.json"
OLDER_TEMPLATE, NAMED_TEMPLATES = "chat_template.json", "additional_chat_templates"
MAX_BYTES = 1 << 24
_NO_NAME = re.compile("[^a-zA-Z0-9]")
"""What llama.cpp's converter takes out of the name of a template."""
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
CHAT = "tokenizer.chat_template"
"""What chat templates are called in the metadata of a source, as in a GGUF: CHAT, and CHAT.NAME for the others."""
LOADED_AS = ("tokenizer.json", "tokenizer.model")
"""The names of tokenizers beside which a library looks for a tokenizer_config.json."""

AROUND = (("add_bos_token", "bos", "prefix_ids"), ("add_eos_token", "eos", "suffix_ids"))
"""What says whether an id stands around a text: the key, the role of the id, and the field that has it."""


def configuration(path: Path, name: str = CONFIGURATION) -> Mapping[str, object]:
    """The JSON object in the file of this name next to the tokenizer; empty if there is no such file."""
    beside = path.with_name(name)
    if not beside.is_file():
        return {}
    try:
        found = json.loads(_content(beside))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{beside} is not JSON: {error}", "repair or remove it") from error
    return found if isinstance(found, dict) else {}


def _content(beside: Path) -> bytes:
    if beside.stat().st_size > MAX_BYTES:
        raise FormatError(f"{beside} has {beside.stat().st_size} bytes", "repair or remove it")
    return beside.read_bytes()


def obeys_tokens_map(said: Mapping[str, object]) -> bool:
    """Whether transformers prefers special_tokens_map.json to this tokenizer_config.json, which has no added tokens."""
    return "added_tokens_decoder" not in said


def special_tokens(path: Path) -> dict[str, str]:
    """The texts of the special tokens that are named, by role."""
    said = {**configuration(path, TOKENS_MAP), **configuration(path)}
    texts = {role: content_of(said.get(f"{role}_token")) for role in ROLES}
    return {role: text for role, text in texts.items() if text is not None}


def content_of(token: object) -> str | None:
    """The text of a token in such a file; None where it names none."""
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else None


def templates(path: Path) -> dict[str, str]:
    """The chat templates, by their key in a GGUF; where two files have some, tokenizer_config.json wins, as in
    llama.cpp's converter."""
    return _by_key(configuration(path).get("chat_template")) or files_of_templates(path)


def files_of_templates(path: Path) -> dict[str, str]:
    """The chat templates in files of their own, by their key in a GGUF; transformers obeys these."""
    if not path.with_name(TEMPLATE).is_file():
        return _by_key(configuration(path, OLDER_TEMPLATE).get("chat_template"))
    files = sorted(path.with_name(NAMED_TEMPLATES).glob("*.jinja"))
    named = {"default": path.with_name(TEMPLATE), **{file.stem: file for file in files if file.is_file()}}
    texts = {name: _content(file).decode("utf-8", "replace") for name, file in named.items()}
    return _by_key([{"name": name, "template": text} for name, text in texts.items()])


def _by_key(said: object) -> dict[str, str]:
    """What a configuration says of chat templates: a text, or a list of texts with names."""
    named = said if isinstance(said, list) else [{"name": "default", "template": said}]
    entries = [(entry.get("name"), entry.get("template")) for entry in named if isinstance(entry, dict)]
    return {
        CHAT if name == "default" else f"{CHAT}.{_NO_NAME.sub('_', name)}": template
        for name, template in entries
        if isinstance(name, str) and isinstance(template, str)
    }


def is_of_prompts(key: str) -> bool:
    """Whether a key of a GGUF is about chat templates."""
    return key.startswith(CHAT)


def chat_of(source: Source) -> dict[str, str]:
    """The chat templates in the metadata of a source."""
    found = {key: value for key, value in source.metadata.items() if key == CHAT or key.startswith(f"{CHAT}.")}
    return {key: value for key, value in found.items() if isinstance(value, str)}


def completed(source: Source) -> Source:
    """A tokenizer.json with what the files beside it say: special ids, chat templates, where the two disagree."""
    vocabulary = source.vocabulary
    ids = {token.content: token.id for token in vocabulary.added}
    roles = special_tokens(source.path).items()
    named = {role: i for role, text in roles if (i := ids.get(text, vocabulary.ids.get(_utf8(text)))) is not None}
    special = {**named, **vocabulary.special}
    said, disputed = configuration(source.path), {}
    for key, role, around in AROUND:
        wanted, adds = said.get(key), getattr(source.behaviour, around) == (special.get(role),)
        if isinstance(wanted, bool) and role in special and ((wanted and not adds) or (not wanted and adds)):
            disputed[key] = wanted
    metadata = {**source.metadata, **templates(source.path)}
    return replace(source, vocabulary=replace(vocabulary, special=special), metadata=metadata, disputed=disputed)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def told(source: Source, key: str) -> str:
    """What each of two files says that disagree, and who obeys which."""
    says, path = str(source.disputed[key]).lower(), source.path.name
    adds = "adds none" if source.disputed[key] else "adds one"
    return (
        f"{CONFIGURATION} says {says}, the post-processor of {path} {adds}; llama.cpp's converter obeys "
        f"{CONFIGURATION}, as transformers 4.57 does for the class of Llama; transformers 5.24 obeys {path}"
    )


def as_configured(source: Source) -> Source:
    """The source as converters to GGUF take it: of two files that disagree, tokenizer_config.json is obeyed."""
    special = source.vocabulary.special
    fields: dict[str, Any] = {
        around: (special[role],) if source.disputed[key] else ()
        for key, role, around in AROUND
        if key in source.disputed
    }
    return replace(source, behaviour=replace(source.behaviour, **fields)) if fields else source


def spelled(source: Source) -> Mapping[str, object]:
    """A tokenizer_config.json with the special tokens of a source, which adds nothing to its tokenizer.json."""
    tokens = {token.id: token.content for token in source.vocabulary.added if token.special}
    config: dict[str, object] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,  # where the decoder of the tokenizer.json cleans up, it says so itself
        "model_max_length": 1 << 30,
    }
    # A role that is not an added token yet would make transformers add one, and so change the ids.
    special = source.vocabulary.special
    return config | {f"{role}_token": tokens[special[role]] for role in ROLES if special.get(role) in tokens}


def written(source: Source, path: Path) -> dict[Path, bytes]:
    """The tokenizer_config.json beside a tokenizer, if that has a name with which a library looks for one."""
    if path.name not in LOADED_AS:
        return {}
    behaviour, special = source.behaviour, source.vocabulary.special
    said = {**spelled(source), "clean_up_tokenization_spaces": behaviour.clean_up}
    for key, role, around in AROUND:
        ids = getattr(behaviour, around)
        if not ids or ids == (special.get(role),):
            said[key] = source.disputed.get(key, bool(ids))
    chat = chat_of(source)
    if list(chat) == [CHAT]:
        said["chat_template"] = chat[CHAT]
    elif chat:
        named = {key.removeprefix(CHAT).removeprefix(".") or "default": value for key, value in chat.items()}
        said["chat_template"] = [{"name": name, "template": value} for name, value in named.items()]
    return {path.with_name(CONFIGURATION): json.dumps(said, ensure_ascii=False, indent=1).encode() + b"\n"}
