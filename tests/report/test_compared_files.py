"""Which files a verdict speaks of, and on how many cases they were compared."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tokparity.report.compared_files import compared, unopened
from tokparity.report.model import Header, Pair, Report

Files = Mapping[str, Mapping[str, str]]
TWO: Files = {"one": {"model.gguf": "", "own.model": ""}, "two": {"model.gguf": "", "own.json": ""}}
OTHERS: Files = {"one": {"a.gguf": "", "own.model": ""}, "two": {"b.gguf": "", "own.json": ""}}


def report(models: Files, *pairs: Pair) -> Report:
    """Of models in a tokparity.toml."""
    places = dict.fromkeys(models, ("tokparity.toml", 1))
    return Report(Header("", "", {}, models, 0, (), "", places=places), pairs)


def pair(model: str, engine: str, source: str, cases: int, compares: bool = True) -> Pair:
    """An engine that was right on all cases, with what it opened."""
    return Pair(model, engine, "o", source=source, cases=cases, equal=cases, compares_files=compares)


def test_cases_of_all_files_are_added_up() -> None:
    """Of two engines on one file the lower number counts, for on the others nobody compared both."""
    pairs = [pair("one", "llama.cpp", "a.gguf", 671), pair("one", "mine", "a.gguf", 700)]
    pairs += [pair("two", "llama.cpp", "b.gguf", 732), pair("two", "e", "own.json", 5, compares=False)]
    assert (("a.gguf", "b.gguf"), 1403) == compared(report(OTHERS, *pairs))


def test_two_files_of_one_name_are_told_apart() -> None:
    """By the models that they are of."""
    pairs = pair("one", "llama.cpp", "model.gguf", 2), pair("two", "llama.cpp", "model.gguf", 3)
    assert (("model.gguf of one", "model.gguf of two"), 5) == compared(report(TWO, *pairs))


@pytest.mark.parametrize(
    ("models", "opened", "expected"),
    [
        (TWO, ("model.gguf", "own.json"), ("model.gguf of two",)),
        (OTHERS, ("a.gguf", "own.json"), ("b.gguf",)),
        (TWO, ("model.gguf", "model.gguf"), ()),
        (TWO, ("own.model", "own.json"), ("model.gguf of one", "model.gguf of two")),
        ({"one": {"model.gguf": ""}, "two": {"own.json": ""}}, ("export", "own.json"), ()),
    ],
)
def test_a_file_that_no_engine_opens_is_named(models: Files, opened: tuple[str, str], expected: tuple[str]) -> None:
    """Only its keys can be compared, where there is something to compare them with."""
    pairs = pair("one", "e", opened[0], 2), pair("two", "e", opened[1], 3)
    assert expected == unopened(report(models, *pairs))
