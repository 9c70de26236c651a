"""The ends of a model's lists are in the probe set: a reader that is one line off is seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokparity import models
from tokparity.formats import Source
from tokparity.generators import prepared
from tokparity.generators.subject import Subject
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.one_model import needed_cases
from tokparity.sources import list_ends as ends
from tokparity.vocabulary import Kind, Vocabulary


def source(name: str) -> Source:
    """What the model's own file says."""
    return models.primary_source(models.load(name))


def differ(name: str, wrong: Vocabulary) -> list[bytes]:
    """Texts of the probe set on which a tokenizer of another vocabulary gives other ids."""
    said = source(name)
    right, other = Tokenizer(said.vocabulary, said.behaviour), Tokenizer(wrong, said.behaviour)
    questions = [case.question for case in ends.list_ends(prepared(said.vocabulary, said.behaviour).subject)]
    assert {question.text for question in questions} <= {
        case.question.shown for case in needed_cases(models.load(name), Subject(said.vocabulary, said.behaviour), ())
    }
    return [one.text for one in questions if right.encode(one.text, False) != other.encode(one.text, False)]


@pytest.mark.parametrize("lost", [slice(0, 1), slice(1, 2), slice(-1, None)])
def test_a_merge_that_is_lost_at_an_end_is_seen(lost: slice) -> None:
    """A header that is taken for a merge, or a last line without a line end."""
    said = source("small-bpe").vocabulary
    gone = {*said.merges[lost]}
    assert differ("small-bpe", replace(said, merges=tuple(merge for merge in said.merges if merge not in gone)))


@pytest.mark.parametrize("name", ["small-unigram", "small-wordpiece"])
def test_the_last_piece_that_is_lost_is_seen(name: str) -> None:
    """It is the one that a list which was cut short does not have."""
    said = source(name).vocabulary
    last = max(i for i, kind in enumerate(said.kinds) if kind is Kind.NORMAL)
    kinds = tuple(Kind.UNUSED if i == last else kind for i, kind in enumerate(said.kinds))
    pieces = tuple(b"" if i == last else piece for i, piece in enumerate(said.pieces))
    assert differ(name, replace(said, pieces=pieces, kinds=kinds))


def test_numbers_that_need_one_bit_more() -> None:
    """The places on both sides of each width, where there are so many."""
    assert [32767, 32768, 65535, 65536] == [*ends._around_widths(100_000)]
    assert [32767] == [*ends._around_widths(2**15)]
    assert [0, 1, 2] == [*ends._places(3)]
    assert [] == [*ends._places(0)]
