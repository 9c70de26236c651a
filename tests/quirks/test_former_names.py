"""Renamed quirks: old names stay valid in every file and on the command line, and one line says the new name."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity import quirks
from tokparity.case import text_case
from tokparity.cli import main
from tokparity.difference import Difference
from tokparity.errors import UsageError
from tokparity.finding import Finding, Mismatch, RuledOut
from tokparity.models import repository
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.quirks.former_names import FORMER
from tokparity.report import file as report_file
from tokparity.report.model import Footer, Header, Report
from tokparity.vectors import file as vectors_file

STORED = Path(__file__).parents[2] / "vectors" / "small-spm.vectors.json"
ANY_NEW = rf"\b({'|'.join(FORMER.values())})\b"
OLD, NEW = "tries_marker_at_words", "greedy_longest_match_with_marker"

pytestmark = pytest.mark.filterwarnings("ignore::tokparity.errors.OldNameWarning")


@pytest.mark.parametrize(("old", "new"), FORMER.items())
def test_an_old_name_gives_the_quirk_of_today(old: str, new: str) -> None:
    """Each old name is that of a quirk which has another name today."""
    assert quirks.get(old) is quirks.get(new)
    assert old not in quirks.names()


def test_an_unknown_name_stays_unknown() -> None:
    """A name that no quirk ever had is refused, and the nearest name of today is offered."""
    with pytest.raises(UsageError, match="unknown quirk 'greedy_longest_matches'") as raised:
        quirks.get("greedy_longest_matches")
    assert "greedy_longest_match" in raised.value.hint


def test_the_command_line_takes_an_old_name_and_says_the_new_one_once(capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that is named twice by an old name costs one line; today's name costs none."""
    engine = "reference+hands_text_on_unprepared"
    assert 1 == main(["diff", "small-spm", "a b", "--engine", engine, "--engine", f"{engine}+omits_bos"])
    told = [line for line in capsys.readouterr().err.splitlines() if "deprecated" in line]
    new = "the quirk 'hands_text_on_unprepared' is now called 'skips_preprocessing'; the old name still works"
    assert [f"tokparity: deprecated: {new}"] == told
    assert 1 == main(["diff", "small-spm", "a b", "--engine", "reference+skips_preprocessing"])
    assert "deprecated" not in capsys.readouterr().err


def test_an_accepted_list_with_an_old_name_is_that_of_today(tmp_path: Path) -> None:
    """An entry of tokparity.toml accepts the quirk under either name."""
    (tmp_path / "t.json").write_text("{}")
    entry = '[models.toy]\ntokenizer-json = "t.json"\n[[models.toy.accepted]]\nengine = "llama.cpp"\nreason = "x"\n'
    old, new = (
        repository.parsed(tmp_path / "tokparity.toml", f'{entry}quirks = ["{name}", "omits_bos"]\n').model("toy")
        for name in (OLD, NEW)
    )
    assert (NEW, "omits_bos") == old.accepted[0].quirks
    assert new == old


def finding(name: str, engine: str) -> Finding:
    """A finding that has the quirk `name` wherever a finding can have one."""
    case = text_case(name.encode())
    small = Mismatch(case, "toy", engine, "o", Encoding((1, 2)), Encoding((1,)), Difference("ids", 1), (b"a",), ())
    return Finding(
        f"{engine}-{name}+omits_bos-2", "toy", engine, "o", "ambiguous", small, 3, quirks=(name, "omits_bos"),
        alternatives=((name,),), ruled_out=(RuledOut((name,), 1, 2, Encode(b"a")),), wrong_keys=((name, "a key"),),
    )  # fmt: skip


def test_a_report_with_old_names_is_that_of_today(tmp_path: Path) -> None:
    """Causes, alternatives and the finding's name are today's; texts and the engine stay as they were put."""
    engine = f"reference+{OLD}"
    header = Header("0.1.0", "15.0", {}, {}, 0, ("tokparity", "check"), "2026-11-21T10:00:00+00:00")
    old = finding(OLD, engine)
    report_file.write(Report(header, (), findings=(old,), footer=Footer("complete", 1.0)), tmp_path / "old.jsonl")
    expected = replace(finding(NEW, engine), smallest=old.smallest)
    assert (expected,) == report_file.read(tmp_path / "old.jsonl").findings


def test_vectors_with_old_names_are_those_of_today(tmp_path: Path) -> None:
    """A file that an earlier version made reads as the same faults, shown, alike or not shown."""
    text = STORED.read_text(encoding="utf-8")
    before = tmp_path / STORED.name
    before.write_text(re.sub(ANY_NEW, lambda new: former(new[0]), text), encoding="utf-8")
    assert any(f'"{name}"' in before.read_text(encoding="utf-8") for name in FORMER)
    assert vectors_file.read(STORED) == vectors_file.read(before)


def former(name: str) -> str:
    """The old name of a quirk that has one."""
    return next(old for old, new in FORMER.items() if new == name)
