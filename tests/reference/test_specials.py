"""Added tokens cut out of the text, against Hugging Face tokenizers."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken as HuggingFaceToken
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from tests.reference.models import behaviour
from tokparity.behaviour import Fragment
from tokparity.reference.literals import compile_literals
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

TOKENS = st.lists(
    st.builds(
        AddedToken,
        id=st.just(0),
        content=st.text("<a> ", min_size=1, max_size=3).filter(lambda content: content.strip()),
        special=st.booleans(),
        single_word=st.booleans(),
        lstrip=st.booleans(),
        rstrip=st.booleans(),
    ),
    max_size=5,
    unique_by=lambda token: token.content,
)


def huggingface(tokens: list[AddedToken], text: str, parse_special: bool) -> list[str]:
    """The contents of the added tokens that Hugging Face tokenizers finds, in order; all else is unknown."""
    engine = Tokenizer(WordLevel({"[unk]": 0}, unk_token="[unk]"))
    for token in tokens:
        flags = {name: getattr(token, name) for name in ("single_word", "lstrip", "rstrip", "special")}
        added = HuggingFaceToken(token.content, normalized=False, **flags)
        (engine.add_special_tokens if token.special else engine.add_tokens)([added])
    engine.encode_special_tokens = not parse_special
    encoded = engine.encode(text, add_special_tokens=False)
    return [
        text[start:end] if i == 0 else engine.id_to_token(i)
        for i, (start, end) in zip(encoded.ids, encoded.offsets, strict=False)
    ]


@given(TOKENS, st.text("<a> b", max_size=14), st.booleans())
def test_equal_to_hugging_face(tokens: list[AddedToken], text: str, parse_special: bool) -> None:
    """Random tokens with random attributes, overlapping each other: the same stretches are cut out."""
    tokens = [AddedToken(i, *(getattr(t, n) for n in FIELDS)) for i, t in enumerate(tokens, 1)]
    known = Vocabulary((b"[unk]",), (Kind.UNKNOWN,), added=tuple(tokens))
    contents = {token.id: token.content for token in tokens}
    fragments: list[Fragment] = leftmost_longest(known, behaviour(wpm), False)(text, parse_special)
    found = [contents[f] if isinstance(f, int) else f for f in fragments]
    assert huggingface(tokens, text, parse_special) == found


@pytest.mark.parametrize("text", ["  ", "    ", "a  <a> b", " <a> <a>", "<a>"])
@pytest.mark.parametrize(("lstrip", "rstrip"), [(True, True), (False, True), (True, False), (False, False)])
def test_tokens_of_white_space(text: str, lstrip: bool, rstrip: bool) -> None:
    """What the token before has taken as white space is found again, unless the token takes white space before it."""
    tokens = [AddedToken(1, " ", lstrip=lstrip, rstrip=rstrip), AddedToken(2, "<a>", rstrip=True)]
    known = Vocabulary((b"[unk]",), (Kind.UNKNOWN,), added=tuple(tokens))
    fragments: list[Fragment] = leftmost_longest(known, behaviour(wpm), False)(text, True)
    found = [tokens[f - 1].content if isinstance(f, int) else f for f in fragments]
    assert huggingface(tokens, text, True) == found


@pytest.mark.nightly
def test_what_a_word_is_made_of() -> None:
    """A `single_word` token is none beside the same characters as in the library, out of all there are."""
    tokens = [AddedToken(1, "<x>", single_word=True)]
    known = Vocabulary((b"[unk]",), (Kind.UNKNOWN,), added=tuple(tokens))
    match = leftmost_longest(known, behaviour(wpm), False)
    engine = Tokenizer(WordLevel({"[unk]": 0}, unk_token="[unk]"))
    engine.add_tokens([HuggingFaceToken("<x>", single_word=True, normalized=False)])
    characters = [chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    blocks = [" ".join(f"<x>{c}" for c in characters[i : i + 64]) for i in range(0, len(characters), 64)]
    for block, encoding in zip(blocks, engine.encode_batch(blocks), strict=True):
        ours = [fragment if isinstance(fragment, int) else 0 for fragment in match(block, True)]
        assert encoding.ids == ours, block


FIELDS = ("content", "special", "normalized", "single_word", "lstrip", "rstrip")


@given(st.lists(st.text("ab<|[", max_size=4), max_size=8), st.text("ab<|[", max_size=20))
def test_literals_leftmost_longest(literals: list[str], text: str) -> None:
    """The pattern finds the leftmost literal, and of those that begin there the longest."""
    pattern = compile_literals(literals)
    found = pattern.search(text) if pattern else None
    places = [(text.find(literal), -len(literal), literal) for literal in literals if literal and literal in text]
    expected = min(places)[2] if places else None
    assert expected == (found.group() if found else None)


def test_literals_that_begin_with_each_other_without_end() -> None:
    """The longest is found however many there are."""
    found = compile_literals("a" * n for n in range(1, 500))
    assert found is not None
    assert [499, 1] == [len(match.group()) for match in found.finditer("a" * 499 + "ba")]
