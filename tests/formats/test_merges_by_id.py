"""Merges for tokenizers whose ids are the order of merging."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tokparity import formats
from tokparity.formats.merges_by_id import merging_finds_every_piece, with_merges
from tokparity.models.record import EMBEDDED
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources import corpus
from tokparity.vocabulary import Kind, Vocabulary


def test_every_way_to_make_a_piece_is_a_merge() -> None:
    """In the order of the ids, and of a piece's ways the one with the shorter left part first."""
    pieces = (b"a", b"b", b"ab", b"ba", b"aba")
    found = with_merges(Vocabulary(pieces, (Kind.NORMAL,) * 5)).merges
    assert ((b"a", b"b"), (b"b", b"a"), (b"a", b"ba"), (b"ab", b"a")) == found


def test_a_piece_that_merging_does_not_find() -> None:
    """Where "bc" is merged first, "abc" of "ab" and "c" is not found, so that looking words up changes ids."""
    behaviour = formats.read(EMBEDDED / "small-bpe.json").behaviour
    found = Vocabulary((b"a", b"b", b"c", b"ab", b"abc"), (Kind.NORMAL,) * 5)
    assert merging_finds_every_piece(with_merges(found), behaviour)
    hidden = Vocabulary((b"a", b"b", b"c", b"bc", b"ab", b"abc"), (Kind.NORMAL,) * 6)
    merges = tuple(merge for merge in with_merges(hidden).merges if merge != (b"a", b"bc"))
    assert not merging_finds_every_piece(replace(hidden, merges=merges), behaviour)


def test_a_model_without_merges_can_be_a_gguf(tmp_path: Path) -> None:
    """It means the same as the model whose merges are found by id."""
    source = formats.read(EMBEDDED / "small-bpe.json")
    ranked = replace(source, vocabulary=replace(source.vocabulary, merges=()))
    formats.write(ranked, "gguf", tmp_path / "x.gguf")
    found = formats.read(tmp_path / "x.gguf")
    original, again = Tokenizer(ranked.vocabulary, ranked.behaviour), Tokenizer(found.vocabulary, found.behaviour)
    for case in corpus.load("code"):
        assert original.encode(case.question.text) == again.encode(case.question.text), case.question.text
