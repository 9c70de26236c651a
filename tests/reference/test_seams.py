"""Seams, families of characters, and the memo."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tokparity.reference.seams import Memo, Seams, adjacent_pairs

CHARACTERS = "ab1▁\n \u4e00\U0001f600\U0001f601\U00020000"
PIECES = st.lists(st.text(CHARACTERS, min_size=1, max_size=4), max_size=12)


@given(PIECES, st.text(CHARACTERS, max_size=80), st.sampled_from(["▁", " ", ""]))
@example(["a▁", "▁▁", "▁a"], "▁▁a▁▁1▁a▁", "▁")
@example(["\U0001f600a", "b\U0001f601"], "\U0001f600ab\U0001f601\U0001f600", "▁")
@example(["\n\n▁", "a\n"], "a\n\n▁a\n", "▁")
def test_no_cut_separates_what_a_piece_joins(pieces: list[str], text: str, marker: str) -> None:
    """Words and parts are the whole text, and where two of them meet, no piece holds both characters."""
    pairs = adjacent_pairs(pieces)
    seams = Seams(pairs, marker)
    for cut in (seams.words(text), seams.parts(text)):
        assert text == "".join(cut)
        assert [] == [left + right for left, right in pairwise(cut) if left[-1:] + right[:1] in pairs]


def test_parts_have_no_seam_inside() -> None:
    """Every place that no piece crosses is cut."""
    assert ["ab", "c", "ab"] == Seams(adjacent_pairs(["ab"])).parts("abcab")


@pytest.mark.parametrize(("text", "expected"), [("ab12▁ab▁▁1", ["ab", "12", "▁ab", "▁▁1"]), ("", [])])
def test_words_end_where_families_meet(text: str, expected: list[str]) -> None:
    """Letters and digits that share no piece are different words; markers stand before either."""
    assert expected == Seams(adjacent_pairs(["▁ab", "12", "▁▁"]), "▁").words(text)


def test_memo_remembers_short_parts_only() -> None:
    """A short part is worked out once, a long one each time."""
    asked: list[str] = []

    def length(part: str) -> int:
        asked.append(part)
        return len(part)

    memo = Memo(length)
    assert [2, 2, 100, 100] == [memo[part] for part in ("ab", "ab", "c" * 100, "c" * 100)]
    assert ["ab", "c" * 100, "c" * 100] == asked


@given(PIECES, st.lists(st.sampled_from(["a▁b", "", "▁1", "b"]), max_size=40))
def test_lines_looked_at_once_give_what_the_text_gives(pieces: list[str], lines: list[str]) -> None:
    """Whether lines come often or not, the ids are those of the whole text, cut at all its seams."""
    text = "\n".join(lines)
    seams = Seams(adjacent_pairs(pieces), "▁")
    numbers: dict[str, int] = {}

    def ids_of(stretch: str) -> list[int]:
        return [numbers.setdefault(part, len(numbers)) for part in seams.parts(stretch) if part]

    assert ids_of(text) == seams.by_lines(text, ids_of)
