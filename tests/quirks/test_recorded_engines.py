"""Quirks of engines whose ids were recorded: against the recordings, and against the engines' rules put plainly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rings import nightly_but
from tests.shared_models import RECORDED
from tokparity import models, quirks
from tokparity.behaviour import Behaviour
from tokparity.quirks import toys
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import OnAlphabet, Split
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources.recording import read
from tokparity.vocabulary import Vocabulary

ENGINES = {
    "gemma3-engine.gemma-4": ("skips_preprocessing", "greedy_longest_match_with_marker", "ignores_added_tokens"),
    "gemma3-engine.llama-spm": ("skips_preprocessing", "greedy_longest_match_with_marker"),
    "gemma3-engine-later.gemma-4": ("merges_by_score",),
    "c-kernel-spm.llama-spm": ("leaves_runs_of_spaces", "ends_pieces_at_nul"),
    "c-kernel-bpe.gpt-2": ("splits_by_ascii_letters", "maps_hidden_bytes_by_offset", "writes_minus_one"),
}
"""The recordings of real engines, and the quirks that are all that these engines do otherwise."""


def flipped(toy: toys.Toy, *names: str) -> Tokenizer:
    """A tokenizer of the toy with these quirks."""
    return Tokenizer(toy.vocabulary, quirks.flip_all(map(quirks.get, names), toy.behaviour))


@pytest.mark.parametrize("name", nightly_but([*ENGINES][::2], ENGINES) if RECORDED.is_dir() else [*ENGINES][:1])
def test_a_recorded_engine_is_reproduced(name: str) -> None:
    """On every text of the recording, id by id."""
    path = RECORDED / f"{name}.jsonl.gz"
    model = models.resolve(name.partition(".")[2])
    if not path.is_file():
        pytest.skip(f"the recordings of real engines are not there: {path}")
    if not all(source.is_file() for source in model.sources.values()):
        pytest.skip(f"{model.name} has not been pulled")
    source = models.primary_source(model)
    tokenizer = flipped(toys.Toy(source.vocabulary, source.behaviour), *ENGINES[name])
    wrong = [
        line.case.question.text
        for line in read(path)
        if tuple(tokenizer.encode(line.case.question.text, False, False)) != line.answer.ids
    ]
    assert [] == wrong[:5]


# --- the longest stretch, with the marker tried

MARKED = toys.spm("▁ab ab ▁a b ▁ ba▁ é a▁ bé", byte_pieces=True, space_prefix="always")


def by_the_rule(vocabulary: Vocabulary, data: bytes) -> list[int]:
    """At each position, from 64 bytes down: at a word's beginning the marker and the stretch, then the stretch."""
    ids: list[int] = []
    at = 0
    while at < len(data):
        for size in range(min(64, len(data) - at), 0, -1):
            stretch = data[at : at + size]
            marked = "▁".encode() + stretch.lstrip(b" ")
            if (at == 0 or data[at - 1 : at] == b" ") and marked in vocabulary.ids:
                ids.append(vocabulary.ids[marked])
            elif stretch in vocabulary.ids:
                ids.append(vocabulary.ids[stretch])
            else:
                continue
            at += size
            break
        else:
            ids += [i for i in [vocabulary.byte_ids[data[at]]] if i is not None]
            at += 1
    return ids


@given(st.text("ab é▁<s>", max_size=80) | st.builds(lambda n: n * " " + "a", st.integers(0, 70)))
def test_the_marker_is_tried(text: str) -> None:
    """As the rule says, up to stretches of 64 bytes."""
    tokenizer = flipped(MARKED, "skips_preprocessing", "greedy_longest_match_with_marker")
    assert by_the_rule(MARKED.vocabulary, text.encode()) == tokenizer.encode(text.encode(), False)


# --- pieces that end at NUL

NUL = toys.spm("bc ab abc a c", byte_pieces=True)


def merged_as_c_strings(vocabulary: Vocabulary, text: str) -> list[int]:
    """Merging where what two symbols spell ends at the first NUL."""

    def looked_up(symbol: str) -> int | None:
        return vocabulary.ids.get(symbol.partition("\0")[0].encode())

    symbols = list(text)
    while True:
        pairs = [(symbols[i] + symbols[i + 1], i) for i in range(len(symbols) - 1)]
        known = [(vocabulary.scores[found], -i) for pair, i in pairs if (found := looked_up(pair)) is not None]
        if not known:
            break
        i = -max(known)[1]
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
    ids: list[int] = []
    for symbol in symbols:
        found = looked_up(symbol)
        ids += [i for b in symbol.encode() if (i := vocabulary.byte_ids[b]) is not None] if found is None else [found]
    return ids


@given(st.text("abcé\0", max_size=12))
def test_pieces_end_at_nul(text: str) -> None:
    """What follows is swallowed behind a piece, and only there ("b" is none, but "bc" is)."""
    tokenizer = flipped(NUL, "ends_pieces_at_nul")
    assert merged_as_c_strings(NUL.vocabulary, text) == tokenizer.encode(text.encode(), False)


# --- words and letters of the byte alphabet


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't 12", ["don", "'t", " 1", "2"]),
        ("a  b   1", ["a", " ", " b", "  ", " 1"]),
        ("a  !\n\nb", ["a", "  ", "!\n\n", "b"]),
        (" \n\n\tx", [" \n\n", "\t", "x"]),
        ("\u000fx \u000f", ["\u000fx", " \u000f"]),
        ("café tét", ["caf", "é", " t", "é", "t"]),
    ],
)
def test_words_of_ascii_letters(text: str, words: list[str]) -> None:
    """As the walk by hand cuts them."""
    split = quirks.get("splits_by_ascii_letters").value
    assert isinstance(split, OnAlphabet)
    assert words == split(text, True)


