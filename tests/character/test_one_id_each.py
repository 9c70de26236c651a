"""An engine that finds no pieces: each character, byte or word has one id of another vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from faulty_panel import characterised, source
from unlisted_faults import Faithful

from tokparity.case import text_case
from tokparity.diagnose import Base, Explanation
from tokparity.diagnose import characterised as explained
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding

MODEL = "small-bpe"
TEXTS = ("this must be the place", "the cat is the cat", "é the é the")


def told(ids: Callable[[str], Sequence[int]], right: Sequence[str] = ()) -> list[str]:
    """What is said of the stored ids of an engine that nobody can ask, whose answers to some texts are `right`."""
    said = source(MODEL)
    base = Base(said.vocabulary, said.behaviour)
    mismatches = [
        Mismatch(
            text_case(text.encode(), False), "m", "e", "o",
            Encoding(tuple(base.tokenizer.encode(text.encode(), False, False))), Encoding(tuple(ids(text))),
            Difference("ids", 0),
        )
        for text in TEXTS
    ]  # fmt: skip
    ids_of = base.tokenizer.encode
    controls = [
        Control(text_case(text.encode(), False), "m", "e", Encoding(tuple(ids_of(text.encode(), False, False))))
        for text in right
    ]
    (found, *_) = explained([Explanation("ids", "unexplained", (0, 1, 2))], mismatches, controls, base=base)
    return [trait.says for trait in found.character]


LETTERS = {"t": 10, "h": 3, "i": 11, "s": 9, " ": 114, "e": 7}
ENGINES: dict[str, Callable[[str], Sequence[int]]] = {
    'each character comes as one id, always the same one: " " as 114, "a" as 5, "b" as 5, and 11 more; '
    "the id 0 before them; the id 2 behind them; the engine": lambda text: [0, *(LETTERS.get(c, 5) for c in text), 2],
    "each byte comes as its number +3; the id 1 behind them; the engine": lambda text: [
        *(byte + 3 for byte in text.encode()), 1,
    ],
    "each word comes as the id 100; the engine": lambda text: [100 for _ in text.split()],
}  # fmt: skip


@pytest.mark.parametrize("expected", ENGINES)
def test_each_unit_with_its_id_is_told_first(expected: str) -> None:
    """With what stands at the ends, and that no piece was found."""
    assert told(ENGINES[expected])[0].startswith(expected)


@pytest.mark.parametrize("expected", ENGINES)
def test_a_right_answer_with_pieces_refutes_it(expected: str) -> None:
    """Also where no other answer has its characters."""
    assert not any("finds no pieces" in one for one in told(ENGINES[expected], right=["QUUX from 17 2023 WORDS"]))


def test_a_character_with_two_ids_is_no_table() -> None:
    """One answer that contradicts another is refused."""
    assert not any(one.startswith("each character") for one in told(lambda text: [*range(len(text))]))


class ByteNumbers(Faithful):
    """ByT5's ids, whatever the model is."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Each byte and three."""
        return [byte + 3 for byte in text]


@pytest.mark.nightly
def test_an_engine_that_can_be_asked_is_told_alike() -> None:
    """New texts are asked, and none of them is answered otherwise."""
    _, (group, *_) = characterised(MODEL, ByteNumbers)
    assert group.traits[0].says.startswith(("each byte comes as", "each character comes as")), group.traits


@pytest.mark.parametrize("says_bos", [True, False])
def test_special_ids_that_were_asked_for_are_no_contradiction(says_bos: bool) -> None:
    """An engine that finds no pieces still writes the model's BOS where the question asks for it."""
    said = source("small-spm")
    base = Base(said.vocabulary, said.behaviour)
    mismatches = []
    for add, text in product((False, True), TEXTS):
        right = Encoding(tuple(base.tokenizer.encode(text.encode(), add, False)))
        wrong = Encoding((*((1,) if says_bos and add else ()), *(byte + 3 for byte in text.encode())))
        mismatches.append(Mismatch(text_case(text.encode(), add), "m", "e", "o", right, wrong, Difference("ids", 0)))
    (found, *_) = explained([Explanation("ids", "unexplained", (*range(6),))], mismatches, [], base=base)
    assert found.character[0].says.startswith("each byte comes as its byte piece; the engine finds no pieces")
