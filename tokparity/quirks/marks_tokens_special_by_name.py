"""Takes tokens for special ones, or for text, because of their names."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

ENDS = (
    *("<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>"),
    *("<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>", "<eos>"),
    *("<end_of_utterance>", "<turn|>", "<|tool_response>", "<｜end▁of▁sentence｜>", "[e~["),
)
"""Names of tokens that end a turn or a text."""

FILLS = (
    *("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>"),
    *("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>"),
    *("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>", "<|code_middle|>"),
    *("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]", "<|prefix|>", "<|suffix|>", "<|middle|>"),
    *("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<|file_sep|>"),
)
"""Names of tokens that mark a gap to be filled, and files and repositories."""


TURNS = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")
"""Names of tokens that structure the turns of gpt-oss: they are matched and shown as text always."""

_CALLS = [{call, end} for call in ("<|call|>", "<|calls|>") for end in ("<|return|>", "<|flush|>")]


def kinds_by_name(vocabulary: Vocabulary) -> dict[int, Kind]:
    """The kinds that the names of some pieces decide, not the file. Source: llama.cpp, `llama-vocab.cpp` (load).

    Where there is a <|tool_response> (Gemma 4), </s> is a normal piece. <|end|> does not end a text where another
    token does (gpt-oss, Solar).
    """
    ids = vocabulary.ids
    found = {name: Kind.CONTROL for name in (*ENDS, *FILLS) if name.encode() in ids}
    found |= {name: Kind.USER_DEFINED for name in TURNS if name.encode() in ids}
    if "<|end|>" in found and any(pair <= found.keys() for pair in _CALLS):
        found["<|end|>"] = Kind.USER_DEFINED
    if "</s>" in found and "<|tool_response>" in found:
        found["</s>"] = Kind.NORMAL
    return {ids[name.encode()]: kind for name, kind in found.items()}


def marked_by_name(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with these pieces listed as special tokens, as others, or not at all."""
    kinds = kinds_by_name(vocabulary)
    known = vocabulary.added_by_id
    others = [token for token in vocabulary.added if token.id not in kinds]
    named = [
        replace(
            known.get(i) or AddedToken(i, vocabulary.pieces[i].decode("utf-8", "replace")), special=kind is Kind.CONTROL
        )
        for i, kind in sorted(kinds.items())
        if kind is not Kind.NORMAL
    ]
    return replace(vocabulary, added=(*others, *named))


QUIRK = Quirk(
    name="marks_tokens_special_by_name",
    title="Changes the kinds of tokens because of their names",
    symptom="A token that the file does not call special (</s>, <|endoftext|>, a fill-in-the-middle marker) is "
    "matched only when special tokens are parsed. The special tokens <|start|>, <|channel|>, <|message|>, "
    "<|constrain|> and <|end|> of gpt-oss are matched in any text, also where special tokens are not parsed.",
    cause="The engine finds tokens that end a generation, or that structure the turns of gpt-oss, by a list of names "
    "and overrides their kind. llama.cpp logs each at load.",
    fix="Give these tokens the kind in the file that the engine gives them (3 to what ends a text), or other names. "
    "Text from users that spells a token of gpt-oss must be escaped before it is tokenized.",
    field="match_added",
    derive=matches_as(70, marked_by_name),
    links=github(
        "ggml-org/llama.cpp/issues/23183",
        "ggml-org/llama.cpp/issues/9606",
        "ggml-org/llama.cpp/issues/17607",
        "ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",
    ),
    witness=lambda: toys.bpe("<EOT>", "", more="<EOT>").on("<EOT>", parse_special=True),
)
