"""A tokenizer as the keys of a vocabulary-only GGUF.

Everything that has a key is written, even if llama.cpp is known not to obey the key. Then llama.cpp returns other ids,
which is a finding about llama.cpp. What no key says is a CannotExpressError.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokparity.behaviour import MARKER, Behaviour
from tokparity.errors import CannotExpressError
from tokparity.formats import Source
from tokparity.formats.beside import CHAT, chat_of
from tokparity.formats.expressible import check_added, check_behaviour, shown
from tokparity.formats.gguf_keys import PREFIX, Keys
from tokparity.formats.gguf_tokenizer import behaviour_of
from tokparity.formats.gguf_vocabulary import SPECIAL_KEYS, added_tokens, special_ids
from tokparity.formats.gguf_ways_on import ADDED, WAYS_ON
from tokparity.formats.merges_by_id import merging_finds_every_piece, with_merges
from tokparity.formats.merges_by_score import with_scores
from tokparity.reference import normalise, pretokenisers
from tokparity.reference.bpe import bpe
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.same_cuts import as_chain, cut_alike
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Kind, Vocabulary

FORMAT = "gguf"

NAMED_BY_PRE = ("pretokenise", "normalise", "ignore_merges", "byte_level", "space_marker", "escape_order")

NAMES: tuple[tuple[str, str], ...] = (
    ("llama", "exported by tokparity"),
    ("llama", "phi-3"),
    ("nomic-bert-moe", "exported by tokparity"),
    ("llama", "modern-bert"),
)
"""Architecture and name of the model. No key says which tokens eat spaces; to llama.cpp these names do."""


def keys_of(source: Source) -> dict[str, Any]:
    """The keys of a source, typed as the reader gives them; CannotExpressError names what GGUF cannot express."""
    vocabulary, behaviour = source.vocabulary, source.behaviour
    if behaviour.segment is bpe and not vocabulary.merges and behaviour.merge is None:
        vocabulary = with_merges(vocabulary)
    if behaviour.segment is bpe and not behaviour.byte_level and behaviour.pretokenise is None:
        # SPM comes to the same ids where scores can say the merges. Added tokens that are not special need gemma4.
        scored = with_scores(vocabulary)
        if scored is not None:
            try:
                return _keys(replace(source, vocabulary=scored, behaviour=replace(behaviour, segment=spm)))
            except CannotExpressError as error:
                with suppress(CannotExpressError):
                    return _keys(replace(source, vocabulary=vocabulary))
                raise error
    return _keys(replace(source, vocabulary=vocabulary))


def _keys(source: Source) -> dict[str, Any]:
    vocabulary, behaviour = source.vocabulary, source.behaviour
    model = _model(vocabulary, behaviour)
    if model == "bert" and behaviour.continuing_prefix:
        vocabulary = _marked_words(vocabulary, behaviour.continuing_prefix)
    keys = _vocabulary_keys(vocabulary) | _behaviour_keys(vocabulary, behaviour)
    keys[PREFIX + "model"] = model.encode()
    names, refused = _names(source, vocabulary, keys)
    keys |= names
    chat = chat_of(source)
    keys |= {key: value.encode("utf-8", "replace") for key, value in chat.items()}
    if others := [key.removeprefix(f"{CHAT}.").encode() for key in chat if key != CHAT]:
        keys[f"{CHAT}s"] = others
    moot: tuple[str, ...] = ()
    if model == "gpt2":
        keys[PREFIX + "pre"], moot = _pre(source, vocabulary, keys)
    found = behaviour_of(
        Keys(source.path, keys), replace(vocabulary, special=special_ids(Keys(source.path, keys), model))
    )
    spelling = ("word_prefix", "continuing_prefix") if model == "bert" else moot
    check_behaviour(FORMAT, vocabulary, behaviour, found, leave_out=spelling, ways_on=WAYS_ON)
    if refused is not None:
        raise refused  # last: who sets a token's attribute has no use of it where the algorithm cannot be written
    return keys


HYPERPARAMETERS = {"context_length": 2048}
"""What later versions of llama.cpp want to read even where only the vocabulary is loaded; it decides nothing here."""


def write_keys(keys: Mapping[str, Any], path: Path) -> None:
    """Write a GGUF file with these keys and no tensors."""
    import gguf

    types = gguf.GGUFValueType
    writer = gguf.GGUFWriter(path, keys["general.architecture"].decode())
    letters = {"f": types.FLOAT32, "i": types.INT32, "B": types.UINT8}
    for key, value in keys.items():
        if key == "general.architecture":
            continue  # GGUFWriter puts it first itself
        if isinstance(value, array):
            writer.add_key_value(key, value.tolist(), types.ARRAY, sub_type=letters[value.typecode])
        elif isinstance(value, list):
            writer.add_key_value(key, value, types.ARRAY, sub_type=types.STRING)
        elif isinstance(value, bytes):
            writer.add_key_value(key, value.decode(), types.STRING)
        else:
            writer.add_key_value(key, value, types.BOOL if isinstance(value, bool) else types.UINT32)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _model(vocabulary: Vocabulary, behaviour: Behaviour) -> str:
    if behaviour.segment in (spm, ugm) and vocabulary.scores:
        return "llama" if behaviour.segment is spm else "t5"
    if behaviour.segment is bpe and vocabulary.merges:
        return "gpt2" if behaviour.byte_level else "gemma4"
    if behaviour.segment is wpm:
        return "bert"
    name = getattr(behaviour.segment, "__name__", repr(behaviour.segment))
    raise CannotExpressError(
        f"{FORMAT} cannot express the algorithm {name} with {len(vocabulary.scores)} scores and "
        f"{len(vocabulary.merges)} merges",
        "it knows SPM and UGM with scores, BPE with merges, and WordPiece",
    )


def _vocabulary_keys(vocabulary: Vocabulary) -> dict[str, Any]:
    kinds = list(vocabulary.kinds)
    for token in vocabulary.added:
        if kinds[token.id] is not Kind.UNKNOWN:
            kinds[token.id] = Kind.CONTROL if token.special else Kind.USER_DEFINED
    keys: dict[str, Any] = {
        PREFIX + "tokens": list(vocabulary.pieces),
        PREFIX + "token_type": array("i", map(int, kinds)),
    }
    if vocabulary.scores:
        keys[PREFIX + "scores"] = array("f", vocabulary.scores)
    if vocabulary.merges:
        keys[PREFIX + "merges"] = [left + b" " + right for left, right in vocabulary.merges]
    return keys


def _behaviour_keys(vocabulary: Vocabulary, behaviour: Behaviour) -> dict[str, Any]:
    is_wpm, is_bpe = behaviour.segment is wpm, behaviour.segment is bpe
    special = dict(vocabulary.special)
    special |= {"bos": behaviour.prefix_ids[0]} if behaviour.prefix_ids else {}
    special |= {"sep" if is_wpm else "eos": behaviour.suffix_ids[0]} if behaviour.suffix_ids else {}
    keys: dict[str, Any] = {
        PREFIX + key: special[name] for name, key in SPECIAL_KEYS.items() if special.get(name) is not None
    }
    keys[PREFIX + "add_bos_token"] = bool(behaviour.prefix_ids)
    keys[PREFIX + ("add_sep_token" if is_wpm else "add_eos_token")] = bool(behaviour.suffix_ids)
    if not is_wpm and not is_bpe:
        keys[PREFIX + "add_space_prefix"] = behaviour.space_prefix != "never"
        keys[PREFIX + "remove_extra_whitespaces"] = behaviour.collapse_spaces
    if isinstance(behaviour.normalise, Charsmap):
        keys[PREFIX + "precompiled_charsmap"] = array("B", behaviour.normalise.blob)
    if isinstance(behaviour.normalise, normalise.Bert):
        keys[PREFIX + "normalizer.lowercase"] = behaviour.normalise.lowercase
        keys[PREFIX + "normalizer.strip_accents"] = behaviour.normalise.drops_accents
    return keys


def _marked_words(vocabulary: Vocabulary, continuing_prefix: str) -> Vocabulary:
    """The pieces as GGUF spells them: one that begins a word is marked with "▁", one that continues it is not."""
    prefix = continuing_prefix.encode()
    outside = {token.id for token in vocabulary.added}

    def spelled(i: int, piece: bytes) -> bytes:
        if not piece or i in outside or vocabulary.kinds[i] is not Kind.NORMAL:
            return piece
        return piece.removeprefix(prefix) if piece.startswith(prefix) else MARKER.encode() + piece

    pieces = tuple(spelled(i, piece) for i, piece in enumerate(vocabulary.pieces))
    twice = [piece for piece, count in Counter(pieces).items() if piece and count > 1]
    if twice and len(set(vocabulary.pieces)) == len(vocabulary.pieces):
        raise CannotExpressError(
            f"{FORMAT} cannot express two pieces that it spells {twice[0]!r}", "rename one of them"
        )
    return replace(vocabulary, pieces=pieces)


def _pre(source: Source, vocabulary: Vocabulary, keys: Mapping[str, Any]) -> tuple[bytes, tuple[str, ...]]:
    """The name that llama.cpp has for the pre-tokenizer (the source's own if it fits), and what it says in vain."""
    wanted = source.behaviour
    own = str(source.metadata.get(PREFIX + "pre", ""))
    usual = [record.written or record.names[0] for record in pretokenisers.RECORDS]
    stage = as_chain(wanted.pretokenise)
    # One with the very patterns goes before those that only match the same.
    candidates = sorted([own, *usual] if own else usual, key=lambda pre: pretokenisers.by_name(pre).stage != stage)
    # Only what the name decides is looked at, which takes no time.
    read = {pre: behaviour_of(Keys(source.path, {**keys, PREFIX + "pre": pre.encode()}), vocabulary)
            for pre in candidates}  # fmt: skip
    for moot in ((), ("ignore_merges",)):
        if moot and not merging_finds_every_piece(vocabulary, wanted):
            break
        for pre, found in read.items():
            if _differ(wanted, found) <= {*moot}:
                return pre.encode(), moot
    for found in sorted(read.values(), key=lambda found: found.normalise is not None):
        if len(differ := _differ(wanted, found)) == 1 and "pretokenise" not in differ:
            check_behaviour(FORMAT, vocabulary, wanted, found, ways_on=WAYS_ON)  # which says what is different
    raise CannotExpressError(
        f"{FORMAT} cannot express the pre-tokenizer {shown(wanted.pretokenise)} with normalizer "
        f"{shown(wanted.normalise)}, ignore_merges {wanted.ignore_merges}",
        f"no tokenizer.ggml.pre has them: {WAYS_ON['normalise']}"
        if wanted.normalise
        else "no tokenizer.ggml.pre has them",
    )


def _differ(one: Behaviour, other: Behaviour) -> set[str]:
    """The fields in which two behaviors differ, of those that the name of a pre-tokenizer decides."""
    differ = {field for field in NAMED_BY_PRE[1:] if getattr(one, field) != getattr(other, field)}
    return differ if cut_alike(one.pretokenise, other.pretokenise) else {*differ, NAMED_BY_PRE[0]}


def _names(
    source: Source, vocabulary: Vocabulary, keys: Mapping[str, Any]
) -> tuple[dict[str, Any], CannotExpressError | None]:
    """Architecture and name under which llama.cpp, and so our reader, knows which tokens eat spaces.

    The error says which added token cannot be written under any.
    """
    model = keys[PREFIX + "model"].decode()
    kinds = tuple(Kind(kind) for kind in keys[PREFIX + "token_type"])
    refusals: list[tuple[dict[str, Any], CannotExpressError]] = []
    for architecture, name in NAMES:
        names: dict[str, Any] = {"general.architecture": architecture.encode(), "general.name": name.encode()}
        names |= {f"{architecture}.{key}": value for key, value in HYPERPARAMETERS.items()}
        read = Keys(source.path, {**keys, **names})
        found = added_tokens(read, model, vocabulary.pieces, kinds, special_ids(read, model))
        try:
            check_added(FORMAT, vocabulary, replace(vocabulary, added=found), source.behaviour, True, ADDED)
        except CannotExpressError as error:
            refusals.append((names, error))
        else:
            return names, None
    return refusals[0]
