"""lint: what differs between two sources, and the text on which it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.faulty_engine import FaultyEngine
from tokparity import cli, formats, models
from tokparity.behaviour import Behaviour, Normalise
from tokparity.case import text_case
from tokparity.formats import Source
from tokparity.lint import lint
from tokparity.lint.causes import telling
from tokparity.lint.segmentation import of_merges
from tokparity.quirks import toys
from tokparity.reference.decode import DecodePieces
from tokparity.reference.grapheme_charsmap import GraphemeCharsmap
from tokparity.reference.text import keep_bytes
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

TOY = toys.spm("▁a a b ab ▁ab c ▁ <x>", added=(AddedToken(10, "<x>", special=False),), space_prefix="first")


def source(vocabulary: Vocabulary = TOY.vocabulary, behaviour: Behaviour = TOY.behaviour) -> Source:
    """A toy as a source."""
    return Source("gguf", Path("toy.gguf"), vocabulary, behaviour)


def with_kind(vocabulary: Vocabulary, piece: bytes, kind: Kind) -> Vocabulary:
    """The vocabulary with a piece of another kind."""
    i = vocabulary.ids[piece]
    return replace(vocabulary, kinds=(*vocabulary.kinds[:i], kind, *vocabulary.kinds[i + 1 :]))


def moved(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with two pieces swapped."""
    pieces = list(vocabulary.pieces)
    pieces[3], pieces[4] = pieces[4], pieces[3]
    return replace(vocabulary, pieces=tuple(pieces))


V, B = TOY.vocabulary, TOY.behaviour
CHANGES: dict[str, tuple[Callable[[], Source], str, bool]] = {
    "kinds": (lambda: source(with_kind(V, b"ab", Kind.UNUSED)), "NORMAL on the left and UNUSED", True),
    "scores": (lambda: source(replace(V, scores=(*V.scores[:3], -9.0, *V.scores[4:]))), "1 differ", False),
    "pieces": (lambda: source(moved(V)), "2 under another id", True),
    "added tokens": (lambda: source(replace(V, added=V.added[:-1])), 'the right lacks 1 added token: "<x>"', True),
    "special ids": (lambda: source(replace(V, special={**V.special, "eos": 5})), "eos is 2", False),
    "space prefix": (lambda: source(behaviour=replace(B, space_prefix="never")), "'first' on the left", True),
    "ids before the text": (lambda: source(behaviour=replace(B, prefix_ids=())), "(1,) on the left", True),
    "normalizer": (lambda: source(behaviour=replace(B, normalise=str.lower)), "lower", True),
}


@pytest.mark.parametrize("part", CHANGES)
def test_each_difference_is_told(part: str) -> None:
    """Where it is, what it is, and a text on which it shows if there is one."""
    make, what, shows = CHANGES[part]
    found = lint(source(), make())
    assert found.same_model
    assert [part] == list(dict.fromkeys(one.difference.part for one in found.differences))
    assert what in found.differences[0].difference.what
    assert shows == (found.differences[0].case is not None)


def test_differences_that_only_show_together_are_shown() -> None:
    """Byte pieces without the fallback are never given, nor is the fallback without byte pieces: each is needed."""
    toy = toys.spm("▁a a ▁", byte_pieces=True)
    normal = tuple(Kind.NORMAL if kind is Kind.BYTE else kind for kind in toy.vocabulary.kinds)
    left = source(replace(toy.vocabulary, kinds=normal), replace(toy.behaviour, fallback="unknown"))
    found = lint(left, source(toy.vocabulary, toy.behaviour)).differences
    assert ["kinds", "fallback"] == [one.difference.part for one in found]
    assert all(one.case is not None for one in found)


def test_a_word_that_no_merges_lead_to_is_tried() -> None:
    """It is one of the last pieces, and stands in no corpus."""
    own = models.primary_source(models.load("small-bpe"))
    with_word = replace(
        own.vocabulary, pieces=(*own.vocabulary.pieces, b"qqzz"), kinds=(*own.vocabulary.kinds, Kind.NORMAL)
    )
    left, right = (source(with_word, replace(own.behaviour, ignore_merges=says)) for says in (False, True))
    (found,) = lint(left, right).differences
    assert found.case is not None
    assert b"qqzz" == found.case.question.text


