"""WPM: greedy longest match within a word."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.reference.models import behaviour, vocabulary
from tokparity.quirks import begins_words_at_markers, toys
from tokparity.reference.wpm import Wpm, wpm
from tokparity.vocabulary import BEGINNINGS

KNOWN = vocabulary({"un": 0.0, "##aff": 0.0, "##able": 0.0, "##a": 0.0, "unaff": 0.0})


def test_longest_piece_first() -> None:
    """BERT's own example, with a longer first piece that must win."""
    assert [5, 3] == wpm(KNOWN, behaviour(wpm, continuing_prefix="##"))("unaffable")


def test_a_word_with_a_hole_is_unknown_as_a_whole() -> None:
    """Where nothing fits, the pieces already found are given up."""
    assert [0] == wpm(KNOWN, behaviour(wpm, continuing_prefix="##"))("unaffx")


def test_a_word_that_is_too_long_is_unknown() -> None:
    """The limit counts characters."""
    segment = wpm(KNOWN, behaviour(wpm, continuing_prefix="##", max_word_chars=6))
    assert [5, 4] == segment("unaffa")
    assert [0] == segment("unaffaa")


def test_gguf_marks_the_beginning_instead() -> None:
    """The same words with the spelling of a GGUF: "▁" begins a word, nothing continues it."""
    known = vocabulary({"▁un": 0.0, "aff": 0.0, "able": 0.0})
    assert [1, 2, 3] == wpm(known, behaviour(wpm, word_prefix="▁"))("unaffable")


def plainly(segmenter: Wpm, spelled: str, start: int) -> tuple[str | None, int]:
    """The longest piece at a place, looked for from the end of the word back."""
    shortest = start or len(segmenter.behaviour.word_prefix)
    for end in range(len(spelled), shortest, -1):
        if (piece := segmenter.piece(spelled[start:end], start > 0)) is not None:
            return piece, end
    return None, start


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("in_gguf", [False, True])
def test_the_longest_piece_is_found(marked: bool, in_gguf: bool) -> None:
    """Whichever way the beginnings of words are marked, with pieces of more characters than are walked through."""
    rng = random.Random(0)
    words = ["".join(rng.choice("ab▁") for _ in range(rng.choice((1, 2, 3, 5, 70)))) for _ in range(60)]
    words += ["a" * (BEGINNINGS - 1), "a" * BEGINNINGS, "a" * (BEGINNINGS + 1), "a" * 200]
    pieces = " ".join(dict.fromkeys(rng.choice(("", "##", "▁")) + word for word in words))
    toy = toys.wordpiece(pieces)
    behaviour = replace(toy.behaviour, max_word_chars=None)
    if in_gguf:
        behaviour = replace(behaviour, word_prefix="▁", continuing_prefix="")
    segmenter = (begins_words_at_markers.MarkedWpm if marked else Wpm)(toy.vocabulary, behaviour)
    for _ in range(300):
        word = "".join(rng.choice((*words, "a", "b", "▁")) for _ in range(rng.randint(1, 5)))
        spelled = behaviour.word_prefix + word
        for start in range(len(spelled)):
            assert plainly(segmenter, spelled, start) == segmenter._longest_piece(spelled, start), (word, start)


def test_a_piece_of_a_megabyte_takes_no_more_than_its_size() -> None:
    """A model's file may be made to harm: all beginnings of this piece would take 500 GB."""
    toy = toys.wordpiece("a ab " + "x" * (1 << 20))
    assert max(map(len, toy.vocabulary.beginnings)) <= BEGINNINGS
    behaviour = replace(toy.behaviour, max_word_chars=None)
    ids = Wpm(toy.vocabulary, behaviour)("x" * (1 << 20))
    assert [toy.vocabulary.ids[b"x" * (1 << 20)]] == ids
