"""Ids as a mapping: what each id comes as depends on nothing but that id."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from faulty_panel import characterised, source
from unlisted_faults import Faithful

from tests.rings import nightly_but
from tokparity.case import text_case
from tokparity.diagnose import Base, Explanation
from tokparity.diagnose import characterised as explained
from tokparity.diagnose.families.answers.id_maps import id_maps, table_of
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.outcome import Encoding

MODEL = "small-bpe"


def says(rows: Sequence[tuple[Sequence[int], Sequence[int]]], spared: Sequence[Sequence[int]] = ()) -> list[str]:
    """The mappings that answers show."""
    return [one.says for one in id_maps(table_of(rows, spared), str)]


IDS = (3, 5, 9, 17, 300, 511, 70_000, 70_123, 99_001, 131_075)

FORMS: dict[str, tuple[Callable[[int], int], Sequence[int]]] = {
    "every id is 7 too high": (lambda i: i + 7, ()),
    "every id is 1,000 too low": (lambda i: i - 1000, ()),
    "every id from 17 on is 1 too high": (lambda i: i + (i >= 17), (1, 2, 3, 5, 9, 11)),
    "every id up to 17 is 3 too high": (lambda i: i + 3 * (i <= 17), (300, 511, 70_000, 70_123, 99_001, 131_075)),
    "every id from 9 to 511 is 2 too low": (lambda i: i - 2 * (9 <= i <= 511), (3, 5, 70_000, 70_123, 99_001, 131_075)),
    "only the lowest 16 bits of each id come": (lambda i: i & 0xFFFF, ()),
    "only the lowest 8 bits of each id come": (lambda i: i & 0xFF, ()),
    "each id comes as a number of 9 bits with a sign": (lambda i: (i + 256) % 512 - 256, ()),
    "the 4 bytes of each id come in the other order": (
        lambda i: int.from_bytes(i.to_bytes(4, "little"), "big", signed=True), (),
    ),
    "each id comes modulo 1,000": (lambda i: i % 1000, ()),
    "each id comes with its bits 0x3 turned over": (lambda i: i ^ 3, ()),
    "each id i comes as 200,000 - i": (lambda i: 200_000 - i, ()),
    "each id i comes as 2 * i + 1": (lambda i: 2 * i + 1, ()),
    "every id comes as 3": (lambda i: 3, ()),
    "every id from 70,000 on comes as 3": (lambda i: 3 if i >= 70_000 else i, (600,)),
    "the ids 5 (5) and 9 (9) come in each other's place": (lambda i: {5: 9, 9: 5}.get(i, i), ()),
    "the id 17 (17) comes as 24, and all others come as they are": (lambda i: 24 if i == 17 else i, ()),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_a_mapping(form: str) -> None:
    """Is the first that is told of a few answers; what is right speaks against others."""
    of, spared = FORMS[form]
    ids = [i for i in IDS if of(i) != i or i not in spared]
    assert form == says([(ids, [*map(of, ids)])], [spared])[0]


def test_a_table_without_a_form() -> None:
    """Is told as a table, with some of it."""
    came = [(i * 7919) % 1009 for i in range(20)]
    (told,) = says([(range(20), came)])
    assert told.startswith("every id comes as another id, always the same one (another one for each): 1 as 856, ")
    assert "; 1 ids come as they are" in told


def test_what_is_right_is_no_mapping() -> None:
    """Nor what differs in length."""
    assert [] == says([([1, 2], [1, 2])])
    assert [] == says([([1, 2], [1])])


class Shifted(Faithful):
    """Every id is seven too high."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Another start."""
        return [i + 7 for i in self.right(text, add, parse)]


class ShiftedBehindTheFirst(Faithful):
    """Ids from 300 on are one too high, as where a piece was put between."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """One more piece."""
        return [i + (i >= 300) for i in self.right(text, add, parse)]


class MarkedShifted(Faithful):
    """Every id is one too low, and before them stands another one."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """A beginning of its own."""
        return [77, *(i - 1 for i in self.right(text, add, parse))]


class Wrapped(Faithful):
    """Two ids before and one behind, as Whisper has them, where special tokens are asked for."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """A template that the file does not have."""
        ids = self.right(text, add, parse)
        return [77, 78, *ids, 79] if add else ids


class Swapped(Faithful):
    """Two ids stand for each other."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Two lines of a list exchanged."""
        return [{300: 301, 301: 300}.get(i, i) for i in self.right(text, add, parse)]


