"""A model that is reduced to a few texts gives the ids of the whole one."""

from __future__ import annotations

import pytest

from tokparity.diagnose import Base
from tokparity.diagnose.limits import DEFAULT
from tokparity.diagnose.reduce import reduced
from tokparity.quirks import toys

SPACES = "  "
WORDS = [f"w{n}" for n in range(DEFAULT.reduced_from_pieces)]


@pytest.mark.parametrize("text", ["a  a", "  ", "a b"])
def test_added_tokens_of_spaces_are_kept(text: str) -> None:
    """MPT has one for each run of spaces."""
    names = [SPACES, "a b"]
    added = tuple(toys.special(name, 3 + 256 + len(WORDS) + n, special=False) for n, name in enumerate(names))
    toy = toys.byte_bpe("", words=[*WORDS, *names], added=added)
    base = Base(toy.vocabulary, toy.behaviour)
    small = reduced([base], [text.encode()], (), DEFAULT)
    assert len(small.bases[0].vocabulary) < len(toy.vocabulary)
    whole = base.tokenizer.encode(text.encode(), False)
    assert any(i in toy.vocabulary.added_by_id for i in whole)
    assert small.numbered(whole) == tuple(small.bases[0].tokenizer.encode(text.encode(), False))
