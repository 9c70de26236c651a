"""What the files beside a tokenizer.json say otherwise than it does, and who obeys which.

Source: transformers 5.24, `tokenization_utils_tokenizers.py` and `tokenization_utils_base.py`. Tokens of
`added_tokens_decoder` that the file does not have with these flags are added, and so are those of the roles. The
classes for BERT and for byte-level BPE set their options anew. Each was seen in a directory with this contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from tokparity.errors import FormatError
from tokparity.formats import Source
from tokparity.formats.beside import (
    AROUND,
    CHAT,
    CONFIGURATION,
    GENERATION,
    ROLES,
    TEMPLATE,
    TOKENS_MAP,
    configuration,
    content_of,
    files_of_templates,
    obeys_tokens_map,
    told,
)
from tokparity.formats.json_fields import is_id
from tokparity.questions.json_text import literal
from tokparity.reference.normalise import Bert, Sequence

_SHOWN = 3
"""Tokens of one kind, or ids, that are told, in their order."""
_LONGEST = 60
"""Characters of a token or a name that are shown."""
_ID = re.compile("[0-9]{1,9}")
_FLAGS = ("special", "normalized", "single_word", "lstrip", "rstrip")
_OBEYS_FILE = ("PreTrainedTokenizerFast", "TokenizersBackend")
"""Classes of transformers that take the tokenizer.json as it is."""


def contradictions(source: Source) -> Iterator[str]:
    """Yield what transformers does otherwise than a library that reads the tokenizer.json alone, and why."""
    if source.path.name != "tokenizer.json":
        return
    for part in (_names, _flags, _roles, _generation, _options, _around, _templates):
        try:
            yield from part(source, configuration(source.path))
        except FormatError as error:
            yield error.message


def _decoder(said: Mapping[str, object]) -> Iterator[tuple[int, Mapping[str, object], str]]:
    """The entries of added_tokens_decoder: the id, what is said of it, and its text."""
    found = said.get("added_tokens_decoder")
    entries = found.items() if isinstance(found, dict) else ()
    for key, entry in sorted(entries, key=lambda item: str(item[0]).zfill(9)):
        text = content_of(entry)
        if _ID.fullmatch(str(key)) and text is not None and isinstance(entry, dict):
            yield int(key), entry, text


def _short(text: str) -> str:
    return literal(text[:_LONGEST]) + ("..." if len(text) > _LONGEST else "")


def _names(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """Ids that have one name here and another one there."""
    return islice(_all_names(source, said), _SHOWN)


def _all_names(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    pieces, added = source.vocabulary.pieces, {token.content: token.id for token in source.vocabulary.added}
    texts = {token.id: token.content for token in source.vocabulary.added}
    for i, _, text in _decoder(said):
        own = texts.get(i) or (pieces[i].decode("utf-8", "replace") if i < len(pieces) else "")
        if own == text:
            continue
        its = f"{source.path.name} names it {_short(own)}" if own else f"{source.path.name} has no such id"
        id = added.get(text, source.vocabulary.ids.get(text.encode("utf-8", "surrogatepass")))
        does = f"adds {_short(text)} with a new id" if id is None else f"gives {_short(text)} the id {id}"
        yield f"{CONFIGURATION} names the id {i} {_short(text)}, and {its}; transformers {does}"


def _flags(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """Flags of added tokens that differ."""
    return islice(_all_flags(source, said), _SHOWN)


def _all_flags(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    added = source.vocabulary.added_by_id
    for i, entry, text in _decoder(said):
        token = added.get(i)
        if token is None or token.content != text:
            continue
        other = [name for name in _FLAGS if isinstance(entry.get(name), bool) and entry[name] != getattr(token, name)]
        if other:
            says = " and ".join(f"{name} {str(entry[name]).lower()}" for name in other)
            yield (
                f"{CONFIGURATION} says {says} of {_short(text)} [{i}], and {source.path.name} does not; "
                f"transformers obeys {CONFIGURATION}"
            )


def _roles(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """Special tokens that two files name differently, or that the tokenizer does not have."""
    other, ids = configuration(source.path, TOKENS_MAP), source.vocabulary.ids
    texts = {token.content for token in source.vocabulary.added}
    winner = TOKENS_MAP if obeys_tokens_map(said) else CONFIGURATION
    for role in ROLES:
        ours, its = (content_of(file.get(f"{role}_token")) for file in (said, other))
        if ours is not None and its is not None and ours != its:
            yield (
                f"the {role} token is {_short(ours)} in {CONFIGURATION} and {_short(its)} in {TOKENS_MAP}; "
                f"transformers obeys {winner}, llama.cpp's converter {CONFIGURATION}"
            )
        text = (its if winner == TOKENS_MAP else ours) or ours or its
        if text is not None and text not in texts and text.encode("utf-8", "surrogatepass") not in ids:
            yield (
                f"the {role} token {_short(text)} is not in {source.path.name}; transformers adds it with a new id, "
                "which the model may not have"
            )


def _generation(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """That generation stops at other ids than at the eos token."""
    eos, found = source.vocabulary.special.get("eos"), configuration(source.path, GENERATION).get("eos_token_id")
    stops = found if isinstance(found, list) else [found]
    if eos is None or found is None or eos in stops or not all(map(is_id, stops)):
        return
    named = _short(source.vocabulary.pieces[eos].decode("utf-8", "replace"))
    some = ", ".join(map(str, stops[:_SHOWN])) + (" and others" if len(stops) > _SHOWN else "")
    yield f"{GENERATION} stops at {some}, and the eos token is {named} [{eos}]; generation does not stop at it"


def _options(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """Options that a class of transformers sets anew."""
    name = said.get("tokenizer_class")
    if not isinstance(name, str) or name in _OBEYS_FILE:
        return
    for key, wanted, own in _set_anew(source, said):
        if isinstance(wanted, bool) and wanted != own:
            yield (
                f"{CONFIGURATION} says {key} {str(wanted).lower()}, and {source.path.name} {str(own).lower()}; "
                f"transformers obeys {CONFIGURATION} for the class {_short(name)}"
            )


def _set_anew(source: Source, said: Mapping[str, object]) -> Iterator[tuple[str, object, bool]]:
    """The options of this kind: the key, what the configuration says, and what the tokenizer.json does."""
    normalise = source.behaviour.normalise
    steps = normalise.stages if isinstance(normalise, Sequence) else (normalise,)
    for bert in [step for step in steps if isinstance(step, Bert)][:1]:
        yield "do_lower_case", said.get("do_lower_case"), bert.lowercase
        yield "strip_accents", said.get("strip_accents"), bert.drops_accents
        yield "tokenize_chinese_chars", said.get("tokenize_chinese_chars"), bert.handle_chinese_chars
    if source.behaviour.byte_level and said.get("tokenizer_class") not in ("LlamaTokenizer", "LlamaTokenizerFast"):
        yield "add_prefix_space", said.get("add_prefix_space"), source.behaviour.space_prefix != "never"


def _around(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """Whether an id stands around a text."""
    return (f"{key}: {told(source, key)}" for key, _, _ in AROUND if key in source.disputed)


def _templates(source: Source, said: Mapping[str, object]) -> Iterator[str]:
    """Two chat templates."""
    ours, its = said.get("chat_template"), files_of_templates(source.path).get(CHAT)
    if isinstance(ours, str) and its is not None and ours != its:
        yield (
            f"{CONFIGURATION} has another chat template than {TEMPLATE}; transformers obeys {TEMPLATE}, llama.cpp's "
            f"converter {CONFIGURATION}"
        )