def test_the_difference_that_sets_a_mismatch_right_is_told() -> None:
    """Of two differences the one that explains the text; where only both do, both."""
    wrong = source(with_kind(V, "▁ab".encode(), Kind.UNUSED), replace(B, space_prefix="never"))
    planted = FaultyEngine(Tokenizer(V, B), Tokenizer(wrong.vocabulary, wrong.behaviour))
    alone, both = planted.evidence([text_case(b" ab c"), text_case(b"a"), text_case(b"ab")], 3, 0)[0][1:]
    assert [["space prefix"], ["kinds", "space prefix"]] == [
        [one.part for one in telling(wrong, source(), mismatch)] for mismatch in (alone, both)
    ]


def test_one_rule_that_is_spelled_in_two_ways_shows_on_no_text() -> None:
    """Nothing is decoded of a control token, and nothing of an unknown one whose surface is empty."""
    left = source(with_kind(V, b"<unk>", Kind.CONTROL))
    right = source(behaviour=replace(B, decode=replace(DecodePieces(), unknown_surface="")))
    found = lint(left, right).differences
    assert "kinds" in [one.difference.part for one in found]
    assert [] == [one for one in found if one.case is not None]
    shown = lint(left, source()).differences
    assert ["kinds"] == [one.difference.part for one in shown if one.case is not None]


def without_odd_bytes(text: str) -> str:
    """A normalizer that changes nothing but bytes that are not text."""
    return re.sub("[\udc80-\udcff]", "", text)


def charsmap_sources(right: Normalise) -> tuple[Source, Source]:
    """A toy with SentencePiece's charsmap as a GGUF, and as a tokenizer.json with another way of it."""
    toy = toys.unigram({"a": -1, "\u00e1": -2, "b": -3, "\u00aa": -4}, normalise=toys.CHARSMAP)
    left = Source("gguf", Path("toy.gguf"), toy.vocabulary, toy.behaviour)
    return left, Source(
        "tokenizer.json", Path("tokenizer.json"), toy.vocabulary, replace(toy.behaviour, normalise=right)
    )


def test_how_a_library_applies_the_same_charsmap_is_no_difference_of_files() -> None:
    """It is said that it looks whole graphemes up; no tokenizer.json can change that."""
    (found,) = lint(*charsmap_sources(GraphemeCharsmap(toys.CHARSMAP.blob))).differences
    assert (True, None) == (found.difference.unsaid, found.case)
    assert "looks up a whole grapheme in the charsmap" in found.difference.what


def test_another_charsmap_is_a_difference() -> None:
    """The same library with other entries: a text shows it."""
    (found,) = lint(*charsmap_sources(GraphemeCharsmap(toys.charsmap({"ª": "b"}).blob))).differences
    assert not found.difference.unsaid
    assert found.case is not None


def test_bytes_that_are_no_text_show_nothing_of_a_format_whose_library_takes_text() -> None:
    """They show what two GGUFs do otherwise."""
    kept = replace(B, decode_text=keep_bytes)
    left, right = source(behaviour=kept), source(behaviour=replace(kept, normalise=without_odd_bytes))
    (shown,) = lint(left, right).differences
    assert shown.case is not None
    assert "base64" in shown.case.question.literal
    assert [None] == [one.case for one in lint(left, replace(right, format="tokenizer.json")).differences]


def test_what_a_tokenizer_json_spells_with_a_normalizer_shows_on_no_text(tmp_path: Path) -> None:
    """Collapsed spaces are its Replace, which alone or missing would change ids."""
    own = models.primary_source(models.load("small-unigram"))
    formats.write(own, "tokenizer.json", tmp_path / "tokenizer.json")
    found = lint(own, formats.read(tmp_path / "tokenizer.json")).differences
    assert {"normalizer", "collapsing of spaces"} <= {one.difference.part for one in found}
    assert [] == [one for one in found if one.case is not None]


