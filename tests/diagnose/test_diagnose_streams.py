"""Causes of wrong streams: each is planted, found and named, alone and beside another one."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from tests.byte_pieces import with_byte_pieces
from tests.rings import nightly_but
from tokparity import formats, quirks
from tokparity.case import AnyCase, Case
from tokparity.diagnose import Base, Explanation, explained_streams
from tokparity.difference import Difference
from tokparity.finding import Control, Mismatch
from tokparity.generators.subject import Subject
from tokparity.models.record import EMBEDDED
from tokparity.outcome import Failure, Outcome, Streaming
from tokparity.questions import Stream
from tokparity.quirks import toys
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.reference.decode import decode_byte_level
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.sources.streams import stream_cases
from tokparity.vocabulary import Kind

BYTES = {f"<0x{byte:02X}>": Kind.BYTE for byte in range(256)}
SCORES = {
    "▁a": -1.0,
    "▁b": -1.0,
    "▁!": -1.0,
    "<s>": -1.0,
    "c": -2.0,
    "!": -2.0,
    "▁": -3.0,
    "\n": -3.0,
    **dict.fromkeys(BYTES, -9.0),
}
TOY = toys.unigram(SCORES, {**BYTES, "<s>": Kind.CONTROL}, strip_decoded_prefix=True, fallback="bytes")
BASE = Base(TOY.vocabulary, TOY.behaviour)
CASES = [case for case in stream_cases(Subject(TOY.vocabulary, TOY.behaviour), 0, 400) if len(case.question.row) < 40]
NAMES = [quirk.name for quirk in quirks.of_streams()]
SHOWN = [name for name in NAMES if name != "raises_on_invalid_prefix"]


def engine(*names: str) -> Tokenizer:
    """The toy with these faults."""
    return Tokenizer(TOY.vocabulary, quirks.flip_all(map(quirks.get, names), TOY.behaviour))


def diagnosed(tokenizer: Tokenizer, base: Base = BASE, cases: Sequence[Case[Stream]] = CASES) -> list[Explanation]:
    """The explanations of all that an engine does wrongly."""

    def ask(cases: Sequence[AnyCase]) -> list[Outcome]:
        return [imitate(tokenizer, case.question) for case in cases]

    mismatches, controls = [], []
    for case, given in zip(cases, ask(cases), strict=True):
        if isinstance(given, Failure):
            failed = Difference("failure", failure=given.kind)
            mismatches.append(Mismatch(case, "toy", "e", "e", Streaming((b"",)), given, failed))
        elif isinstance(given, Streaming) and given.law:
            difference = Difference.parse(f"stream-{given.law}:{given.place}")
            mismatches.append(Mismatch(case, "toy", "e", "e", Streaming(given.right), given, difference))
        elif isinstance(given, Streaming):
            controls.append(Control(case, "toy", "e", given))
    return explained_streams(base, mismatches, controls[:100], ask, ask)


class Incremental(Tokenizer):
    """Decodes the bytes of ids as they come; a byte that begins no character is U+FFFD at once. The end is lost."""

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool = True) -> Iterator[bytes]:
        """A delta for each id."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        texts = [decoder.decode(self._bytes(i, skip_special)) for i in (*prefill, *ids)]
        yield from (text.encode() for text in texts[len(prefill) :])
        yield b""

    def _bytes(self, i: int, skip_special: bool) -> bytes:
        hidden = skip_special and self.vocabulary.kinds[i] is Kind.CONTROL
        return b"" if hidden else decode_byte_level(self.vocabulary, self.behaviour, [i])


def test_who_knows_bytes_is_explained_as_well_as_who_sees_text() -> None:
    """Whether a byte that begins no character waits is no fault; what is lost at the end is one."""
    source = formats.read(EMBEDDED / "small-bpe.json")
    subject = Subject(source.vocabulary, source.behaviour)
    cases = [case for case in stream_cases(subject, 0, 300) if len(case.question.row) < 40]
    engine = Incremental(source.vocabulary, source.behaviour)
    (found,) = diagnosed(engine, Base(source.vocabulary, source.behaviour), cases)
    assert (("stream_drops_incomplete_end",), "verified") == (found.quirks, found.status)


def test_of_two_faults_that_are_one_on_a_model_the_plainer_is_named() -> None:
    """Without a space prefix, an id by itself has the text that it has within others."""
    source = formats.read(EMBEDDED / "small-bpe.json")
    subject = Subject(source.vocabulary, source.behaviour)
    cases = [case for case in stream_cases(subject, 0, 100) if len(case.question.row) < 20]
    quirk = quirks.get("streams_each_id_alone")
    engine = Tokenizer(source.vocabulary, quirks.flip_all([quirk], source.behaviour))
    (found,) = diagnosed(engine, Base(source.vocabulary, source.behaviour), cases)
    assert (quirk.name,) == found.quirks


@pytest.mark.parametrize("name", nightly_but(SHOWN[::2], SHOWN))
def test_each_fault_is_named(name: str) -> None:
    """All its mismatches have this one cause, which new streams do not refute."""
    (found,) = diagnosed(engine(name))
    assert ((name,), "verified") == (found.quirks, found.status)
    assert 0 == found.attacked.otherwise < found.attacked.changes


def test_a_stream_that_raises_is_named() -> None:
    """Where decoding takes text back: here a byte that is not UTF-8 changes those before it."""
    raises = engine("raises_on_invalid_prefix", "stream_stalls_at_replacement_character")
    named = {one.quirks for one in diagnosed(raises)}
    assert ("stream_stalls_at_replacement_character",) in named


