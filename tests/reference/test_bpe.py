"""BPE: merging by rank."""

from __future__ import annotations

import itertools
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from tests.reference.models import behaviour, vocabulary
from tokparity.reference.bpe import bpe
from tokparity.reference.byte_alphabet import ALPHABET, from_alphabet, to_alphabet
from tokparity.vocabulary import Kind, Vocabulary

PLAIN = behaviour(bpe, byte_level=True)


def trained(words: list[str], merges: int) -> Vocabulary:
    """A byte-level vocabulary whose merges were learned from some words, the most frequent pair first."""
    spelled = [list(to_alphabet(word)) for word in words]
    learned: list[tuple[str, str]] = []
    for _ in range(merges):
        counts: dict[tuple[str, str], int] = {}
        for word in spelled:
            for pair in itertools.pairwise(word):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        learned.append(best)
        spelled = [naive(word, [best]) for word in spelled]
    pieces = dict.fromkeys([*ALPHABET, *(a + b for a, b in learned)], 0.0)
    return vocabulary(pieces, merges=tuple((a.encode(), b.encode()) for a, b in learned))


def naive(symbols: list[str], merges: list[tuple[str, str]]) -> list[str]:
    """Quadratic byte-pair encoding, one merge at a time over the whole word."""
    while True:
        ranked = [
            (merges.index(pair) if pair in merges else inf, i) for i, pair in enumerate(itertools.pairwise(symbols))
        ]
        best, i = min(ranked, default=(inf, 0))
        if best == inf:
            return symbols
        symbols = [*symbols[:i], symbols[i] + symbols[i + 1], *symbols[i + 2 :]]


@given(
    st.lists(st.text("ab é", min_size=2, max_size=10), min_size=1, max_size=6),
    st.text("ab éx", min_size=1, max_size=90),
)
def test_equal_to_the_quadratic_algorithm(words: list[str], text: str) -> None:
    """Learned merges: the same pieces as a naive implementation, for short and for long words."""
    known = trained(words, 12)
    merges = [(a.decode(), b.decode()) for a, b in known.merges]
    expected = [known.ids[piece.encode()] for piece in naive(list(to_alphabet(text)), merges)]
    assert expected == bpe(known, PLAIN)(text)


@given(st.binary(max_size=40))
def test_byte_alphabet_round_trip(data: bytes) -> None:
    """Any bytes, valid UTF-8 or not, come back from the alphabet."""
    assert data == from_alphabet(to_alphabet(data.decode("utf-8", "surrogateescape")))


def test_what_is_not_in_the_byte_alphabet_stands_for_itself() -> None:
    """Beside characters of the alphabet too; a lone surrogate is the byte that it was."""
    assert b" a\xe4\xb8\x96\xff " == from_alphabet("Ġa世\udcffĠ")


def test_without_merges_the_lowest_id_goes_first() -> None:
    """tiktoken's rule: any pair that spells a piece may be merged, in the order of ids."""
    known = vocabulary({"a": 0.0, "b": 0.0, "c": 0.0, "bc": 0.0, "ab": 0.0})
    assert [1, 4] == bpe(known, behaviour(bpe))("abc")


def test_ignore_merges_takes_a_word_that_is_a_piece() -> None:
    """A whole word that is a piece is that piece, although no merge makes it."""
    known = vocabulary({"a": 0.0, "b": 0.0, "ab": 0.0}, merges=((b"b", b"b"),))
    assert [1, 2] == bpe(known, behaviour(bpe))("ab")
    assert [3] == bpe(known, behaviour(bpe, ignore_merges=True))("ab")


def test_word_suffix_marks_the_last_symbol() -> None:
    """CLIP's way: the last character of a word carries </w> and merges with it."""
    known = vocabulary({"a": 0.0, "b</w>": 0.0, "ab</w>": 0.0, "a</w>": 0.0}, merges=((b"a", b"b</w>"),))
    segment = bpe(known, behaviour(bpe, word_suffix="</w>"))
    assert [3] == segment("ab")
    assert [4] == segment("a")


def test_fallbacks() -> None:
    """What is not a piece becomes byte pieces, or the unknown id, or nothing."""
    known = vocabulary({"a": 0.0, "<0xC3>": 0.0, "<0xA9>": 0.0}, {"<0xC3>": Kind.BYTE, "<0xA9>": Kind.BYTE})
    found = [bpe(known, behaviour(bpe, fallback=way))("aé") for way in ("bytes", "unknown", "drop")]
    assert [[1, 2, 3], [1, 0], [1]] == found


def test_a_merge_with_nothing_never_happens() -> None:
    """A file may list one; the others are made all the same."""
    known = vocabulary({"a": 0.0, "b": 0.0, "ab": 0.0}, merges=((b"", b"a"), (b"b", b""), (b"a", b"b")))
    for text in ("ab", "ab" * 40):
        assert [3] * (len(text) // 2) == bpe(known, behaviour(bpe))(text)


def test_a_merge_that_makes_no_piece_gives_its_ascii_characters() -> None:
    """As llama.cpp does; what is no piece and was not merged has its own way."""
    known = vocabulary({"a": 0.0, "b": 0.0, "é": 0.0}, merges=((b"a", b"b"), ("é".encode(), b"a")))
    segment = bpe(known, behaviour(bpe))
    assert [[1, 2], [1, 2] * 40, [1]] == [segment(text) for text in ("ab", "ab" * 40, "éa")]
