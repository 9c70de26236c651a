"""The pre-tokenisers of known models, by the names that GGUF files have for them (`tokenizer.ggml.pre`).

Each record holds the pre-tokeniser as the model's own tokenizer.json has it, not as llama.cpp's splitter approximates
it; where the two differ, `llama_cpp_note` says so. Flags are those that llama.cpp derives from the name.
Source of names, flags and originals: llama.cpp, `src/llama-vocab.cpp` (its comments quote many originals), and the
models named in `convert_hf_to_gguf_update.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from tokparity.errors import UsageError
from tokparity.reference.pretokeniser_patterns import (
    AFMOE,
    BAILINGMOE,
    BLOOM,
    CHAMELEON,
    DEEPSEEK_CODER,
    DEEPSEEK_LLM,
    DEEPSEEK_V3,
    DEFAULT,
    EXAONE_MOE,
    GPT4O,
    JAIS2,
    KIMI_K2,
    LAGUNA,
    LLAMA3,
    MINICPM5,
    QWEN2,
    QWEN35,
    SEED_CODER,
    SPARK,
    SUPERBPE,
    TEKKEN,
    TINY_AYA,
    UFAKZEKA,
    YOUTU,
)
from tokparity.reference.splits import (
    GPT2,
    Chain,
    OnAlphabet,
    Split,
    SplitStage,
    digits,
    punctuation,
    whitespace_split,
)

ORIGINAL = "the original, quoted in llama.cpp"
MODEL_FILE = "the model's tokenizer.json"
ADAPTED = "llama.cpp, with its spelled-out contractions put back into (?i:...)"


@dataclass(frozen=True)
class PreTokeniser:
    """One pre-tokeniser, all names for it, and what else llama.cpp concludes from the name."""

    names: tuple[str, ...]
    stage: SplitStage
    source: str
    byte_level: bool = True
    """Words are spelled in the byte alphabet; if not, spaces are escaped as ▁ (except for `whitespace`)."""
    space_marker: str = " "
    ignore_merges: bool = False
    add_bos: bool = False
    add_sep: bool = False
    clean_spaces: bool = True
    nfc: bool = False
    """The model's tokenizer.json normalises to NFC; no key of GGUF says so and llama.cpp does not."""
    llama_cpp_note: str = ""


def _regexes(*patterns: str) -> Chain:
    return Chain(tuple(Split(pattern) for pattern in patterns))


_GPT2 = _regexes(GPT2)
_DIGITS_GPT2 = Chain((digits(individual=True), Split(GPT2)))
_FALCON = Chain(
    (punctuation("contiguous"), Split(GPT2), OnAlphabet((digits(individual=False), Split("[0-9][0-9][0-9]"))))
)
_CHAMELEON = Chain((*(Split(pattern) for pattern in CHAMELEON), digits(individual=True), punctuation(), Split(GPT2)))
_VIKING = Chain((Split(BLOOM), digits(individual=True)))
_DEEPSEEK_LLM = Chain((*(Split(pattern) for pattern in DEEPSEEK_LLM), digits(individual=True)))
_DEEPSEEK_CODER = Chain((*(Split(pattern) for pattern in DEEPSEEK_CODER), digits(individual=True)))
_ESCAPED = Chain((Split(" ", "merged_with_previous", literal=True),))

_MARKS = r"letters are found with look-aheads that leave out \p{M}, and every letter outside of ASCII is of either case"
_ASCII_CASE = "contractions are spelled out for ASCII, so that ſ (U+017F) is no s"

