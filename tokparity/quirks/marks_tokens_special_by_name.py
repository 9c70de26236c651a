"""Takes tokens for special ones because of their names."""

from __future__ import annotations

from dataclasses import replace

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import matches_as
from tokparity.vocabulary import AddedToken, Vocabulary

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


def special_by_name(vocabulary: Vocabulary) -> frozenset[int]:
    """The ids of pieces that are called like special tokens. Source: llama.cpp, `llama-vocab.cpp` (load).

    Where there is a <|tool_response> (Gemma 4), </s> is left alone.
    """
    ids = vocabulary.ids
    found = {name: ids[name.encode()] for name in (*ENDS, *FILLS) if name.encode() in ids}
    if "<|tool_response>" in found:
        found.pop("</s>", None)
    return frozenset(found.values())


def marked_by_name(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with these pieces listed as special tokens."""
    ids = special_by_name(vocabulary)
    added = tuple(replace(token, special=True) if token.id in ids else token for token in vocabulary.added)
    known = {token.id for token in added}
    more = (AddedToken(i, vocabulary.pieces[i].decode("utf-8", "replace")) for i in sorted(ids - known))
    return replace(vocabulary, added=(*added, *more))


QUIRK = Quirk(
    name="marks_tokens_special_by_name",
    title="Treats tokens as special because of their names",
    symptom="A token that the file does not call special (</s>, <|endoftext|>, a fill-in-the-middle marker) is "
    "matched only when special tokens are parsed.",
    cause="The engine finds tokens that end a generation by a list of names and overrides their kind. llama.cpp "
    'logs "control-looking token was not control-type" at load.',
    fix="Give these tokens kind 3 (control) in the file if they are special, and another name if they are not.",
    field="match_added",
    derive=matches_as(70, marked_by_name),
    links=github(
        "ggml-org/llama.cpp/issues/23183",
        "ggml-org/llama.cpp/issues/9606",
        "ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",
    ),
    witness=lambda: toys.bpe("<EOT>", "", more="<EOT>").on("<EOT>", parse_special=True),
)