def test_an_added_token_that_eats_spaces() -> None:
    """Attributes are compared one by one."""
    other = replace(V, added=(*V.added[:-1], replace(V.added[-1], rstrip=True)))
    (found,) = lint(source(), source(other)).differences
    assert "1 token has another rstrip" in found.difference.what
    assert found.case is not None
    assert found.left != found.right


def test_equal_sources_have_no_differences() -> None:
    """Nothing is made up."""
    found = lint(source(), source())
    assert (1.0, []) == (found.common, list(found.differences))


def test_a_split_is_the_chain_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A GGUF has chains of splits, a tokenizer.json one split: that is not a difference."""
    from tokparity import formats

    own = models.load("small-bpe").sources["tokenizer.json"]
    formats.write(formats.read(own), "gguf", tmp_path / "model.gguf")
    assert 0 == cli.main(["lint", str(tmp_path / "model.gguf"), str(own)])
    assert "pre-tokenizer" not in capsys.readouterr().out


def test_different_models_are_told_first(capsys: pytest.CaptureFixture[str]) -> None:
    """With the share of common pieces, before anything else."""
    files = [str(models.load(name).sources[format]) for name, format in
             (("small-spm", "sentencepiece"), ("small-bpe", "tokenizer.json"))]  # fmt: skip
    assert 1 == cli.main(["lint", *files])
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("These are different models: only ")
    assert "% of their pieces are common" in first


def test_the_same_model_in_two_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Our export says what its source says; a difference is tried on the engines of both formats."""
    from tokparity import formats
    from tokparity.formats.gguf_rewrite import rewrite

    spm = models.load("small-spm").sources["sentencepiece"]
    formats.write(formats.read(spm), "gguf", tmp_path / "good.gguf")
    rewrite(tmp_path / "good.gguf", {"tokenizer.ggml.add_space_prefix": False}, tmp_path / "bad.gguf")
    assert 1 == cli.main(["lint", str(tmp_path / "bad.gguf"), str(spm)])
    out = capsys.readouterr().out
    assert "space prefix: 'never' on the left, 'always' on the right" in out
    assert "left llama.cpp" in out
    assert "right sentencepiece" in out


def test_byte_pieces_at_other_places_in_each() -> None:
    """Each difference is tried by itself: then kinds of one file meet pieces of the other."""
    toy = toys.spm("a b", byte_pieces=True, fallback="bytes")
    pieces, kinds = toy.vocabulary.pieces, toy.vocabulary.kinds
    other = replace(toy.vocabulary, pieces=(*pieces[1:], pieces[0]), kinds=(*kinds[1:], kinds[0]))
    found = lint(source(toy.vocabulary, toy.behaviour), source(other, toy.behaviour)).differences
    assert {"pieces", "kinds"} <= {shown.difference.part for shown in found}


def test_two_spellings_of_where_words_begin_are_no_difference(tmp_path: Path) -> None:
    """A GGUF marks the first piece of a word, a tokenizer.json the others."""
    source = formats.read(models.load("small-wordpiece").sources["tokenizer.json"])
    formats.write(source, "gguf", tmp_path / "w.gguf")
    found = lint(source, formats.read(tmp_path / "w.gguf")).differences
    assert not any(one.difference.part.startswith("prefix of ") for one in found)
    assert 0 == cli.main(["convert", "small-wordpiece", "--to", "gguf", "-o", str(tmp_path / "again.gguf")])


@pytest.mark.parametrize("is_left", [True, False])
def test_a_merge_that_is_listed_twice_is_told(is_left: bool) -> None:
    """One side is the beginning of the other."""
    bpe = toys.bpe("a b ab", merges="a+b")
    twice = replace(bpe.vocabulary, merges=bpe.vocabulary.merges * 2)
    both = [source(bpe.vocabulary, bpe.behaviour), source(twice, bpe.behaviour)]
    left, right = both if is_left else both[::-1]
    assert ["in another order from number 1"] == [one.what for one in of_merges(left, right)]
