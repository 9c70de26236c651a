"""Answers that lack an id name the piece that the engine does not find."""

from __future__ import annotations

from tokparity.case import text_case
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.catalogue.missing_ids import without_id
from tokparity.outcome import Encoding
from tokparity.quirks import toys
from tokparity.reference import splits
from tokparity.reference.tokenizer import Tokenizer

WORDS = toys.wordpiece("ye ##ading face [UNK] in", pretokenise=splits.whitespace_split())
BYTES = toys.byte_bpe("â+Ģ h+e")


def seen(toy: toys.Toy, text: str, given: tuple[object, ...]) -> Observation:
    """A text, its right ids, and an answer whose pieces are named; None is no id."""
    right = Tokenizer(toy.vocabulary, toy.behaviour).encode(text.encode(), False, False)
    ids = tuple(-1 if piece is None else toy.vocabulary.ids[str(piece).encode()] for piece in given)
    return Observation(text_case(text.encode()), Encoding(tuple(right)), Encoding(ids))


def told(toy: toys.Toy, *rows: tuple[str, tuple[object, ...]]) -> str:
    """What is said of these answers."""
    return without_id(Base(toy.vocabulary, toy.behaviour), [seen(toy, *row) for row in rows])


def test_the_byte_of_a_merge_that_is_not_found_is_named() -> None:
    """The engine has no id for one byte, so its merge is left out: what the known id spells is not the lost piece."""
    said = told(BYTES, ("\u2019he", (None, "Ģ", "Ļ", "he")))
    assert said.endswith('in 1 of these 1 answers. It does not find the piece: "â" (id 229, the byte 0xE2)')


def test_a_piece_that_is_lost_in_several_texts_is_named_once() -> None:
    """One null for one id; the other pieces are right."""
    said = told(WORDS, ("in face", ("in", None)), ("face in", (None, "in")))
    assert said.endswith('in 2 of these 2 answers. It does not find the piece: "face" (id 5)')


def test_several_lost_pieces_are_named() -> None:
    """At most three; the others are counted."""
    said = told(WORDS, ("in face", ("in", None)), ("in", (None,)), ("ye", (None,)), ("yeading", ("ye", None)))
    assert said.endswith('pieces: "in" (id 7), "ye" (id 3), "face" (id 5) and 1 more')


def test_one_place_for_several_pieces_is_told_with_them() -> None:
    """The engine looked up a whole word, or an unknown token that has no id: no piece of the model is missing."""
    said = told(WORDS, ("yeading face", (None, "face")))
    assert 'in place 0 of 2, where "ye" (id 3), "##ading" (id 4) are right: the engine cuts' in said


def test_what_cannot_be_lined_up_names_no_piece() -> None:
    """A null that no right id stands for, and answers that lack none."""
    said = told(WORDS, ("in", ("in", None)))
    assert said.endswith("in place 1 of 2: look for the piece that the engine does not find")
    assert "" == told(WORDS, ("in", ("face",)))
