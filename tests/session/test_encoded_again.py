"""Texts and rows that are encoded again, through worker processes: figures, and what is wrong on the way."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tokparity.case import AnyCase, Case
from tokparity.finding import Mismatch
from tokparity.outcome import Decoding, Encoding, Failure
from tokparity.questions import Again, Decode, Encode
from tokparity.report.tally import Tally
from tokparity.rounds import Link, Rounds
from tokparity.session.again import Lost
from tokparity.session.again_cause import cause
from tokparity.session.judge import Batch, Judge
from tokparity.session.panel import EnginePanel, Seat

ORACLE = "fake_engines:Lowers"
PIECES = (b"<unk>", b"<s>", b"</s>", *(bytes([byte]) for byte in range(256)))


def put(engine: str, questions: Sequence[Again], oracle: str = ORACLE) -> tuple[Batch, Judge]:
    """What an engine and its oracle give."""
    cases: list[AnyCase] = [Case(question) for question in questions]
    with EnginePanel([Seat(name, "") for name in dict.fromkeys((oracle, engine))], 20.0, lanes=1) as panel:
        assert not panel.unavailable
        (batch,) = panel.results([cases], lambda: False)
    return batch, Judge("m", oracle, PIECES, oracle)


def wrong(engine: str, *questions: Again) -> list[Mismatch]:
    """The mismatches of an engine."""
    batch, judge = put(engine, questions)
    return list(judge.mismatches(batch, [engine]))


def ids(text: bytes, special: bool = True) -> tuple[int, ...]:
    """The ids of a text for all of these engines."""
    return (*([1] if special else []), *(3 + byte for byte in text))


def test_the_steps_are_plain_questions() -> None:
    """A text ends where its ids have come back; else there is a second round."""
    batch, _ = put(ORACLE, [Again(b"a"), Again(b"B")])
    back, changed = batch.results[ORACLE].rounds or ()
    assert [Encode(b"a"), Decode(ids(b"a")), Encode(b"a")] == [link.question for link in back.links]
    assert [ids(b"B"), ids(b"b"), ids(b"b")] == changed.rows
    assert [b"b", b"b"] == changed.texts
    assert (True, True) == (back.came_back, back.is_stable)
    assert (False, True) == (changed.came_back, changed.is_stable)


def test_what_came_back_is_counted() -> None:
    """Texts, and rows of ids apart from them."""
    batch, judge = put(ORACLE, [Again(b"a"), Again(b"B"), Again(b"c")])
    rows, _ = put(ORACLE, [Again(None, ids(b"a", False), False), Again(None, ids(b"B", False), False)])
    verdict, of_rows = judge.verdict(batch, ORACLE), judge.verdict(rows, ORACLE)
    assert verdict is not None
    assert of_rows is not None
    assert Tally(again=3, again_same=2, again_stable=3) == verdict.tally
    assert Tally(again_rows=2, again_rows_same=1, again_rows_stable=2) == of_rows.tally


def test_an_engine_is_wrong_where_it_parts_from_the_oracle() -> None:
    """What it encodes after a round is held against what the oracle encodes of the same text."""
    assert [] == wrong("fake_engines:LowersAndDropsB", Again(b"a"), Again(b"A"))
    (found,) = wrong("fake_engines:LowersAndDropsB", Again(b"B"))
    assert Encode(b"b") == found.case.question
    assert (Encoding(ids(b"b")), Encoding(ids(b""))) == (found.expected, found.actual)
    assert "letter-became-nothing" == found.kind


def test_what_is_wrong_at_once_is_told_as_such() -> None:
    """The first step is the plain question of the text itself, so no cause has a second finding."""
    (encoded,) = wrong("fake_engines:LowersAndDropsB", Again(b"b"))
    assert Encode(b"b") == encoded.case.question
    (decoded,) = wrong("fake_engines:LowersAndGrows", Again(b"a"))
    assert Decode(ids(b"a")) == decoded.case.question
    assert Decoding(b"a ") == decoded.actual


def test_a_second_round_counts_where_only_the_oracle_is_stable() -> None:
    """The engine is right for a round, and then its text grows."""
    (found,) = wrong("fake_engines:LowersAndGrows", Again(b"B"))
    assert Decode(ids(b"b")) == found.case.question


def test_an_engine_that_dies_on_the_way_loses_that_case_alone() -> None:
    """It is told of the text of which it died."""
    engine = "fake_engines:LowersAndDiesOfB"
    batch, judge = put(engine, [Again(b"a"), Again(b"B"), Again(b"c")])
    (found,) = judge.mismatches(batch, [engine])
    assert Encode(b"b") == found.case.question
    assert isinstance(found.actual, Failure)
    assert "crash" == found.actual.kind
    verdict = judge.verdict(batch, engine)
    assert verdict is not None
    assert (2, 2, 1) == (verdict.tally.again, verdict.tally.again_same, verdict.tally.again_differ)


def test_ids_that_the_model_does_not_have_say_nothing() -> None:
    """An engine may refuse them, or decode them to whatever it likes."""
    judge = Judge("m", ORACLE, PIECES[:100], ORACLE)
    batch, _ = put("fake_engines:LowersAndGrows", [Again(None, (200,), False)])
    assert [] == list(judge.mismatches(batch, ["fake_engines:LowersAndGrows"]))


ADAPTER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    reply = {"id": asked.get("id")}
    if asked["op"] == "hello":
        reply.update(protocol=1, capabilities={"decodes": True, "skip_special": [False, True]})
    elif asked["op"] == "encode":
        reply["ids"] = [list(text.encode()) for text in asked["texts"]]
    elif asked["op"] == "decode":
        reply["texts"] = [bytes(row).decode().lower() for row in asked["ids"]]
    elif asked["op"] == "bye":
        break
    print(json.dumps(reply), flush=True)
"""


