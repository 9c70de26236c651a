"""Pre-tokenizers are compared by what they match: ten re-spellings of each, and those that differ on few texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
import regex

from tokparity.reference.pretokenisers import RECORDS
from tokparity.reference.same_cuts import cut_alike
from tokparity.reference.splits import Chain, Split, SplitStage

_TOKEN = regex.compile(
    r"\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]|\(\?[a-zA-Z-]+:|\(\?<?[=!:>]|\{\d*,?\d*\}|[*+?][+?]?|.",
    regex.DOTALL,
)
_IN_CLASS = regex.compile(r"\\[pPx]\{[^}]*\}(?:-\\.|-.)?|(?:\\.|[^\\])(?:-(?:\\.|[^\]\\]))?", regex.DOTALL)
_IS_CLASS = regex.compile(r"\[\^?(?!\]).*\]", regex.DOTALL)


def _each(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda pattern: "".join(map(change, _TOKEN.findall(pattern)))


def _coded(token: str) -> str:
    plain = len(token) == 1 and (token.isalnum() or token in "'_<>:")
    return f"\\x{{{ord(token):04X}}}" if plain else token


def _reordered(token: str) -> str:
    """A class with its members in the opposite order; one that holds classes or operators stays."""
    if not _IS_CLASS.fullmatch(token) or regex.search(r"(?<!\\)\[|&&", token[1:]):
        return token
    start = 2 if token[1] == "^" else 1
    return token[:start] + "".join(reversed(_IN_CLASS.findall(token[start:-1]))) + "]"


def _is_atom(token: str) -> bool:
    return token[0] in "[\\" or token.isalnum()


_RESPELLINGS: dict[str, Callable[[str], str]] = {
    "real line ends": lambda pattern: pattern.replace(r"\r", "\r").replace(r"\n", "\n"),
    "escaped line ends": lambda pattern: pattern.replace("\r", r"\r").replace("\n", r"\n"),
    "needless escapes": _each(lambda token: "\\" + token if token in tuple("'\"!,:<>~_ ") else token),
    "characters by number": _each(_coded),
    "classes in the opposite order": _each(_reordered),
    "a group around each atom": _each(lambda token: f"(?:{token})" if _is_atom(token) else token),
    "a group around the whole": lambda pattern: f"(?:(?:{pattern}))",
    "repeats in braces": _each(lambda token: {"+": "{1,}", "?": "{0,1}", "*": "{0,}"}.get(token, token)),
    "one repeated once": _each(lambda token: f"(?:{token}{{1,1}})" if token.startswith("[") else token),
    "properties in classes": _each(lambda token: f"[{token}]" if token.startswith((r"\p", r"\s", r"\d")) else token),
}


def _spelled(stage: SplitStage, respell: Callable[[str], str]) -> SplitStage:
    if isinstance(stage, Split) and not stage.literal:
        return replace(stage, pattern=respell(stage.pattern))
    return Chain(tuple(_spelled(one, respell) for one in stage.stages)) if isinstance(stage, Chain) else stage


@pytest.mark.parametrize("respelling", _RESPELLINGS)
def test_each_is_found_under_another_spelling(respelling: str) -> None:
    """Each pre-tokenizer of the table is found again."""
    changed = 0
    for stage in dict.fromkeys(record.stage for record in RECORDS):
        other = _spelled(stage, _RESPELLINGS[respelling])
        changed += other != stage
        assert cut_alike(stage, other), other
    assert changed >= 2


def test_different_ones_are_told_apart() -> None:
    """Of all pairs of the table only two cut alike: bailingmoe spells the pattern of qwen2 in another way."""
    stages = {record.stage: record.names[0] for record in reversed(RECORDS)}
    alike = [(stages[one], stages[other]) for one, other in combinations(stages, 2) if cut_alike(one, other)]
    assert [{"qwen2", "bailingmoe"}] == [set(pair) for pair in alike]
