"""What a session takes of the processor: each part for itself, engines' processes as well."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import whole_run
from tokparity.engines.process.usage import is_told, processor_seconds
from tokparity.errors import UsageError
from tokparity.session.costs import PARTS, Costs, total
from tokparity.session.one_model import Options
from tokparity.session.panel import EnginePanel, Seat

BUSY = 0.05  # processor seconds


def work(seconds: float = BUSY) -> None:
    """Keep the processor busy for so long."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_part_within_another_counts_for_itself_alone() -> None:
    """Writing while judging is writing; afterwards it is judging again; beside all parts nothing counts."""
    costs = Costs()
    work()
    with costs.of("judging"):
        work()
        with costs.of("writing"):
            work(2 * BUSY)
        work()
    work()
    assert pytest.approx({"judging": 2 * BUSY, "writing": 2 * BUSY}, abs=BUSY / 2) == dict(costs.seconds)


def test_making_items_counts_and_using_them_does_not() -> None:
    """What is done between two items is not the source's."""

    def source() -> Iterator[int]:
        for number in range(3):
            work()
            yield number

    costs = Costs()
    taken = []
    for number in costs.each("generating", source()):
        taken.append(number)
        work()
    assert [0, 1, 2] == taken
    assert pytest.approx({"generating": 3 * BUSY}, abs=BUSY) == dict(costs.seconds)


def test_the_reference_counts_apart_from_other_engines() -> None:
    """Opening is one part for all; the reference answers on its own account, with quirks or without; costs add up."""
    costs = Costs()
    costs.add_engines({"llama.cpp": (1.0, 2.0), "reference": (3.0, 4.0), "reference+omits_bos": (5.0, 6.0)})
    found = total([costs, costs])
    assert {"opening": 18.0, "engines": 4.0, "reference": 20.0} == {part: s for part, s in found.items() if s}
    assert list(PARTS) == list(found)


@pytest.mark.skipif(not is_told(), reason="only Linux tells what other processes take")
def test_another_process_is_measured() -> None:
    """A busy process has taken time, one that is gone has not."""
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        end = time.monotonic() + 60
        while processor_seconds(busy.pid) < BUSY and time.monotonic() < end:
            time.sleep(0.01)
        assert BUSY <= processor_seconds(busy.pid)
    finally:
        busy.kill()
        busy.wait()
    assert 0.0 == processor_seconds(busy.pid)


@pytest.mark.skipif(not is_told(), reason="only Linux tells what other processes take")
def test_a_panel_tells_what_its_engines_took_also_when_they_are_ended() -> None:
    """Opening takes time; what was taken is neither lost nor counted twice when the engines end."""
    with EnginePanel([Seat("fake_engines:BusyOpening", "none"), Seat("llama.cpp", "no such file")], 20.0) as panel:
        before = panel.processor_seconds()
    after = panel.processor_seconds()
    assert {"fake_engines:BusyOpening", "llama.cpp"} == before.keys() == after.keys()
    assert before["fake_engines:BusyOpening"][0] == after["fake_engines:BusyOpening"][0] > 0.0
    assert 0.0 == after["llama.cpp"][1]
    assert (
        before["fake_engines:BusyOpening"][1]
        <= after["fake_engines:BusyOpening"][1]
        < before["fake_engines:BusyOpening"][1] + 1.0
    )


@pytest.mark.skipif(not is_told(), reason="only Linux tells what other processes take")
def test_a_whole_run_is_told_by_part(tmp_path: Path) -> None:
    """Engines, the reference and our own process have taken time, and the parts add up to all there is."""
    texts = tmp_path / "texts.txt"
    texts.write_text("plain\ntwo  spaces\n")
    whole = whole_run.measure(["small-spm"], Options(("reference",), (str(texts),), cases=100))
    assert set(PARTS) == set(whole.parts)
    assert min(whole.parts[part] for part in ("opening", "preparing", "generating", "judging", "writing")) > 0.0
    assert pytest.approx(whole.processor) == whole.rest + sum(whole.parts.values())
    assert 0.0 < whole.rest < whole.own
    rows = whole_run.table(whole, ["small-spm"]).row_count
    assert len(PARTS) + 4 == rows


def test_without_proc_it_is_said_that_engines_cannot_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """No table with zeros in it."""
    monkeypatch.setattr("benchmarks.whole_run.is_told", lambda: False)
    with pytest.raises(UsageError, match="does not tell"):
        whole_run.measure(["small-spm"], Options())
