"""Quirks of finding added and special tokens in the text."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import added_as
from tokparity.vocabulary import AddedToken


def all_special(token: AddedToken) -> AddedToken:
    """The token, special."""
    return replace(token, special=True)


def only_special(token: AddedToken) -> AddedToken | None:
    """The token if it is special."""
    return token if token.special else None


def special_with_lstrip(token: AddedToken) -> AddedToken:
    """A special token with lstrip, others as they are."""
    return replace(token, lstrip=True) if token.special else token


def special_with_rstrip(token: AddedToken) -> AddedToken:
    """A special token with rstrip, others as they are."""
    return replace(token, rstrip=True) if token.special else token


def as_single_word(token: AddedToken) -> AddedToken:
    """The token with single_word."""
    return replace(token, single_word=True)


MASK = toys.special("<mask>", 4, special=False)
MASK_CAUSE = "GemmaTokenizer of transformers names <mask> as its mask_token, and so makes the token special."
MASK_FIX = "Set special = true for <mask> in the file, or encode and decode with the tokenizers library."
GEMMA = github("huggingface/transformers/blob/main/src/transformers/models/gemma/tokenization_gemma.py")


def mask_is_special(token: AddedToken) -> AddedToken:
    """The token, special if it is <mask>."""
    return replace(token, special=True) if token.content == MASK.content else token


QUIRKS = (
    Quirk(
        name="parses_specials_unasked",
        title="Parses special tokens although the caller said no",
        symptom="If a user writes <s> or <|im_end|> in plain text, the model gets the control token. This allows "
        "prompt injection.",
        cause="parse_special = false is not obeyed.",
        fix="Leave special tokens as text unless the caller asks for them.",
        field="parses_special",
        value="always",
        links=github("ggml-org/llama.cpp/issues/26309"),
        witness=lambda: toys.spm("< s >").on("<s>"),
    ),
    Quirk(
        name="never_parses_specials",
        title="Treats special tokens in the text as plain text",
        symptom="Chat templates fall apart: <|im_start|> becomes several common pieces, and the model does not see "
        "the turn.",
        cause="The engine does not look for special tokens in the text, although the caller asked for it.",
        fix="Match special tokens when the caller asks to parse them.",
        field="parses_special",
        value="never",
        links=github("abetlen/llama-cpp-python/issues/1468"),
        witness=lambda: toys.spm("< s >").on("<s>", parse_special=True),
    ),
    Quirk(
        name="hides_added_tokens",
        title="Matches added tokens only when special tokens are parsed",
        symptom="Added tokens such as markers and runs of spaces are found in chat prompts. In plain text they are "
        "cut into common pieces.",
        cause="The engine treats all added tokens as special tokens.",
        fix="Match added tokens with special = false (user defined in a GGUF) whether or not special tokens are "
        "parsed.",
        field="match_added",
        derive=added_as(50, all_special),
        links=github("ggml-org/llama.cpp/pull/8228"),
        witness=lambda: toys.spm("ab a b ba", added=(toys.special("ba", 6, special=False),)).on("aba"),
    ),
    Quirk(
        name="matches_mask_as_special",
        title="Matches <mask> only when special tokens are parsed",
        symptom="The added token <mask>, which is not special in the file, is cut into common pieces in plain text.",
        cause=MASK_CAUSE,
        fix=MASK_FIX,
        field="match_added",
        derive=added_as(55, mask_is_special),
        links=GEMMA,
        witness=lambda: toys.bpe("a", "", more="<mask>", added=(MASK,)).on("a<mask>"),
    ),
    Quirk(
        name="ignores_added_tokens",
        title="Does not match added tokens that are not special",
        symptom="Markers such as [toxicity=0], HTML tags or runs of spaces are cut into common pieces.",
        cause="The engine matches only special tokens in the text, and no added tokens with special = false (user "
        "defined in a GGUF).",
        fix="Match every added token in the text: special ones only when they are parsed, the others always.",
        field="match_added",
        derive=added_as(60, only_special),
        links=github("ggml-org/llama.cpp/issues/8349", "ggml-org/llama.cpp/pull/8228"),
        witness=lambda: toys.spm("ab a b ba", added=(toys.special("ba", 6, special=False),)).on("aba"),
    ),
    Quirk(
        name="ignores_normalized",
        title="Looks for all added tokens in the raw text",
        symptom="An added token that is spelled differently (in capitals, say) is not found.",
        cause="The attribute normalized of added tokens is not obeyed.",
        fix="Look for tokens with normalized = true in the normalized text, for the others in the raw text.",
        field="obeys_normalized",
        value=False,
        links=github("ggml-org/llama.cpp/pull/10883", "huggingface/tokenizers/pull/309"),
        witness=lambda: toys.spm(
            "a b c", added=(toys.special("ab", 5, special=False, normalized=True),), normalise=str.lower
        ).on("AB"),
    ),
    Quirk(
        name="ignores_single_word",
        title="Finds added tokens inside words",
        symptom="An added token is found inside longer words and splits them.",
        cause="The attribute single_word of added tokens is not obeyed.",
        fix="Match the token only where no word character is next to it.",
        field="obeys_single_word",
        value=False,
        witness=lambda: toys.spm("a b ab ba", added=(toys.special("ba", 6, single_word=True),)).on(
            "aba", parse_special=True
        ),
    ),
    Quirk(
        name="ignores_lstrip",
        title="Keeps white space before tokens with lstrip",
        symptom="An extra space token comes before <mask> and similar tokens.",
        cause="The attribute lstrip of added tokens is lost in the conversion or not obeyed.",
        fix="Let the token take the white space on its left.",
        field="obeys_lstrip",
        value=False,
        links=github("ggml-org/llama.cpp/pull/7375"),
        witness=lambda: toys.spm("a ▁ <m>", added=(toys.special("<m>", 5, lstrip=True),)).on(
            "a <m>", parse_special=True
        ),
    ),
    Quirk(
        name="ignores_rstrip",
        title="Keeps white space after tokens with rstrip",
        symptom="An extra newline or space token follows special tokens. The model never saw one there in training "
        "(Phi-3).",
        cause="The attribute rstrip of added tokens is lost in the conversion or not obeyed.",
        fix="Let the token take the white space on its right.",
        field="obeys_rstrip",
        value=False,
        links=github("ggml-org/llama.cpp/pull/7375", "huggingface/transformers/issues/32136"),
        witness=lambda: toys.spm("a ▁ <m>", added=(toys.special("<m>", 5, rstrip=True),)).on(
            "<m> a", parse_special=True
        ),
    ),
    Quirk(
        name="strips_before_specials",
        title="Drops white space before every special token",
        symptom="Newlines and spaces before special tokens are lost.",
        cause="Every special token is treated as if it had lstrip.",
        fix="Read lstrip of each added token from tokenizer.json; a GGUF has no place for it.",
        field="match_added",
        derive=added_as(20, special_with_lstrip),
        links=github("ggml-org/llama.cpp/pull/7375"),
        witness=lambda: toys.spm("a ▁ ▁a").on("a <s>", parse_special=True),
    ),
    Quirk(
        name="finds_added_tokens_as_words_only",
        title="Finds added tokens only between spaces or punctuation",
        symptom="<|im_end|> is found before a line end and missed before a letter, where it becomes several common "
        "pieces.",
        cause="Every added token is treated as if it had single_word.",
        fix="Read single_word of each added token from tokenizer.json; a GGUF has no place for it.",
        field="match_added",
        derive=added_as(130, as_single_word),
        witness=lambda: toys.spm("< s > a").on("<s>a", parse_special=True),
    ),
    Quirk(
        name="strips_after_specials",
        title="Drops white space after every special token",
        symptom="Newlines and spaces after special tokens are lost, in chat templates above all.",
        cause="Every special token is treated as if it had rstrip.",
        fix="Read rstrip of each added token from tokenizer.json; a GGUF has no place for it.",
        field="match_added",
        derive=added_as(10, special_with_rstrip),
        links=github("ggml-org/llama.cpp/pull/7375", "huggingface/transformers/issues/32136"),
        witness=lambda: toys.spm("a ▁ ▁a").on("<s> a", parse_special=True),
    ),
    Quirk(
        name="strips_ascii_spaces_only",
        title="Strips only ASCII white space beside lstrip or rstrip tokens",
        symptom="A no-break space (U+00A0) or an ideographic space (U+3000) beside a special token stays, although "
        "the token takes all white space there.",
        cause="The engine finds white space byte by byte with C's isspace.",
        fix="Check each character for Unicode's property White_Space.",
        field="strips_what",
        value="ascii",
        links=github("ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
        witness=lambda: toys.spm("a \xa0 <m>", added=(toys.special("<m>", 4, rstrip=True),)).on(
            "<m>\xa0a", parse_special=True
        ),
    ),
)
