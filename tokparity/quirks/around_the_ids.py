"""Quirks of what is put around the ids of a text: BOS, EOS and the like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from tokparity.behaviour import Behaviour, Wrap
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import Vocabulary

End = Literal["prefix_ids", "suffix_ids"]
Change = Callable[[Vocabulary, Behaviour, list[int]], Behaviour]
"""What the engine believes is to go around these ids."""


@dataclass(frozen=True)
class Believing:
    """Wraps as before, by a changed behavior."""

    inner: Wrap
    change: Change

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> list[int]:
        return self.inner(vocabulary, self.change(vocabulary, behaviour, ids), ids)


@dataclass(frozen=True)
class Added:
    """Adds the special token `name` at an end where the model adds nothing."""

    end: End
    name: str

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> Behaviour:
        found = vocabulary.special.get(self.name)
        wanted = not getattr(behaviour, self.end) and found is not None
        return replace(behaviour, **{self.end: (found,)}) if wanted else behaviour  # type: ignore[arg-type]


def once_only(vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> Behaviour:
    """Return the behavior without its prefix ids if the ids already begin with them."""
    prefix = behaviour.prefix_ids
    return replace(behaviour, prefix_ids=()) if prefix and tuple(ids[: len(prefix)]) == prefix else behaviour


def unless_spelled(vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> Behaviour:
    """Return the behavior without its prefix ids if the text begins with the spelling of the first of them."""
    if not behaviour.prefix_ids:
        return behaviour
    spelled = vocabulary.pieces[behaviour.prefix_ids[0]]
    text = behaviour.decode(vocabulary, behaviour.showing_special, ids[: len(spelled)])
    return replace(behaviour, prefix_ids=()) if text.startswith(spelled) else behaviour


def swapped(vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> Behaviour:
    """Each BOS and EOS is taken for the other."""
    bos, eos = vocabulary.special.get("bos"), vocabulary.special.get("eos")
    if bos is None or eos is None:
        return behaviour
    other = {bos: eos, eos: bos}
    prefix, suffix = (tuple(other.get(i, i) for i in end) for end in (behaviour.prefix_ids, behaviour.suffix_ids))
    return replace(behaviour, prefix_ids=prefix, suffix_ids=suffix)


def unasked(number: int, end: End, name: str) -> Derived:
    """A `derive` for the field wrap: this special token is added where the model wants none."""
    added = Added(end, name)
    return Derived(Place.BEFORE, number, lambda behaviour: Believing(behaviour.wrap or wrap_once, added))


def wraps_believing(number: int, change: Change) -> Derived:
    """A `derive` for the field wrap, of a model that has anything to wrap with."""
    return Derived(Place.BEFORE, number, lambda behaviour: behaviour.wrap and Believing(behaviour.wrap, change))


def twice(end: End) -> Derived:
    """A `derive` for an end that is put there twice."""
    return Derived(Place.PART, 10, lambda behaviour: getattr(behaviour, end) * 2)


def half_and_sixteen(size: int) -> int:
    """Room for half as many ids as the text has bytes, and 16."""
    return size // 2 + 16


QUIRKS = (
    Quirk(
        name="loses_ids_beyond_buffer",
        title="Drops ids that do not fit its buffer",
        symptom="Where nearly every byte is a token of its own (rare scripts, random bytes), the end of the text is "
        "lost.",
        cause="The buffer has room for one id for two bytes, and 16 more. What does not fit is dropped without an "
        "error.",
        fix="Make room for one id per byte, or grow the buffer, and say so where it is too small.",
        field="capacity",
        value=half_and_sixteen,
        witness=lambda: toys.spm("a", byte_pieces=True).on("b" * 33),
    ),
    Quirk(
        name="adds_special_unasked",
        title="Adds BOS and EOS although the caller said no",
        symptom="BOS appears in the middle of prompts that are built from parts, or twice where a chat template adds "
        "it too.",
        cause="add_special = false is not obeyed.",
        fix="Add BOS and EOS only when the caller asks.",
        field="adds_special",
        value="always",
        links=github("ggml-org/llama.cpp/pull/10129"),
        witness=lambda: toys.spm("a b").on("ab"),
    ),
    Quirk(
        name="never_adds_special",
        title="Adds neither BOS nor EOS",
        symptom="Every text lacks BOS at its start, EOS at its end, or both.",
        cause="add_special = true is not obeyed.",
        fix="Add the model's BOS and EOS when the caller asks for special tokens.",
        field="adds_special",
        value="never",
        witness=lambda: toys.spm("a b", suffix_ids=(toys.EOS,)).on("ab", add_special=True),
    ),
    Quirk(
        name="omits_bos",
        title="Adds no BOS or other first id",
        symptom="Every text lacks its first id. Answers get worse, most of all at the start of the text.",
        cause="add_bos_token is not read, or the default for the kind of tokenizer is wrong.",
        fix="Put the beginning-of-sequence id before the text where the model asks for it.",
        field="prefix_ids",
        value=(),
        links=github("ggml-org/llama.cpp/pull/4040"),
        witness=lambda: toys.spm("a b").on("ab", add_special=True),
    ),
    Quirk(
        name="omits_eos",
        title="Adds no EOS, SEP or other last id",
        symptom="Every text lacks its last id. Embeddings and the outputs of encoder models are wrong.",
        cause="add_eos_token (or add_sep_token) is not read, or the default for the kind of tokenizer is wrong.",
        fix="Put the end-of-sequence id after the text where the model asks for it.",
        field="suffix_ids",
        value=(),
        witness=lambda: toys.spm("a b", suffix_ids=(toys.EOS,)).on("ab", add_special=True),
    ),
    Quirk(
        name="doubles_bos",
        title="Adds BOS twice",
        symptom="Two BOS tokens at the start of every prompt; answers are slightly worse.",
        cause="Both the chat template (or the caller) and the tokenizer add it.",
        fix="Add BOS in one place only.",
        field="prefix_ids",
        derive=twice("prefix_ids"),
        links=github("abetlen/llama-cpp-python/issues/1561", "ggml-org/llama.cpp/pull/7107"),
        witness=lambda: toys.spm("a b").on("ab", add_special=True),
    ),
    Quirk(
        name="doubles_eos",
        title="Adds EOS or SEP twice",
        symptom="Two EOS tokens at the end of every text; embeddings that are taken from the last token are off.",
        cause="Both the caller (or the post-processor) and the tokenizer add it.",
        fix="Add EOS in one place only.",
        field="suffix_ids",
        derive=twice("suffix_ids"),
        witness=lambda: toys.spm("a b", suffix_ids=(toys.EOS,)).on("ab", add_special=True),
    ),
    Quirk(
        name="adds_bos_unasked",
        title="Adds BOS although the model's own tokenizer adds none",
        symptom="Every text begins with BOS. In training, the model hardly ever saw BOS there.",
        cause="add_bos_token is assumed to be true.",
        fix="Add BOS only where the model says so (Qwen, for one, has none).",
        field="wrap",
        derive=unasked(30, "prefix_ids", "bos"),
        links=github("ggml-org/llama.cpp/pull/4040"),
        witness=lambda: toys.spm("a b", prefix_ids=()).on("ab", add_special=True),
    ),
    Quirk(
        name="adds_eos_unasked",
        title="Adds EOS although the model's own tokenizer adds none",
        symptom="Answers are empty or unrelated: the model believes that the text is over.",
        cause="add_eos_token is assumed to be true, or add_special adds both ends.",
        fix="Add EOS only where the model says so.",
        field="wrap",
        derive=unasked(40, "suffix_ids", "eos"),
        links=github("ggml-org/llama.cpp/pull/10129"),
        witness=lambda: toys.spm("a b").on("ab", add_special=True),
    ),
    Quirk(
        name="skips_bos_if_present",
        title="Adds no BOS to a text that begins with it",
        symptom="A text that begins with BOS's spelling has one BOS. The model's own tokenizer returns two.",
        cause="The engine adds no BOS if the first id is BOS already.",
        fix="Decide on purpose, and in one place: most tokenizers add BOS whatever the text is.",
        field="wrap",
        derive=wraps_believing(10, once_only),
        links=github("ggml-org/llama.cpp/pull/7107"),
        witness=lambda: toys.spm("a b").on("<s>ab", add_special=True, parse_special=True),
    ),
    Quirk(
        name="skips_bos_if_spelled",
        title="Adds no BOS to a text that spells it first",
        symptom="A text that begins with BOS's spelling has no BOS where special tokens are not parsed, and one where "
        "they are.",
        cause="The engine asks whether the text begins with the spelling of BOS, and not whether the first id is BOS.",
        fix="Decide on purpose, and in one place: most tokenizers add BOS whatever the text is.",
        field="wrap",
        derive=wraps_believing(12, unless_spelled),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("<s>ab", add_special=True),
    ),
    Quirk(
        name="swaps_bos_and_eos",
        title="Adds EOS in place of BOS",
        symptom="Every text begins with the end-of-sequence id.",
        cause="The ids of BOS and EOS are mixed up, or BOS is missing in the file and EOS is taken for it.",
        fix="Write bos_token_id and eos_token_id from the model's configuration.",
        field="wrap",
        derive=wraps_believing(20, swapped),
        witness=lambda: toys.spm("a b").on("ab", add_special=True),
    ),
)
