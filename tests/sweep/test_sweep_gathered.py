"""What is gathered of parts of a text is what the whole text gives."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity import models
from tokparity.models import Model
from tokparity.outcome import Failure
from tokparity.session.evidence import Keep
from tokparity.session.panel import MEMORY
from tokparity.sweep import gathered, reading, unit_file
from tokparity.sweep.gathered import Gathered
from tokparity.sweep.merge import Cost, FirstLines, decoded_again
from tokparity.sweep.open_model import Opened, asked
from tokparity.sweep.shards import TextFile
from tokparity.sweep.texts import Text, text_of
from tokparity.sweep.unit import Done, Unit, done

RIGHT, MARKS, SPACES, CRASHES = (f"fake_engines:{name}" for name in ("Right", "DropsMarks", "DecodesSpaces", "Crashes"))
UTF8 = "fake_engines:Utf8Only"
LINES = [
    *(f"plain {number % 50}" for number in range(300)),
    *(f"e\u0301 {number % 20} {'x' * (number % 7)}" for number in range(200)),
    *(f"two  spaces {number}" for number in range(60)),
    *["same e\u0301"] * 40,
]


def model(oracle: str = RIGHT) -> Model:
    """A model that a fake is right about."""
    return Model("fake", models.load("small-spm").sources, oracle)


def text_in(folder: Path, size: int, lines: list[str] = LINES) -> Text:
    """The lines in a file, in shards of this size."""
    path = folder / "texts.txt"
    path.write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")
    return text_of([str(path)], "text", size)


def of_units(text: Text, opened: Opened, own: Model, one_in: int = 1) -> tuple[Gathered, Cost, list[Done]]:
    """All units one after the other, through their files."""
    found, cost, lines = Gathered(), Cost(own.name), FirstLines(text.shards)
    each = []
    for shard in text.shards:
        one = done(Unit(own, (), shard, one_in), opened)
        stored = unit_file.read(unit_file.to_parquet(one), found)
        lines.number(stored)
        found.add(stored.gathered)
        cost.add(stored)
        each.append(stored)
    return found, cost, each


def told(found: Gathered, engines: list[str]) -> object:
    """All that a report is made of."""
    controls = {engine: [one.control for one in of.smallest()] for engine, of in found.controls.items()}
    stored = found.stored(engines)
    return [placed.mismatch for placed in stored], found.counts(), found.final_tallies(stored), controls


@pytest.mark.parametrize(("size", "one_in"), [(60, 1), (1000, 1), (4000, 1), (1000, 3)])
def test_it_does_not_depend_on_the_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, one_in: int
) -> None:
    """Counts, mismatches with the lines they stand on, and controls are those of one shard, however little is kept."""
    monkeypatch.setattr(gathered, "KEEP", Keep(5, 1 << 14, 1 << 62, controls=10, controls_per_batch=0))
    monkeypatch.setattr(gathered, "EVIDENCE_BYTES", 12_000)
    engines = [RIGHT, MARKS, SPACES]
    opened = Opened(model(), engines, 20.0, MEMORY)
    try:
        whole, cost, (only,) = of_units(text_in(tmp_path, 1 << 20), opened, model(), one_in)
        parts, other, units = of_units(text_in(tmp_path, size), opened, model(), one_in)
    finally:
        opened.close()
    assert told(whole, engines) == told(parts, engines)
    assert (len(LINES), len(LINES), cost.bytes) == (only.lines, other.texts, other.bytes)
    assert len(units) > 1
    assert len(set(LINES)) == cost.put <= other.put
    assert (600, 240) == (whole.tallies[MARKS].cases, whole.tallies[MARKS].mismatches)
    first = whole.stored(engines)[0].mismatch.case.origin
    assert LINES[first.number - 1].startswith("e\u0301")


def test_a_share_of_the_texts_is_decoded_again(tmp_path: Path) -> None:
    """Every text is encoded; an engine that decodes otherwise is found by the share, and by nothing else."""
    opened = Opened(model(), [RIGHT, MARKS, SPACES], 20.0, MEMORY)
    try:
        every, all_of, _ = of_units(text_in(tmp_path, 1 << 20), opened, model())
        some, share, _ = of_units(text_in(tmp_path, 1 << 20), opened, model(), 4)
    finally:
        opened.close()
    distinct = {line.encode() for line in LINES}
    chosen = {text for text in distinct if zlib.crc32(text) < 1 << 30}
    assert (len(distinct), len(distinct), len(chosen)) == (all_of.put, all_of.decoded, share.decoded)
    assert every.tallies[MARKS].mismatches == some.tallies[MARKS].mismatches
    assert 0 < some.tallies[SPACES].round_trip < every.tallies[SPACES].round_trip
    assert chosen >= {
        one.question.shown for one in some.stored([RIGHT, MARKS, SPACES]) if one.mismatch.engine == SPACES
    }
    assert decoded_again(all_of) == ""
    assert f"{len(chosen)} had their ids decoded again" in decoded_again(share)


def test_the_reference_is_asked_what_the_oracle_cannot_be(tmp_path: Path) -> None:
    """Only that: the others it would only confirm."""
    lines = ["a", "\udcff b", "c", "\udcff b", "d"]
    own = model(UTF8)
    opened = Opened(own, [RIGHT], 20.0, MEMORY)
    try:
        found, _, _ = of_units(text_in(tmp_path, 1 << 20, lines), opened, own)
    finally:
        opened.close()
    tallies = found.final_tallies(found.stored([UTF8, RIGHT]))
    assert (5, 2, 0) == (tallies[UTF8].cases, tallies[UTF8].unsupported, tallies[UTF8].unjudged)
    assert (5, 3, 2) == (tallies[RIGHT].cases, tallies[RIGHT].equal, tallies[RIGHT].mismatches)
    assert {"reference"} == {one.mismatch.oracle for one in found.stored([UTF8, RIGHT])}


def test_who_is_asked_everything() -> None:
    """The reference is, if somebody names it or it judges; otherwise only where it must judge."""
    shown = [RIGHT, "reference", "reference+greedy_longest_match"]
    assert [RIGHT] == asked(model(), [], shown)
    assert [RIGHT, "reference"] == asked(model(), ["reference"], shown)
    assert [RIGHT, "reference"] == asked(model("reference"), [], shown)


def test_a_crash_is_of_its_text(tmp_path: Path) -> None:
    """As in a run, and counted as often as the text occurs."""
    lines = ["plain", "caf\u00e9", "caf\u00e9", "end"]
    opened = Opened(model(), [CRASHES], 20.0, MEMORY)
    try:
        found, _, _ = of_units(text_in(tmp_path, 1 << 20, lines), opened, model())
    finally:
        opened.close()
    (placed,) = found.stored([RIGHT, CRASHES])
    assert isinstance(placed.mismatch.actual, Failure)
    assert (2, 2, 1) == (placed.mismatch.case.origin.number, *_failures(found))


def test_an_engine_that_is_killed_from_outside_is_asked_again(tmp_path: Path) -> None:
    """That it died says nothing about the text, not even where this was put alone."""
    engine = "fake_engines:KilledOnce"
    opened = Opened(model(), [engine], 20.0, MEMORY)
    try:
        found, _, _ = of_units(text_in(tmp_path, 1 << 20, [str(tmp_path / "killed")]), opened, model())
    finally:
        opened.close()
    assert (tmp_path / "killed").exists()
    assert (1, 1, []) == (found.tallies[engine].cases, found.tallies[engine].equal, found.stored([RIGHT, engine]))


def _failures(found: Gathered) -> tuple[int, int]:
    tally = found.final_tallies(found.stored([RIGHT, CRASHES]))[CRASHES]
    return tally.failures, tally.not_stored


def test_blocks_of_a_shard_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard that is larger than what is held at a time gives the same."""
    opened = Opened(model(), [MARKS], 20.0, MEMORY)
    try:
        whole, _, _ = of_units(text_in(tmp_path, 1 << 20), opened, model())
        monkeypatch.setattr(reading, "BLOCK", 700)
        blocks, _, _ = of_units(text_in(tmp_path, 1 << 20), opened, model())
    finally:
        opened.close()
    assert told(whole, [RIGHT, MARKS]) == told(blocks, [RIGHT, MARKS])


def test_what_follows_a_part_that_stopped_is_told_from_where_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows how many lines that part had, so that no line is given a wrong number."""
    text = text_in(tmp_path, 1000)
    chunks = reading.chunks

    def stopping(file: TextFile, start: int) -> Iterator[bytes]:
        yield from () if start == 999 else chunks(file, start)

    monkeypatch.setattr(reading, "chunks", stopping)
    opened = Opened(model(), [MARKS], 20.0, MEMORY)
    try:
        found, _, units = of_units(text, opened, model())
    finally:
        opened.close()
    assert [False, True, False] == [one.stopped for one in units[:3]]
    name = text.files[0].name
    names = {placed.mismatch.case.origin.name for placed in found.stored([RIGHT, MARKS])}
    assert names <= {f"{name} from {shard.start}" for shard in text.shards[2:]}
    assert names
