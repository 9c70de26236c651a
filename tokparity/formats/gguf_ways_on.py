"""What llama.cpp does where a GGUF cannot express a tokenizer, and what to do then."""

from __future__ import annotations

_FROM_MODEL = "if the model has a SentencePiece .model file, convert that"
WAYS_ON = {
    "space_prefix": "llama.cpp adds a space before every stretch of text, also after a special token, or never; "
    + _FROM_MODEL,
    "prefix_doubles": f"llama.cpp adds the space even where the text begins with one; {_FROM_MODEL}",
    "pretokenise": "llama.cpp cuts nothing before it looks for pieces with scores, and cuts before it merges only by a "
    f"tokenizer.ggml.pre; {_FROM_MODEL}",
    "prefix_ids": "llama.cpp adds at most one id, tokenizer.ggml.bos_token_id, before a text; "
    "convert a tokenizer.json without these ids, and add them in front of the text yourself",
    "suffix_ids": "llama.cpp adds at most one id, tokenizer.ggml.eos_token_id, after a text; "
    "convert a tokenizer.json without these ids, and put them after the text yourself",
    "normalise": "llama.cpp normalizes only as BERT does, or by a precompiled charsmap (t5), byte by byte; "
    f"{_FROM_MODEL}, or normalize texts before llama.cpp reads them",
}
"""What llama.cpp does instead of what a GGUF can't express, and what to do then."""

_STRIPS = "llama.cpp knows by the model's name which tokens take spaces away, those of Phi-3 and ModernBERT; "
ADDED = {
    "added": "SPM of llama.cpp takes such a token for a piece, and its BPE has no space prefix; "
    f"{_FROM_MODEL}, or mark the token special",
    "normalized": "llama.cpp looks for added tokens in the text before it normalizes; "
    "set normalized to false in tokenizer.json where normalizing changes nothing in the token",
    "single_word": "llama.cpp matches added tokens inside of words as well; "
    "set single_word to false in tokenizer.json where texts never have the token there",
    "lstrip": f"{_STRIPS}take the spaces before the token away yourself, and set lstrip to false in tokenizer.json",
    "rstrip": f"{_STRIPS}take the spaces behind the token away yourself, and set rstrip to false in tokenizer.json",
}
"""The same for added tokens and their attributes."""