@pytest.mark.parametrize(
    "pair", list(combinations(("stream_drops_incomplete_end", "trims_first_space", "keeps_first_space"), 2))
)
def test_two_faults_are_told_apart(pair: tuple[str, str]) -> None:
    """Each mismatch has the fewest faults that give it, and no fault is named that was not planted."""
    found = diagnosed(engine(*pair))
    assert {*pair} >= {name for one in found for name in one.quirks}
    assert all(one.quirks for one in found)


def test_a_right_engine_has_no_cause() -> None:
    """Nothing is found, and nothing is asked."""
    assert [] == diagnosed(engine())


@pytest.mark.nightly
def test_what_no_fault_gives_is_unexplained() -> None:
    """An engine that shouts is told by the law that it breaks."""

    class Shouts(Tokenizer):
        """Capital letters, id by id."""

        def stream(self, *args: object, **more: object):  # type: ignore[no-untyped-def, override]
            """As they come."""
            return (delta.upper() for delta in super().stream(*args, **more))  # type: ignore[arg-type]

    found = diagnosed(Shouts(TOY.vocabulary, TOY.behaviour))
    assert {()} == {one.quirks for one in found}
    assert {"unexplained"} == {one.status for one in found}


def test_what_comes_without_a_fault_has_no_cause(tmp_path: Path) -> None:
    """Where decoding takes text back, the right stream breaks a law. No fault explains that, though some change
    nothing there."""
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(with_byte_pieces()))
    source = formats.read(path)
    base = Base(source.vocabulary, source.behaviour)
    cases = [*stream_cases(Subject(source.vocabulary, source.behaviour), 0, 200)]
    found = diagnosed(base.tokenizer, base, [case for case in cases if len(case.question.row) < 20])
    assert {("unexplained", ())} == {(one.status, one.quirks) for one in found}


def test_a_library_s_way_is_one_cause_where_decoding_takes_text_back() -> None:
    """All that the streams of a library do wrongly has one cause; another fault beside it is named as well."""
    for way in ("streams_words_without_prompt", "streams_since_two_deltas"):
        (found,) = diagnosed(engine(way))
        assert ((way,), "verified") == (found.quirks, found.status)
        beside = {one.quirks for one in diagnosed(engine(way, "drops_replacement_characters"))}
        assert any("drops_replacement_characters" in names for names in beside)


@pytest.mark.nightly
def test_pieces_that_decoding_cleans_up_are_named() -> None:
    """A stream of pieces keeps the spaces before punctuation that decoding leaves out."""
    source = formats.read(EMBEDDED / "small-bpe.json")
    subject = Subject(source.vocabulary, source.behaviour)
    cases = [case for case in stream_cases(subject, 0, 300) if len(case.question.row) < 20]
    cleaning = quirks.flip_all([quirks.get("cleans_up_spaces")], source.behaviour)

    class Pieces(Tokenizer):
        """What decoding has before it is cleaned up, id by id."""

        def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool = True) -> Iterator[bytes]:
            """A delta for each id."""
            yield from (Tokenizer(source.vocabulary, source.behaviour).decode([i], skip_special) for i in ids)
            yield b""

    found = diagnosed(Pieces(source.vocabulary, cleaning), Base(source.vocabulary, source.behaviour), cases)
    assert {("keeps_first_space",), ("streams_each_id_alone",)} >= {one.quirks for one in found}


def test_a_long_stream_has_the_cause_of_the_others() -> None:
    """It is predicted whole: where another fault acts far behind, it stays without that cause."""
    symbol = TOY.vocabulary.pieces.index(b"!")
    long = Case(Stream((symbol,) * 300), CASES[0].origin)
    (found,) = diagnosed(engine("waits_for_space_after_symbol"), cases=[*CASES, long])
    assert ("waits_for_space_after_symbol",) == found.quirks

    class StopsLate(Tokenizer):
        """Loses what comes behind 200 ids."""

        def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool = True) -> Iterator[bytes]:
            """A delta for each id."""
            given = list(super().stream(prefill, ids, skip_special))
            yield from (delta if at < 200 else b"" for at, delta in enumerate(given))

    late = StopsLate(TOY.vocabulary, engine("waits_for_space_after_symbol").behaviour)
    named = [one.quirks for one in diagnosed(late, cases=[*CASES, long])]
    assert [("waits_for_space_after_symbol",), ()] == named


class Leaks(Tokenizer):
    """One decoder for all streams, so that a stream begins with what is left of the one before."""

    decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool = True) -> Iterator[bytes]:
        """A delta for each id."""
        for i in ids:
            yield self.decoder.decode(self.vocabulary.pieces[i]).encode()
        yield b""


def test_what_does_not_come_again_keeps_state() -> None:
    """In another order a new process answers otherwise; what does come again is told as ever."""
    toy = toys.byte_bpe("a+b", decode=decode_byte_level)
    base = Base(toy.vocabulary, toy.behaviour)
    raw = replace(toy.vocabulary, pieces=tuple(from_alphabet(piece.decode()) for piece in toy.vocabulary.pieces))
    cases = [
        case for case in stream_cases(Subject(toy.vocabulary, toy.behaviour), 0, 60) if len(case.question.row) < 40
    ]
    found = diagnosed(Leaks(raw, toy.behaviour), base, cases)
    assert any(one.strays and one.character for one in found)
    lost = diagnosed(engine("stream_drops_incomplete_end"), cases=CASES[:60])
    assert not any(one.strays for one in lost)
