"""Quirks of what no piece covers."""

from __future__ import annotations

from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import algorithm
from tokparity.reference.bpe import bpe
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind

BYTES = {f"<0x{byte:02X}>": -9.0 for byte in range(256)}
KINDS = dict.fromkeys(BYTES, Kind.BYTE)


def dropped_later(behaviour: Behaviour) -> str:
    """What is dropped is dropped after merging."""
    drops = behaviour.fallback == "unknown" and algorithm(behaviour.segment) is bpe
    return "drop_after_merging" if drops or behaviour.fallback == "drop" else behaviour.fallback


def unknown_in_unigram(behaviour: Behaviour) -> str:
    """The unknown token, in a unigram model that has byte pieces for it."""
    return "unknown" if behaviour.fallback == "bytes" and behaviour.segment is ugm else behaviour.fallback


def spelled_in_letters(behaviour: Behaviour) -> str:
    """Letters of the byte alphabet for what is not a piece, in a model that has one."""
    return "letters" if behaviour.byte_level else behaviour.fallback


def _without_tab(toy: toys.Toy) -> toys.Toy:
    pieces = tuple(b"" if piece == "ĉ".encode() else piece for piece in toy.vocabulary.pieces)
    return replace(toy, vocabulary=replace(toy.vocabulary, pieces=pieces))


QUIRKS = (
    Quirk(
        name="ignores_byte_fallback",
        title="Writes the unknown token where the model has byte pieces",
        symptom="Emoji, rare scripts and control characters all become the same token, and decoding loses them.",
        cause="Text that no piece covers becomes <unk> although the vocabulary holds <0x00> to <0xFF>.",
        fix="Spell uncovered characters in UTF-8 and write one byte piece per byte (byte_fallback).",
        field="fallback",
        value="unknown",
        links=github("ggml-org/llama.cpp/issues/28862"),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("aéb"),
    ),
    Quirk(
        name="has_no_bytes_in_unigram",
        title="Knows no byte pieces in unigram models",
        symptom="Emoji and rare characters all become the unknown token in unigram models alone.",
        cause="The search for the best path knows pieces and the unknown token, and no byte pieces.",
        fix="Spell unknown characters of the best path in UTF-8, and write one byte piece for each byte.",
        field="fallback",
        derive=Derived(Place.PART, 5, unknown_in_unigram),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.unigram(BYTES | {"▁a": -1.0}, KINDS, fallback="bytes").on("aé"),
    ),
    Quirk(
        name="falls_back_to_bytes",
        title="Writes byte pieces where the model has an unknown token",
        symptom="A rare character becomes several byte tokens. The right answer is one unknown token.",
        cause="Byte pieces are used because the vocabulary holds them, although byte_fallback is off.",
        fix="Write byte pieces only where the model says byte_fallback.",
        field="fallback",
        value="bytes",
        witness=lambda: toys.spm("a b", byte_pieces=True, fallback="unknown").on("aéb"),
    ),
    Quirk(
        name="drops_unknown_text",
        title="Drops text that no piece covers",
        symptom="Characters vanish: a text has fewer tokens than it should, and decoding does not give it back.",
        cause="A character or byte without a piece adds no id.",
        fix="Write byte pieces, or the unknown id, as the model says.",
        field="fallback",
        value="drop",
        witness=lambda: toys.spm("a b").on("aéb"),
    ),
    Quirk(
        name="drops_unknown_after_merging",
        title="Drops bytes without a piece only after merging",
        symptom="Only models whose vocabulary lacks some bytes differ (Falcon has no vertical tab, StarCoder no "
        "0xF1). The characters on both sides of such a byte are not merged.",
        cause="A byte without a piece stays among the symbols during merging and is dropped at the end. Hugging Face "
        "tokenizers drops the byte first and can then merge the characters on both sides.",
        fix="Drop bytes without a piece before merging begins.",
        field="fallback",
        derive=Derived(Place.PART, 10, dropped_later),
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: _without_tab(toys.byte_bpe("a+b")).on("a\tb"),
    ),
    Quirk(
        name="writes_minus_one",
        title="Writes -1 for bytes that have no piece",
        symptom="The ids contain -1. A program that uses ids as indices reads outside its table.",
        cause="Where a letter of the byte alphabet is not a piece, the engine spells that letter in bytes and looks "
        "each byte up as a letter. What it does not find gets the unknown id, which is -1 in a model without one.",
        fix="Give every byte its letter, and refuse a vocabulary that lacks some.",
        field="fallback",
        derive=Derived(Place.PART, 20, spelled_in_letters),
        witness=lambda: _without_tab(toys.byte_bpe("a+b")).on("a\tb"),
    ),
    Quirk(
        name="fuses_unknowns",
        title="Joins a run of unknown tokens into one",
        symptom="A word in a script that the model does not know becomes one unknown token. The right answer is one "
        "per character.",
        cause="Adjacent unknown ids are joined.",
        fix="Follow the model: SentencePiece joins them, Hugging Face does where fuse_unk is set.",
        field="fuse_unknown",
        value=True,
        links=github("huggingface/tokenizers/pull/574"),
        witness=lambda: toys.spm("a b").on("aéèb"),
    ),
    Quirk(
        name="keeps_unknowns_apart",
        title="Writes one unknown token per character",
        symptom="A word in a script that the model does not know becomes one unknown token per character. The right "
        "answer is one for the whole word.",
        cause="Adjacent unknown ids are not joined.",
        fix="Follow the model: SentencePiece joins them, Hugging Face does where fuse_unk is set.",
        field="fuse_unknown",
        value=False,
        links=github("huggingface/tokenizers/pull/574"),
        witness=lambda: toys.spm("a b", fuse_unknown=True).on("aéèb"),
    ),
    Quirk(
        name="writes_bytes_before_unknown",
        title="Writes byte pieces before an earlier unknown token",
        symptom="Where some byte pieces are missing, unknown tokens come after byte pieces that belong later in the "
        "text.",
        cause="The engine holds an unknown token back, to join the next one to it. A known piece, another unknown "
        "token or the end of the word ends the wait, but a byte piece does not.",
        fix="Write the unknown token that is held back before any byte piece.",
        field="unknown_waits",
        value=True,
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/models/bpe/model.rs"),
        witness=lambda: toys.spm("a <0x62>", {"<0x62>": Kind.BYTE}, fallback="bytes", fuse_unknown=True).on("aZba"),
    ),
)