def test_what_has_no_letter_is_minus_one() -> None:
    """0x80 becomes U+0180, which is not a piece: its two bytes are looked up; the second has no letter."""
    toy = toys.byte_bpe("", pretokenise=Split(GPT2))
    tokenizer = flipped(toy, "maps_hidden_bytes_by_offset", "writes_minus_one")
    assert [3 + 0xE2, 3 + 0xC6, -1, 3 + 0xC6, -1] == tokenizer.encode("\u2000".encode(), False)
    assert [3 + 0xE2] == flipped(toy, "maps_hidden_bytes_by_offset").encode("\u2000".encode(), False)


# --- what stands around the algorithm


def ids_of(toy: toys.Toy, text: str, **fields: object) -> list[bytes]:
    """The pieces of a text with other fields of the behavior."""
    behaviour = Behaviour(**{**vars(toy.behaviour), **fields})  # type: ignore[arg-type]
    return [toy.vocabulary.pieces[i] for i in Tokenizer(toy.vocabulary, behaviour).encode(text.encode(), False)]


SPACED = toys.spm("a ▁ ▁a ▁▁", byte_pieces=True, space_prefix="always")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a a", "▁a ▁a"),
        (" a", "▁ ▁a"),
        ("a  a", "▁a <0x20> <0x20> a"),
        ("  a ", "▁ <0x20> <0x20> a ▁"),
        ("   ", "▁ <0x20> <0x20> <0x20>"),
    ],
)
def test_runs_stay_literal(text: str, pieces: str) -> None:
    """The prefix belongs to no run, and a single space is escaped wherever it stands."""
    assert pieces.encode().split() == ids_of(SPACED, text, escapes_runs=False, tie_break="right")


def test_runs_stay_literal_behind_a_split() -> None:
    """Also where spaces are escaped after the text was split."""
    fields = {"escape_order": "after_split", "space_prefix": "never", "pretokenise": Split(r"\s+|\S+")}
    assert [b"a", b"<0x20>", b"<0x20>", b"a"] == ids_of(SPACED, "a  a", escapes_runs=False, **fields)
    assert [b"a", "▁".encode(), b"a"] == ids_of(SPACED, "a a", escapes_runs=False, **fields)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (b"\x80a  a", "▁ <0x80> a <0x20> <0x20> a"),
        (b"\xc3  a a", "▁ <0xC3> <0x20> <0x20> a ▁a"),
    ],
)
def test_runs_stay_literal_in_groups_of_bytes(text: bytes, pieces: str) -> None:
    """Bytes that are grouped by their lead may swallow a space of a run; the rest of it is not a single space."""
    names = ("leaves_runs_of_spaces", "keeps_invalid_bytes", "groups_bytes_by_lead", "breaks_ties_to_the_right")
    tokenizer = flipped(SPACED, *names)
    assert pieces.encode().split() == [SPACED.vocabulary.pieces[i] for i in tokenizer.encode(text, False)]


def test_a_text_that_is_not_prepared() -> None:
    """No prefix, no marker, no words."""
    whole = toys.spm("a ▁a ab", byte_pieces=True, space_prefix="always", pretokenise=Split("a"))
    assert [b"<0x20>", b"ab"] == ids_of(whole, " ab", prepares_text=False)


@pytest.mark.parametrize(("size", "room"), [(30, 30), (32, 32), (33, 32), (40, 36)])
def test_ids_beyond_the_buffer_are_lost(size: int, room: int) -> None:
    """Half as many as the text has bytes, and 16; BOS counts."""
    tokenizer = flipped(toys.spm("a", byte_pieces=True), "loses_ids_beyond_buffer")
    assert room == len(tokenizer.encode(size * b"b", False))
    assert min(size + 1, size // 2 + 16) == len(tokenizer.encode(size * b"b", True))


def test_a_special_token_that_stays_text() -> None:
    """It is cut out, what stands beside it is tokenized on its own, and nothing is stripped."""
    toy = toys.spm("▁ ▁< < s > a", added=(toys.special("<s>", 1, lstrip=True),))
    tokenizer = flipped(toy, "cuts_at_unparsed_specials")
    spelled = [toy.vocabulary.pieces[i].decode() for i in tokenizer.encode(b"a <s>", False)]
    assert ["a", "▁", "<", "s", ">"] == spelled
    assert tokenizer.encode(b"a <s>", False, True) == Tokenizer(toy.vocabulary, toy.behaviour).encode(
        b"a <s>", False, True
    )


def test_a_list_that_is_not_read() -> None:
    """By score, and without scores the leftmost pair that spells any piece."""
    toy = toys.bpe("abc", "b+c a+b")
    assert [[3, 6], [7, 5]] == [t.encode(b"abc", False) for t in (flipped(toy), flipped(toy, "merges_by_score"))]
    letters = toys.byte_bpe("Ġ+a a+b")
    assert flipped(letters, "merges_by_score").encode(b" ab", False)[0] == 3 + 256


def test_scores_of_16_bits() -> None:
    """Rounded to the nearest, ties to even; what is too large for float16 becomes its largest."""
    from tokparity.quirks.rounded_scores import bfloat, half

    assert [2048.0, 2050.0 - 2.0, 2052.0, -65504.0] == [*map(half, (2048.5, 2049.0, 2051.0, -1e6))]
    assert [256.0, 256.0, 260.0, -31744.0] == [*map(bfloat, (256.5, 257.0, 259.0, -31740.0))]
