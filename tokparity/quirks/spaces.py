"""Quirks of the space prefix, and of the marker that represents a space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys


def prefixed_if_collapsed(behaviour: Behaviour) -> str:
    """A prefix before every fragment where spaces are collapsed."""
    return "always" if behaviour.collapse_spaces else behaviour.space_prefix


def split_before_spaces(text: str, at_start: bool) -> Sequence[str]:
    """A pre-tokenizer for a witness: it begins a word at each space."""
    first, *rest = text.split(" ")
    return [first, *(" " + word for word in rest)] if first else [" " + word for word in rest]


QUIRKS = (
    Quirk(
        name="omits_space_prefix",
        title="Adds no space before the text",
        symptom="The first word of every text is the piece without the space marker ▁, as if it were the inside of a "
        "word.",
        cause="The dummy prefix (add_dummy_prefix, add_space_prefix) is not applied.",
        fix="Put one space before the text where the model asks for it.",
        field="space_prefix",
        value="never",
        links=github("ggml-org/llama.cpp/issues/8584", "huggingface/transformers/issues/29625"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="first").on("a"),
    ),
    Quirk(
        name="prefixes_every_fragment",
        title="Adds the space prefix ▁ after every special token",
        symptom="The word after a special token becomes the piece that begins with ▁. In the model's own tokenizer, "
        "only the start of the text gets a ▁.",
        cause="The space prefix is added after each special token, not only where the text starts.",
        fix="Add the prefix only at the start of the text; or leave it out where the model has add_space_prefix = "
        "false.",
        field="space_prefix",
        value="always",
        links=github("ggml-org/llama.cpp/issues/8584", "ggml-org/llama.cpp/pull/7697"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="first").on("a<s>a", parse_special=True),
    ),
    Quirk(
        name="prefixes_text_once",
        title="Adds a space before the text, not after special tokens",
        symptom="The word at the start of the text begins with ▁. The word after a special token does not, and should.",
        cause="The space prefix is added where the input starts, and nowhere else (the legacy flag of Hugging Face, "
        "prepend_scheme first).",
        fix="Follow the model: add_space_prefix says whether at all, and its own tokenizer whether after special "
        "tokens as well.",
        field="space_prefix",
        value="first",
        links=github("ggml-org/llama.cpp/pull/8248", "huggingface/transformers/pull/28010"),
        witness=lambda: toys.spm("a ▁ ▁a").on("a"),
    ),
    Quirk(
        name="prefixes_space_when_collapsing",
        title="Adds a space before the text because it collapses spaces",
        symptom="The first word of every text begins with ▁, although the model says add_space_prefix = false.",
        cause="The engine writes ▁ before each word, the first word included, when it collapses spaces.",
        fix="Write ▁ between words, and before the first word only if add_space_prefix is true.",
        field="space_prefix",
        derive=Derived(Place.PART, 10, prefixed_if_collapsed),
        witness=lambda: toys.spm("a ▁ ▁a", collapse_spaces=True).on("a"),
    ),
    Quirk(
        name="doubles_space_prefix",
        title="Adds the space prefix even before a space",
        symptom="A text that begins with one space is tokenized as if it began with two.",
        cause="The engine adds the prefix to every text without looking at its first character.",
        fix="Follow the model: SentencePiece always adds the prefix, Metaspace only where the text has no space.",
        field="prefix_doubles",
        value=True,
        links=github("huggingface/tokenizers/pull/1357"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always", prefix_doubles=False).on(" a"),
    ),
    Quirk(
        name="never_doubles_space_prefix",
        title="Adds no space prefix before a space",
        symptom="A text that begins with one space gets the same ids as the text without that space.",
        cause="The engine adds the prefix only where the text does not begin with a space (or with ▁).",
        fix="Follow the model: SentencePiece always adds the prefix, Metaspace only where the text has no space.",
        field="prefix_doubles",
        value=False,
        links=github("huggingface/swift-transformers/issues/96", "huggingface/tokenizers/pull/1357"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always").on(" a"),
    ),
    Quirk(
        name="omits_prefix_on_blank_text",
        title="Adds no space prefix to a text of spaces only",
        symptom="A text of spaces only has one ▁ too few. With a letter after the spaces, the ids are right.",
        cause="The engine writes the prefix when it meets the first character that is not a space. A text of spaces "
        "has none.",
        fix="Write the prefix before anything else, as SentencePiece does.",
        field="prefixes_blank",
        value=False,
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.spm("a ▁ ▁a", space_prefix="always").on(" "),
    ),
    Quirk(
        name="ignores_space_suffix",
        title="Adds ▁ before the text instead of after it",
        symptom="Every word has the space marker ▁ at its start. The model has it at the end of each word.",
        cause="treat_whitespace_as_suffix is not read.",
        fix="Put the added space after the text where the model asks for it.",
        field="space_as_suffix",
        value=False,
        witness=lambda: toys.spm("a ▁ ▁a a▁", space_prefix="always", space_as_suffix=True).on("a"),
    ),
    Quirk(
        name="appends_space_prefix",
        title="Adds ▁ after the text instead of before it",
        symptom="The first word lacks the space marker ▁, and a ▁ follows the last word.",
        cause="treat_whitespace_as_suffix is assumed for a model that does not have it.",
        fix="Put the added space before the text.",
        field="space_as_suffix",
        value=True,
        witness=lambda: toys.spm("a ▁ ▁a a▁", space_prefix="always").on("a"),
    ),
    Quirk(
        name="escapes_spaces",
        title="Writes ▁ for spaces although the model has no marker",
        symptom="Each space becomes ▁, which this model knows as a rare character or not at all.",
        cause="The engine replaces spaces for every kind of tokenizer.",
        fix="Replace spaces by ▁ only where the model's own tokenizer does.",
        field="space_marker",
        value="▁",
        witness=lambda: toys.byte_bpe("Ġ+a").on("a a"),
    ),
    Quirk(
        name="leaves_spaces_unescaped",
        title="Does not write ▁ for spaces",
        symptom="No piece that begins with ▁ is found: each space becomes a byte piece or the unknown token.",
        cause="escape_whitespaces is not applied.",
        fix="Replace U+0020 by U+2581 before the pieces are looked up.",
        field="space_marker",
        value=" ",
        witness=lambda: toys.spm("a ▁ ▁a", byte_pieces=True).on("a a"),
    ),
    Quirk(
        name="leaves_runs_of_spaces",
        title="Writes ▁ for single spaces only",
        symptom="Indented code and tables are full of byte tokens <0x20> or unknown tokens. Text with single spaces "
        "has the right ids.",
        cause="The engine replaces a space by ▁ only where no other space is next to it. Pieces of several ▁ are "
        "never found.",
        fix="Replace every U+0020 by U+2581.",
        field="escapes_runs",
        value=False,
        witness=lambda: toys.spm("a ▁ ▁▁ ▁a", byte_pieces=True).on("a  a"),
    ),
    Quirk(
        name="skips_preprocessing",
        title="Skips preprocessing: no space prefix, no space marker, no pre-tokenizer",
        symptom="Nearly every text has other ids: pieces that begin with ▁ or Ġ are not found.",
        cause="The algorithm runs on the raw text. The steps before it are missing: collapsing spaces, the space "
        "prefix, the space marker, the pre-tokenizer.",
        fix="Run the steps that the model asks for, and then run the algorithm on each word.",
        field="prepares_text",
        value=False,
        witness=lambda: toys.spm("a ▁ ▁a", byte_pieces=True).on("a a"),
    ),
    Quirk(
        name="adds_prefix_to_empty_text",
        title="Adds the space prefix where normalization left nothing",
        symptom="A text of nothing but control characters gets one ▁. The model's own tokenizer returns no ids for it.",
        cause="The engine checks whether there is a text before normalization, not after it.",
        fix="Add the prefix only if normalization has left something.",
        field="prefixes_nothing",
        value=True,
        witness=lambda: toys.unigram(
            {"a": -1, "▁": -2}, normalise=replace(toys.charsmap({"ª": ""}), marks_nothing=True), space_prefix="always"
        ).on("ª"),
    ),
    Quirk(
        name="omits_prefix_on_empty_text",
        title="Adds no space prefix where normalization left nothing",
        symptom="A text of nothing but control characters gets no ids. SentencePiece returns one ▁.",
        cause="The engine adds the prefix after normalization, and adds none to a text that is empty by then.",
        fix="Add the prefix to every text that was not empty to begin with, as SentencePiece does.",
        field="prefixes_nothing",
        value=False,
        witness=lambda: toys.unigram(
            {"a": -1, "▁": -2},
            normalise=replace(toys.charsmap({"ª": ""}), marks_nothing=True),
            space_prefix="always",
            prefixes_nothing=True,
        ).on("ª"),
    ),
    Quirk(
        name="escapes_spaces_before_splitting",
        title="Writes ▁ for spaces before the pre-tokenizer runs",
        symptom="The pre-tokenizer looks for spaces and finds none, so words are cut at other places.",
        cause="Spaces become ▁ before the regular expression sees the text.",
        fix="Split first, then write ▁, where the model's pre-tokenizer has Metaspace after Split.",
        field="escape_order",
        value="before_split",
        links=github("ggml-org/llama.cpp/pull/28845"),
        witness=lambda: toys.bpe(
            "a▁", "a+▁ ▁+a", space_marker="▁", escape_order="after_split", pretokenise=split_before_spaces
        ).on("a a"),
    ),
)