RECORDS: tuple[PreTokeniser, ...] = (
    PreTokeniser(("default",), _regexes(*DEFAULT), "llama.cpp"),
    PreTokeniser(
        ("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"),
        _regexes(LLAMA3),
        ORIGINAL,
        ignore_merges=True,
        add_bos=True,
        llama_cpp_note=f"{_ASCII_CASE}; the name also stands for models with other patterns (pixtral has tekken's)",
    ),
    PreTokeniser(("minicpm5",), _regexes(*MINICPM5), ORIGINAL, ignore_merges=True, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(
        ("deepseek-llm",),
        _DEEPSEEK_LLM,
        MODEL_FILE,
        clean_spaces=False,
        llama_cpp_note="numbers stay together instead of being split into digits",
    ),
    PreTokeniser(("deepseek-coder",), _DEEPSEEK_CODER, MODEL_FILE, clean_spaces=False),
    PreTokeniser(
        ("deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"), _regexes(*DEEPSEEK_V3), "llama.cpp", clean_spaces=False
    ),
    PreTokeniser(("spark2_5",), _regexes(*SPARK), "llama.cpp", clean_spaces=False),
    PreTokeniser(
        ("youtu",), _regexes(*YOUTU), ADAPTED, clean_spaces=False, ignore_merges=True, llama_cpp_note=_ASCII_CASE
    ),
    PreTokeniser(
        ("falcon",),
        _FALCON,
        MODEL_FILE,
        llama_cpp_note="digits are looked for in the text, not in the byte alphabet, where ² ³ ¹ ¼ ½ ¾ are bytes",
    ),
    PreTokeniser(("mpt", "olmo"), _GPT2, MODEL_FILE, nfc=True),
    PreTokeniser(("starcoder", "refact", "codeshell", "exaone", "minerva-7b", "mellum2"), _DIGITS_GPT2, MODEL_FILE),
    PreTokeniser(("smollm",), _DIGITS_GPT2, MODEL_FILE, clean_spaces=False),
    PreTokeniser(("command-r",), _DIGITS_GPT2, MODEL_FILE, clean_spaces=False, nfc=True),
    PreTokeniser(
        (
            "gpt-2",
            "phi-2",
            "jina-es",
            "jina-de",
            "gigachat",
            "jina-v2-es",
            "jina-v2-de",
            "a.x-4.0",
            "mellum",
            "modern-bert",
            "exaone4",
            "jais",
        ),
        _GPT2,
        MODEL_FILE,
    ),
    PreTokeniser(("trillion", "granite-docling"), _GPT2, "llama.cpp", clean_spaces=False),
    PreTokeniser(("jina-v1-en", "jina-v2-code", "roberta-bpe"), _GPT2, MODEL_FILE, add_sep=True),
    PreTokeniser(("jais-2",), _regexes(JAIS2), ORIGINAL, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(
        ("gemma4", "granite-embed-multi-311m"),
        _ESCAPED,
        MODEL_FILE,
        byte_level=False,
        space_marker="▁",
        llama_cpp_note="text is split at newlines, and a run of newlines that is a piece is that piece",
    ),
    PreTokeniser(
        ("sarvam-moe",),
        _ESCAPED,
        "llama.cpp",
        byte_level=False,
        space_marker="▁",
        clean_spaces=False,
        llama_cpp_note="text is split at newlines",
    ),
    PreTokeniser(
        ("whitespace",),
        Chain((whitespace_split(),)),
        "llama.cpp",
        byte_level=False,
        llama_cpp_note="white space stays as words of its own, of which pieces are looked for",
    ),
    PreTokeniser(
        ("qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2"),
        _regexes(QWEN2),
        ORIGINAL,
        clean_spaces=False,
        nfc=True,
        llama_cpp_note=_ASCII_CASE,
    ),
    PreTokeniser(("megrez", "stablelm2"), _regexes(QWEN2), ORIGINAL, nfc=True, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(
        ("hunyuan", "solar-open", "grok-2"), _regexes(QWEN2), ORIGINAL, clean_spaces=False, llama_cpp_note=_ASCII_CASE
    ),
    # No NFC, although `tokenization_qwen3_5.py` in transformers has it: the .out file beside the GGUF holds other ids.
    PreTokeniser(("qwen35",), _regexes(QWEN35), ORIGINAL, clean_spaces=False, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(("dbrx", "smaug-bpe"), _regexes(LLAMA3), ORIGINAL, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(("chatglm-bpe",), _regexes(LLAMA3), ORIGINAL, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(("glm4", "glm5"), _regexes(LLAMA3), ORIGINAL, ignore_merges=True, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(("poro-chat",), _regexes(BLOOM), MODEL_FILE, clean_spaces=False),
    PreTokeniser(("bloom", "gpt3-finnish"), _regexes(BLOOM), MODEL_FILE),
    PreTokeniser(("viking",), _VIKING, MODEL_FILE, clean_spaces=False),
    PreTokeniser(
        ("tekken",),
        _regexes(TEKKEN),
        ORIGINAL,
        clean_spaces=False,
        ignore_merges=True,
        add_bos=True,
        llama_cpp_note=_MARKS,
    ),
    PreTokeniser(("chameleon",), _CHAMELEON, MODEL_FILE, add_bos=True, clean_spaces=False),
    PreTokeniser(("exaone-moe",), _regexes(EXAONE_MOE), ORIGINAL, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(
        ("gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"),
        _regexes(GPT4O),
        ORIGINAL,
        clean_spaces=False,
        llama_cpp_note=_MARKS,
    ),
    PreTokeniser(
        ("granite-embed-multi-97m",),
        _regexes(GPT4O),
        "as gpt-4o, which llama.cpp's comment refers to",
        clean_spaces=False,
        ignore_merges=True,
        llama_cpp_note="every letter outside of ASCII is of either case",
    ),
    PreTokeniser(
        ("tiny_aya", "cohere2moe"),
        _regexes(*TINY_AYA),
        ORIGINAL,
        clean_spaces=False,
        llama_cpp_note="letters of every category are of either case",
    ),
    PreTokeniser(
        ("superbpe",),
        _regexes(*SUPERBPE),
        "llama.cpp",
        clean_spaces=False,
        llama_cpp_note="the look-ahead of the second pattern matches nothing, so that numbers are not grouped",
    ),
    PreTokeniser(
        ("bailingmoe", "bailingmoe2", "llada-moe"),
        _regexes(BAILINGMOE),
        ORIGINAL,
        clean_spaces=False,
        llama_cpp_note="possessive quantifiers are greedy ones",
    ),
    PreTokeniser(("seed-coder",), _regexes(SEED_CODER), ORIGINAL, clean_spaces=False, llama_cpp_note=_ASCII_CASE),
    PreTokeniser(
        ("kimi-k2",),
        _regexes(KIMI_K2),
        ORIGINAL,
        clean_spaces=False,
        llama_cpp_note="marks are no letters, and the case of letters is not looked at",
    ),
    PreTokeniser(("ufakzeka",), _regexes(UFAKZEKA), "llama.cpp", clean_spaces=False),
    PreTokeniser(("afmoe",), _regexes(*AFMOE), "llama.cpp; its splitter for digits as a pattern", clean_spaces=False),
    PreTokeniser(("laguna",), _regexes(*LAGUNA), ADAPTED, clean_spaces=False, llama_cpp_note=_ASCII_CASE),
)


@cache
def _by_name() -> Mapping[str, PreTokeniser]:
    return {name: record for record in RECORDS for name in record.names}


def names() -> tuple[str, ...]:
    """All names, sorted."""
    return tuple(sorted(_by_name()))


def by_name(name: str) -> PreTokeniser:
    """The pre-tokeniser called `name`; UsageError with the nearest names if there is none."""
    try:
        return _by_name()[name]
    except KeyError:
        near = get_close_matches(name, names(), n=3) or names()[:5]
        raise UsageError(f"unknown pre-tokeniser {name!r}", f"the nearest names are {', '.join(near)}") from None


def find(stage: object, ignore_merges: bool | None = None, byte_level: bool | None = None) -> str | None:
    """The first name of a record with this stage (and these flags, where given); None if there is none."""
    if isinstance(stage, Split):
        stage = Chain((stage,))
    for record in RECORDS:
        flags = (ignore_merges, record.ignore_merges), (byte_level, record.byte_level)
        if record.stage == stage and all(wanted is None or wanted == has for wanted, has in flags):
            return record.names[0]
    return None
