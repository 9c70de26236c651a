"""Special tokens as characters: there and back, and as a sentence shows them."""

from __future__ import annotations

from tokparity.diagnose.tokens import FIRST, NONE, Tokens, of
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

TOKENS = Tokens(("<s>", "<s>x", '"|"'))


def test_there_and_back() -> None:
    """The longest is taken where several begin."""
    text = 'a<s><s>x"|"<s'
    assert f"a{chr(FIRST)}{chr(FIRST + 1)}{chr(FIRST + 2)}<s" == TOKENS.folded(text)
    assert text == TOKENS.unfolded(TOKENS.folded(text))
    assert text == NONE.unfolded(NONE.folded(text))


def test_a_character_that_stands_for_none() -> None:
    """It is of the private use, and means what it is."""
    assert TOKENS.stands_for_none(f"a{chr(FIRST + 3)}")
    assert not TOKENS.stands_for_none(f"a{chr(FIRST + 2)}\uf000")
    assert f"a{chr(FIRST + 3)}" == TOKENS.unfolded(f"a{chr(FIRST + 3)}")


def test_a_sentence_shows_them_as_they_are_spelled() -> None:
    """By code point or as text."""
    assert 'contains "<s>" or " \\"|\\""' == TOKENS.told('contains U+10F000 or " \\udbfc\\udc02"')


def test_which_tokens_a_model_has() -> None:
    """Control pieces and added tokens of more than one character, without white space; those that are not special
    apart."""
    pieces = (b"<s>", b"a", b"\n\n", b"</s>", b"x")
    kinds = (Kind.CONTROL, Kind.NORMAL, Kind.CONTROL, Kind.UNUSED, Kind.CONTROL)
    added = (AddedToken(3, "</s>"), AddedToken(0, "<s>"), AddedToken(1, "a b"), AddedToken(4, "<m>", special=False))
    assert Tokens(("<s>", "</s>"), ("<m>",)) == of(Vocabulary(pieces, kinds, added=added))
