"""Pieces that are canonically equivalent: held against a dictionary that has the composed form of each as its key."""

from __future__ import annotations

from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokparity import quirks
from tokparity.quirks import toys
from tokparity.reference.tokenizer import Tokenizer

GRAVE, ACUTE, HAT = "\N{COMBINING GRAVE ACCENT}", "\N{COMBINING ACUTE ACCENT}", "\N{COMBINING CIRCUMFLEX ACCENT}"
SIGNS = ["\N{OHM SIGN}", "\N{KELVIN SIGN}", "\N{COMBINING GRAVE TONE MARK}", "\N{COMBINING MACRON BELOW}"]
JAMO = [*normalize("NFD", "각")]
LETTERS = [*"abàeêếΩK가각", *SIGNS, *JAMO, GRAVE, ACUTE, HAT]
QUIRKS = {"later": "finds_later_of_equivalent_pieces", "earlier": "finds_earlier_of_equivalent_pieces"}


def as_swift(pieces: list[str], text: str, later: bool) -> list[int]:
    """SPM that looks strings up by their composed form, pair after pair; unknown symbols are 0."""
    key = dict[str, int]()
    for i, piece in enumerate(pieces, 3):
        if later or normalize("NFC", piece) not in key:
            key[normalize("NFC", piece)] = i
    symbols = list(text)
    while True:
        pairs = [key.get(normalize("NFC", one + other)) for one, other in pairwise(symbols)]
        found = [(i, at) for at, i in enumerate(pairs) if i is not None]  # the ids are in the order of the scores
        if not found:
            return [key.get(normalize("NFC", symbol), 0) for symbol in symbols]
        at = min(found)[1]
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]


@pytest.mark.parametrize("kept", QUIRKS)
@given(
    st.lists(st.text(st.sampled_from(LETTERS), min_size=1, max_size=3), min_size=1, max_size=12, unique=True),
    st.text(st.sampled_from(LETTERS), max_size=8),
)
def test_strings_that_compare_equal(kept: str, pieces: list[str], text: str) -> None:
    """The quirk gives what such a dictionary gives, whatever the vocabulary and the text spell."""
    toy = toys.spm(" ".join(pieces), fuse_unknown=False)
    quirk = quirks.get(QUIRKS[kept])
    found = Tokenizer(toy.vocabulary, quirk.flip(toy.behaviour)).encode(text.encode(), add_special=False)
    assert as_swift(pieces, text, kept == "later") == found


def test_merges_of_equivalent_halves() -> None:
    """A merge is found by whichever spelling its halves have, where merges are compared so as well, and only there."""
    toy = toys.bpe(f"a{GRAVE}àb", f"a+{GRAVE} à+b")
    text = f"a{GRAVE}b".encode()
    names = ("merges_equivalent_pieces", *QUIRKS.values())
    flipped = (Tokenizer(toy.vocabulary, quirks.get(name).flip(toy.behaviour)) for name in names)
    assert [[8], [7, 6], [5, 6]] == [tokenizer.encode(text, add_special=False) for tokenizer in flipped]
