"""A class within a pattern that was written otherwise: which characters it lacks is told, also where no list has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import faulty_panel
import pytest
from faulty_panel import characterised
from unlisted_faults import Faithful

from tokparity.case import text_case
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.splits import Split
from tokparity.vocabulary import Kind

FIRST = r"[^\r\n\p{L}\p{N}]?"
PATTERN = rf"'s|'t|{FIRST}\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BEFORE = ("\t", "\x01", "\x7f", "(", "-", "+", "$", "\u0301", "\u00a0", "\u200b", "\ue000", "«")
LETTERS = "aeiжיな"
TEXTS = [
    text_case(text.encode())
    for letter in LETTERS
    for before in BEFORE
    for text in (before + letter, f"x{before}{letter}.", f"1 {before}{letter} b")
]


class _Other(Faithful):
    """The first class of the alternative of letters is another one."""

    first = ""

    def opened(self) -> None:
        pretokenise = Split(PATTERN.replace(FIRST, self.first))
        self.tokenizer = self.tokenizer.with_behaviour(replace(self.tokenizer.behaviour, pretokenise=pretokenise))


class NoControls(_Other):
    """Control and format characters are not joined to letters."""

    first = r"[^\r\n\p{L}\p{N}\p{C}]?"


class SpelledOut(_Other):
    """What may stand before letters is listed, and the list lacks other spaces, marks and controls."""

    first = r"[ \p{P}\p{S}]?"


def _merges() -> Iterator[tuple[bytes, bytes]]:
    """Those that join each of BEFORE and each letter, and then the two to each other."""
    for character in (*BEFORE, *LETTERS):
        whole, *others = to_alphabet(character)
        for one in others:
            yield whole.encode(), one.encode()
            whole += one
    for before, letter in product(BEFORE, LETTERS):
        yield to_alphabet(before).encode(), to_alphabet(letter).encode()


@pytest.fixture(autouse=True)
def _another_pattern(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The model has the pattern of Llama 3, and pieces that begin before a letter."""
    said = faulty_panel.source("small-bpe")
    own = said.vocabulary
    merges = [merge for merge in _merges() if merge not in own.merges]
    pieces = [piece for piece in dict.fromkeys(map(b"".join, merges)) if piece not in own.ids]
    vocabulary = replace(
        own,
        pieces=(*own.pieces, *pieces),
        kinds=(*own.kinds, *(Kind.NORMAL for _ in pieces)),
        merges=(*own.merges, *merges),
    )
    other = replace(said, vocabulary=vocabulary, behaviour=replace(said.behaviour, pretokenise=Split(PATTERN)))
    monkeypatch.setattr(faulty_panel, "source", lambda model: other)
    faulty_panel.forget()
    yield
    faulty_panel.forget()


def test_a_class_that_lacks_controls() -> None:
    """The edit of the pattern is named."""
    _, (group, *_) = characterised("small-bpe", NoControls, TEXTS)
    says = group.traits[0].says
    assert rf"with `[^\r\n\p{{L}}\p{{N}}\p{{C}}]?\p{{L}}+` in place of `{FIRST}\p{{L}}+` in its pattern" in says


@pytest.mark.nightly
def test_a_class_that_is_in_no_list() -> None:
    """Where the engine cuts is said for all letters, and not for those of one script."""
    _, (group, *_) = characterised("small-bpe", SpelledOut, TEXTS)
    trait = group.traits[0]
    assert "that cuts words between a character that is not a letter" in trait.says
    assert "nor U+0020 (SPACE) nor punctuation nor a symbol and a letter (L)" in trait.says
    assert (trait.holds, trait.with_failing > 0) == (trait.of, True)