class Permuted(Faithful):
    """Each id has another, by a table of its own."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As where pieces were sorted."""
        return [(i * 7919 + 11) % 1009 for i in self.right(text, add, parse)]


MAPPED = {
    Shifted: "every id is 7 too high",
    ShiftedBehindTheFirst: "every id from 300 on is 1 too high",
    MarkedShifted: "every id is 1 too low, and the id 77 is added before the others",
    Wrapped: "the ids 77 and 78 are added before the others and the id 79 is added behind the others, but only where "
    "special tokens are added around the text",
    Swapped: "the ids 300 (",
    Permuted: "every id comes as another id, always the same one",
}


@pytest.mark.parametrize("engine", nightly_but([ShiftedBehindTheFirst, MarkedShifted, Permuted], MAPPED))
def test_an_engine_that_maps_its_ids(engine: type[Faithful]) -> None:
    """All its mismatches are one group, and what comes instead is said first."""
    mismatches, (group, *others) = characterised(MODEL, engine)
    assert ([], len(mismatches)) == (others, len(group.members))
    assert group.traits[0].says.startswith(MAPPED[engine]), group.traits
    assert group.traits[0].with_made > 50


def test_what_is_stored_suffices() -> None:
    """Of an engine that nobody can ask, six texts do; one of them that is right refutes it."""
    said = source(MODEL)
    base = Base(said.vocabulary, said.behaviour)
    rows = [
        tuple(base.tokenizer.encode(text.encode(), False, False)) for text in ("hello world", "the cat is", "x = 1")
    ]
    cases = [text_case(text.encode(), False) for text in ("hello world", "the cat is", "x = 1")]
    mismatches = [
        Mismatch(case, "m", "e", "o", Encoding(ids), Encoding(tuple(i + 7 for i in ids)), Difference("ids", 0))
        for case, ids in zip(cases, rows, strict=True)
    ]
    unexplained = [Explanation("ids", "unexplained", (0, 1, 2))]
    (found,) = explained(unexplained, mismatches, [], base=base)
    assert ["every id is 7 too high: 3 of 3 failing texts"] == [trait.sentence for trait in found.character]
    right = Control(text_case(b"is", False), "m", "e", Encoding(rows[1][-1:]))
    (found,) = explained(unexplained, mismatches, [right], base=base)
    assert not any("every id is" in trait.says for trait in found.character)


def test_three_ids_of_one_text_show_an_offset() -> None:
    """SentencePiece's ids where fairseq's are right: nobody posts more than one text; two ids may be chance."""
    assert ["every id is 1 too low"] == says([([35378, 6661, 38], [35377, 6660, 37])])[:1]
    assert not any("every id" in one for one in says([([35378, 6661], [35377, 6660])]))
    assert not any("every id" in one for one in says([([35378, 6661, 38, 9], [35377, 6660, 37, 9])]))


def test_an_offset_and_both_ends_missing_are_one_sentence() -> None:
    """As where the bare SentencePiece model stands for a tokenizer that adds an id on either side."""
    said = source(MODEL)
    base = Base(said.vocabulary, said.behaviour)
    texts = ("hello world", "the cat is", "x = 1")
    rows = [tuple(base.tokenizer.encode(text.encode(), False, False)) for text in texts]
    mismatches = [
        Mismatch(
            text_case(text.encode(), True), "m", "e", "o",
            Encoding((7, *ids, 9)), Encoding(tuple(i - 1 for i in ids)), Difference("ids", 0),
        )
        for text, ids in zip(texts, rows, strict=True)
    ]  # fmt: skip
    (found,) = explained([Explanation("ids", "unexplained", (0, 1, 2))], mismatches, [], base=base)
    assert [
        "every id is 1 too low, and the id 7 is missing at the beginning and the id 9 is missing at the end: "
        "3 of 3 failing texts"
    ] == [trait.sentence for trait in found.character]


def test_one_stored_text_of_three_ids_is_enough_for_an_offset() -> None:
    """A report shows one text of an engine that nobody can ask."""
    said = source(MODEL)
    base = Base(said.vocabulary, said.behaviour)
    ids = tuple(base.tokenizer.encode(b"the cat is", False, False))
    case = text_case(b"the cat is", False)
    shifted = Mismatch(
        case, "m", "e", "o", Encoding(ids), Encoding(tuple(i - 1 for i in ids)), Difference("ids", 0)
    )  # fmt: skip
    (found,) = explained([Explanation("ids", "unexplained", (0,))], [shifted], [], base=base)
    assert len({*ids}) >= 3
    assert ["every id is 1 too low: 1 of 1 failing texts"] == [trait.sentence for trait in found.character]
