"""The characters that each id comes from, as the reference follows them, and as Hugging Face gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sentencepiece import SentencePieceProcessor
from tokenizers import Tokenizer as HuggingFace

from tokparity import formats
from tokparity.engines.environment.adapters.sentencepiece import spans_of
from tokparity.generators import Prepared
from tokparity.generators.subject import Subject
from tokparity.models.record import EMBEDDED
from tokparity.outcome import Spanning
from tokparity.reference.placed import Placed
from tokparity.reference.spans import Spanner, spanned
from tokparity.reference.token_places import Token
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources.spans import span_cases
from tokparity.span_laws import judged

MODELS = {"small-bpe": "json", "small-spm": "model", "small-unigram": "model", "small-wordpiece": "json"}


def read(name: str) -> Tokenizer:
    """An embedded model."""
    source = formats.read(EMBEDDED / f"{name}.{MODELS[name]}")
    return Tokenizer(source.vocabulary, source.behaviour)


@pytest.mark.parametrize("name", MODELS)
def test_every_character_is_in_a_span_and_none_is_in_two(name: str) -> None:
    """What is left out is what normalization removes; only the ids of one character share it."""
    tokenizer = read(name)
    text = "Hello  wörld 日本 e\u0301 1234!"
    found = spanned(tokenizer, text, add_special=False)
    assert found.ids == tuple(tokenizer.encode(text.encode(), add_special=False))
    assert [*found.spans] == sorted(found.spans)
    covered = {at for start, end in found.spans for at in range(start, end)}
    assert {" ", "\u0301"} >= {text[at] for at in range(len(text)) if at not in covered}
    assert "" == judged(text, found, found).law


def test_a_span_is_the_text_of_its_piece() -> None:
    """Where nothing is normalized."""
    tokenizer = read("small-bpe")
    text = "def main(): return 12"
    found = spanned(tokenizer, text, add_special=False)
    pieces = [tokenizer.decode([i]).decode() for i in found.ids]
    assert pieces == [text[start:end] for start, end in found.spans]


def test_each_id_of_a_long_text_is_placed() -> None:
    """SentencePiece models take a text as one word, and a position of more than 16 bits is one of theirs."""
    text = "Long lines \u65e5\u672c! " * 4_500
    found = spanned(read("small-spm"), text, add_special=False)
    assert len(found.ids) > 40_000 < len(text)
    assert 1 << 16 < found.spans[-1][0]
    assert max(end - start for start, end in found.spans) < 20


def test_added_tokens_and_what_they_take_have_a_span() -> None:
    """They are cut out of the text before all else."""
    tokenizer = read("small-wordpiece")
    text = "a [SEP] b"
    found = spanned(tokenizer, text, add_special=True, parse_special=True)
    separator = next(token.id for token in tokenizer.vocabulary.added if token.content == "[SEP]")
    assert "[SEP]" == text[slice(*found.spans[found.ids.index(separator)])].strip()
    assert ((0, 0), (len(text), len(text))) == (found.spans[0], found.spans[-1])


def test_a_special_token_of_the_text_is_not_the_one_before_it() -> None:
    """The text is the beginning token, which is put around it as well: the second of the two is the text."""
    tokenizer = read("small-wordpiece")
    found = spanned(tokenizer, "[CLS]a", add_special=True, parse_special=True)
    assert found.ids[:2] == tokenizer.behaviour.prefix_ids * 2
    assert ((0, 0), (0, 5)) == found.spans[:2]


@pytest.mark.parametrize("control", ["\x04", "\x1e"])
def test_a_removed_control_character_is_no_white_space(control: str) -> None:
    """Python calls U+001E white space; at the beginning it is removed like any other, and a faulty way forgets it."""
    assert ((0, 1),) == Spanner(drifts=True)(f"{control}a", [Token(6, (1, 2), 1)], ())


def test_an_unknown_character_has_its_own_span() -> None:
    """Of unknown characters in a row that are one id, all are in it."""
    tokenizer = read("small-unigram")
    found = spanned(tokenizer, "a本😀b", add_special=False)
    unknown = next(
        span for i, span in zip(found.ids, found.spans, strict=True) if i in tokenizer.vocabulary.unknown_ids
    )
    assert (1, 3) == unknown


def test_a_change_is_followed_through() -> None:
    """What stays is where it was, what is new is nowhere, and what became one is all of it."""
    text = Placed("xéb", [(i, i + 1) for i in range(3)])
    assert [(0, 1), (1, 2), (1, 2), (2, 3)] == text.through(lambda s: s.replace("é", "e\u0301"), "xe\u0301b").places
    assert [(0, 0), (0, 1), (1, 2), (2, 3)] == text.through(lambda s: f"_{s}", "_xéb").places
    assert [(0, 1), (2, 3)] == text.through(lambda s: s.replace("é", ""), "xb").places
    joined = Placed("e\u0301b", [(i, i + 1) for i in range(3)]).through(lambda s: s.replace("e\u0301", "é"), "éb")
    assert [(0, 2), (2, 3)] == joined.places
    assert (0, 1) == joined.firsts().place(0, 1)


def test_white_space_at_a_cut_keeps_its_place() -> None:
    """A long text is halved; a stage that strips what it is given must not lose the space there."""
    text = " " + "a " * 400 + "a"
    placed = Placed(text, [(i, i + 1) for i in range(len(text))]).through(str.strip, text.strip())
    assert [(i, i + 1) for i in range(1, len(text))] == list(placed.places)


def test_a_space_that_goes_is_not_part_of_what_stands_behind_it() -> None:
    """Though that is changed as well (CLIP: white space becomes one space, and letters small ones)."""
    placed = Placed("X  F", [(i, i + 1) for i in range(4)])
    assert (3, 4) == placed.through(lambda text: re.sub(r"\s+", " ", text).lower(), "x f").place(2, 3)


def test_each_character_of_a_very_long_text_has_its_place() -> None:
    """The work does not grow with the square of the text."""
    text, done = "ae ß  " * 5_000, []

    def change(part: str) -> str:
        done.append(len(part))
        return "_" + part.replace(" ", "_").replace("ß", "ss")

    found = Placed(text, [(i, i + 1) for i in range(len(text))]).through(change, change(text))
    right = [(0, 0)]
    for i in range(0, len(text), 6):
        right += [(i + k, i + k + 1) for k in (0, 1, 2, 3, 3, 4, 5)]
    assert right == list(found.places)
    assert sum(done) < 500 * len(text)


def test_a_very_long_text_that_cannot_be_cut_is_one_block() -> None:
    """What a change makes of all is not what it makes of the parts."""
    text = "a" * 2_500 + "b" * 2_500
    found = Placed(text, [(i, i + 1) for i in range(len(text))]).through(lambda part: part[::-1], text[::-1])
    assert {(0, len(text))} == {*found.places}


def hugging_face(name: str) -> Callable[[str], Spanning]:
    """What the library gives, special tokens in the text not recognized."""
    library = HuggingFace.from_file(str(EMBEDDED / f"{name}.json"))
    library.encode_special_tokens = True

    def spans(text: str) -> Spanning:
        given = library.encode(text, add_special_tokens=False)
        return Spanning(tuple(given.ids), tuple(given.offsets))

    return spans


def sentencepiece(name: str) -> Callable[[str], Spanning]:
    """What the library gives, in characters."""
    processor = SentencePieceProcessor()
    processor.Load(str(EMBEDDED / f"{name}.model"))

    def spans(text: str) -> Spanning:
        ids, given = spans_of(processor, text)
        return Spanning(tuple(ids), tuple(given))

    return spans


@pytest.mark.parametrize("name", MODELS)
def test_it_agrees_with_the_library(name: str) -> None:
    """On generated texts no span of the library that the model is made for breaks a law."""
    tokenizer = read(name)
    library = (hugging_face if MODELS[name] == "json" else sentencepiece)(name)
    prepared = Prepared(Subject(tokenizer.vocabulary, tokenizer.behaviour))
    texts = [case.question.text.decode() for case in span_cases(prepared, 1, 150)]
    answers = {text: (library(text), spanned(tokenizer, text, add_special=False)) for text in texts}
    assert all(actual.ids == right.ids for actual, right in answers.values())
    laws = {text: judged(text, *both).law for text, both in answers.items()}
    assert {} == {text: law for text, law in laws.items() if law}


def test_a_pre_tokenizer_that_cuts_inside_a_character_is_followed(tmp_path: Path) -> None:
    """Behind a stage that spells bytes as letters, ¼ is two of them, of which one is a number (Falcon's files)."""
    path = tmp_path / "tokenizer.json"
    said = json.loads((EMBEDDED / "small-bpe.json").read_text(encoding="utf-8"))
    stages = [{"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}]
    said["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [*stages, {"type": "Digits", "individual_digits": True}],
    }
    said["post_processor"] = None
    path.write_text(json.dumps(said))
    source = formats.read(path)
    tokenizer, library = Tokenizer(source.vocabulary, source.behaviour), HuggingFace.from_file(str(path))
    for text in ("¼-b", "a¼", " ĲĲ ", "x²³ 12 ¼¼", "日本¼"):
        its = library.encode(text, add_special_tokens=False)
        found = spanned(tokenizer, text, add_special=False)
        assert (tuple(its.ids), tuple(its.offsets)) == (found.ids, found.spans), text


def test_the_library_does_not_count_what_it_drops(tmp_path: Path) -> None:
    """Without a piece for the bytes of "x" and of "é"; the reference counts them, and imitates who does not."""
    path = tmp_path / "tokenizer.json"
    said = json.loads((EMBEDDED / "small-bpe.json").read_text(encoding="utf-8"))
    gone = {"x", "Ã", "©"}
    kept = [piece for piece in said["model"]["vocab"] if gone.isdisjoint(piece) or piece.startswith("<|")]
    said["model"]["vocab"] = {piece: i for i, piece in enumerate(kept)}
    merges = [merge if isinstance(merge, list) else merge.split() for merge in said["model"]["merges"]]
    said["model"]["merges"] = [merge for merge in merges if gone.isdisjoint("".join(merge))]
    said["added_tokens"], said["post_processor"] = [], None
    path.write_text(json.dumps(said))
    source = formats.read(path)
    tokenizer, library = Tokenizer(source.vocabulary, source.behaviour), HuggingFace.from_file(str(path))
    imitated = tokenizer.with_behaviour(replace(source.behaviour, spans=Spanner(closes_up=True)))
    for text in ("axb xc", "éa b", "xxab", "aéé b xéc"):
        its = library.encode(text, add_special_tokens=False)
        found = spanned(imitated, text, add_special=False)
        assert (tuple(its.ids), tuple(its.offsets)) == (found.ids, found.spans), text
        assert found.spans != spanned(tokenizer, text, add_special=False).spans, text


METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
STAGES: dict[str, dict[str, Any]] = {
    "words, then markers": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, METASPACE]},
    "markers, then punctuation": {
        "type": "Sequence",
        "pretokenizers": [METASPACE, {"type": "Punctuation", "behavior": "Isolated"}],
    },
    "markers": METASPACE,
    "words": {"type": "Whitespace"},
}


@pytest.mark.parametrize("stages", STAGES)
def test_words_are_found_though_spaces_go_and_markers_come(stages: str, tmp_path: Path) -> None:
    """In texts with markers of their own, too. The library gives an added marker the character behind it."""
    path = tmp_path / "tokenizer.json"
    pieces = ["<unk>", "▁", "a", "b", "▁a", "!", ".", "é", "1"]
    said: dict[str, Any] = dict.fromkeys(("normalizer", "post_processor", "decoder"))
    said |= {"version": "1.0", "added_tokens": [], "pre_tokenizer": STAGES[stages]}
    said["model"] = {"type": "Unigram", "unk_id": 0, "vocab": [[one, -float(i)] for i, one in enumerate(pieces)]}
    path.write_text(json.dumps(said))
    source = formats.read(path)
    library = HuggingFace.from_file(str(path))
    behaviour = replace(source.behaviour, spans=Spanner(borrows=True))
    tokenizer = Tokenizer(source.vocabulary, behaviour)
    for text in ("a b", "  a!b.", "a▁b ▁a", "1▁▁ b", " é\n1 . a", "b! 'z ▁"):
        its = library.encode(text, add_special_tokens=False)
        found = spanned(tokenizer, text, add_special=False)
        assert (tuple(its.ids), tuple(its.offsets)) == (found.ids, found.spans), text