def test_a_program_needs_nothing_but_encode_and_decode(tmp_path: Path) -> None:
    """Neither does any other engine."""
    program = tmp_path / "adapter.py"
    program.write_text(ADAPTER, encoding="utf-8")
    engine = f"exec:{sys.executable} {program}"
    with EnginePanel([Seat(engine, str(program))], 20.0, lanes=1) as panel:
        (batch,) = panel.results([[Case(Again(b"Ab")), Case(Again(b"ab"))]], lambda: False)
    first, second = batch.results[engine].rounds or ()
    assert [tuple(b"Ab"), tuple(b"ab"), tuple(b"ab")] == first.rows
    assert second.came_back


def test_an_engine_is_not_asked_what_it_cannot_be_asked() -> None:
    """Text that is not UTF-8, say; that is no mismatch."""
    batch, judge = put("fake_engines:Utf8Only", [Again(b"\xff"), Again(b"a")], "fake_engines:Utf8Only")
    verdict = judge.verdict(batch, "fake_engines:Utf8Only")
    assert verdict is not None
    assert (Tally(again=1, again_same=1, again_stable=1), []) == (verdict.tally, list(verdict.sightings))


@pytest.mark.parametrize(
    ("text", "given", "words"),
    [
        (b"A", {b"A": b"a"}, "decoding gives other letters: upper and lower case differ"),
        ("ﬁ".encode(), {"ﬁ".encode(): b"fi"}, "the text is normalized (NFKC), and is then cut into other pieces"),
        (b"a", {b"a": b"a ", b"a ": b"a  "}, "decoding adds a space at the end; a second round gives other ids again"),
        (b"\xff", {b"\xff": b"\xef\xbf\xbd"}, "bytes that are not UTF-8 are decoded to U+FFFD"),
    ],
)
def test_the_cause_is_told_in_words(text: bytes, given: dict[bytes, bytes], words: str) -> None:
    """Seen from what became of the text."""
    assert words == cause(Again(text), _rounds(text, given), PIECES)


def test_a_space_beside_a_special_token_is_told_as_such() -> None:
    """As tokenizers has it of "<s> " on Llama's models, with one space more each round."""
    question, pieces = Again(b"<s> ", (), add_special=False, parse_special=True, skip_special=False), (*PIECES, b"  ")
    texts, rows = (b"<s> ", b"<s>  ", b"<s>   "), ((1, 35), (1, 259), (1, 259, 35))
    links: list[Link] = []
    for text, row, back in zip(texts, rows, (*texts[1:], b""), strict=True):
        links += [Link(question.encode(text), Encoding(row)), Link(question.decode(row), Decoding(back))]
    words = "decoding adds a space beside a special token; a second round gives other ids again"
    assert words == cause(question, Rounds(tuple(links[:-1])), pieces)


def _rounds(text: bytes, decoded: dict[bytes, bytes]) -> Rounds:
    """What becomes of a text, where its ids are decoded to what this says, or to itself."""
    from tokparity.rounds import rounds

    asking = rounds([Again(text)])
    (question,) = next(asking)
    try:
        while True:
            if isinstance(question, Encode):
                outcome: Encoding | Decoding = Encoding(ids(question.text))
            else:
                spelled = bytes(i - 3 for i in question.ids if i >= 3)
                outcome = Decoding(decoded.get(spelled, spelled))
            (question,) = asking.send([outcome])
    except StopIteration as end:
        (found,) = end.value
        return found


def test_the_smallest_text_that_is_lost_is_looked_for() -> None:
    """Among those that were put, and then by asking the engine for smaller ones."""
    cases: list[AnyCase] = [Case(Again(text)) for text in (b"abc", b"a text with B", b"a longer text, B C")]
    with EnginePanel([Seat(ORACLE, "")], 20.0, lanes=1) as panel:
        (batch,) = panel.results([cases], lambda: False)
        lost = Lost.smallest(cases, batch.results[ORACLE])
        assert lost is not None
        assert cases[1].question == lost.question

        def ask(questions: Sequence[Again]) -> object:
            (answered,) = panel.results([[Case(question) for question in questions]], lambda: False)
            return answered.results[ORACLE]

        small = lost.smaller(ask, lambda: False)  # type: ignore[arg-type]
    assert (1, True) == (len(small.question.text or b""), (small.question.text or b"").isupper())
