"""The pre-tokenizers of known models, by the names that GGUF files have for them.

The records stand in `pretokenisers.toml`, where it says what is in them and where it comes from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from tokparity.errors import UsageError
from tokparity.reference import pretokeniser_patterns
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.pretokeniser_patterns import BLOOM, CHAMELEON, DEEPSEEK_CODER, DEEPSEEK_LLM
from tokparity.reference.same_cuts import cut_alike
from tokparity.reference.splits import Chain, OnAlphabet, Split, SplitStage, digits, punctuation, whitespace_split


@dataclass(frozen=True)
class PreTokeniser:
    """One pre-tokenizer, all names for it, and what else llama.cpp concludes from the name."""

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
    """The model's tokenizer.json normalizes to NFC; no key of GGUF says so and llama.cpp does not."""
    written: str = ""
    """The name that llama.cpp's own converter writes, where it is not the first."""


def _regexes(*patterns: str) -> Chain:
    return Chain(tuple(Split(pattern) for pattern in patterns))


STAGES: Mapping[str, SplitStage] = {
    **{
        name.lower(): _regexes(*([value] if isinstance(value, str) else value))
        for name, value in vars(pretokeniser_patterns).items()
        if name.isupper() and not name.startswith("_")
    },
    "digits_gpt2": Chain((digits(individual=True), Split(GPT2))),
    "falcon": Chain(
        (punctuation("contiguous"), Split(GPT2), OnAlphabet((digits(individual=False), Split("[0-9][0-9][0-9]"))))
    ),
    "chameleon": Chain((*_regexes(*CHAMELEON).stages, digits(individual=True), punctuation(), Split(GPT2))),
    "viking": Chain((Split(BLOOM), digits(individual=True))),
    "deepseek_llm": Chain((*_regexes(*DEEPSEEK_LLM).stages, digits(individual=True))),
    "deepseek_coder": Chain((*_regexes(*DEEPSEEK_CODER).stages, digits(individual=True))),
    "escaped": Chain((Split(" ", "merged_with_previous", literal=True),)),
    "whitespace": Chain((whitespace_split(),)),
}
"""The stages that a record may name: patterns alone, and what is made of more than patterns."""


def _records() -> Iterator[PreTokeniser]:
    for row in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["pre_tokeniser"]:
        yield PreTokeniser(**{**row, "names": tuple(row["names"]), "stage": STAGES[row["stage"]]})


RECORDS: tuple[PreTokeniser, ...] = tuple(_records())


@cache
def _by_name() -> Mapping[str, PreTokeniser]:
    return {name: record for record in RECORDS for name in record.names}


def names() -> tuple[str, ...]:
    """All names, sorted."""
    return tuple(sorted(_by_name()))


def by_name(name: str) -> PreTokeniser:
    """The pre-tokenizer called `name`; UsageError with the nearest names if there is none."""
    try:
        return _by_name()[name]
    except KeyError:
        near = get_close_matches(name, names(), n=3) or names()[:5]
        raise UsageError(f"unknown pre-tokenizer {name!r}", f"the nearest names are {', '.join(near)}") from None


def are_one_to_llama_cpp(one: str, other: str) -> bool:
    """Whether two names differ in nothing that llama.cpp does; only it obeys a name, and it composes nothing to NFC."""
    known = _by_name()
    if one not in known or other not in known:
        return False
    stage = known[one].stage
    flags = [replace(known[name], names=(), stage=stage, source="", nfc=False, written="") for name in (one, other)]
    return flags[0] == flags[1] and cut_alike(stage, known[other].stage)
