"""What an engine's very same answers led to before is taken over, and only then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tokparity import formats, quirks
from tokparity.case import AnyCase, text_case
from tokparity.cli import main
from tokparity.diagnose import Explanation, Found
from tokparity.difference import difference_of
from tokparity.finding import Control, Mismatch
from tokparity.models.record import EMBEDDED
from tokparity.outcome import Failure, Outcome
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session import conclusions, explain
from tokparity.session.asking import AskedEngine
from tokparity.session.evidence import Kept
from tokparity.session.explain import Enquiry, Explainer

pytestmark = pytest.mark.usefixtures("few_texts")

QUIRK = "omits_space_prefix"
TAKEN_OVER = conclusions.TAKEN_OVER.format("llama.cpp")
TEXTS = [b"a", b"", b"  two  spaces ", b"x  y", b" a", b"one two", b"a b  c", b"   ", b"xyz", b"One Two"]


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path))
    monkeypatch.delenv("TOKPARITY_ANEW")


class Engine:
    """An engine with one quirk, which counts the texts that it is asked."""

    put = ()
    asked: Sequence[AnyCase] = ()
    panel = SimpleNamespace(unavailable={})

    def __init__(self, quirk: str) -> None:
        source = formats.read(EMBEDDED / "small-spm.model")
        self.right = Tokenizer(source.vocabulary, source.behaviour)
        self.tokenizer = self.right.with_behaviour(quirks.flip_all([quirks.get(quirk)], source.behaviour))
        self.texts = 0

    def __call__(self, cases: Sequence[AnyCase]) -> list[Outcome]:
        self.texts += len(cases)
        return [imitate(self.tokenizer, case.question, decodes=True) for case in cases]

    fresh = anew = __call__


def enquiry(engine: Engine, texts: Sequence[bytes] = TEXTS, name: str = "llama.cpp", version: str = "1") -> Enquiry:
    """What a session asks about the engine after these texts."""
    evidence = Kept()
    for text in texts:
        case = text_case(text)
        expected, actual = (imitate(one, case.question, decodes=True) for one in (engine.right, engine.tokenizer))
        assert not isinstance(expected, Failure)
        assert not isinstance(actual, Failure)
        if (difference := difference_of(case, expected, actual)) is None:
            evidence.controls.append(Control(case, "m", name, actual))
        else:
            evidence.indices.append(len(evidence.mismatches))
            evidence.mismatches.append(Mismatch(case, "m", name, "o", expected, actual, difference))
    evidence.counts = Counter(mismatch.kind for mismatch in evidence.mismatches)
    sources = [formats.read(EMBEDDED / "small-spm.model")]
    return Enquiry(evidence, sources, cast(AskedEngine, engine), {QUIRK}, version=version)


def concluded(of: Enquiry, explainer: Explainer | None = None) -> tuple[list[Found], list[str]]:
    """The findings, and the notes: one where they were taken over."""
    notes: list[str] = []
    return (explainer or Explainer(names_only=True)).findings(replace(of, note=notes.append)), notes


@pytest.fixture
def _all_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is concluded costs nothing: the one known cause explains everything."""

    def cause(bases: object, mismatches: Sequence[Mismatch], *rest: object) -> list[Explanation]:
        return [Explanation("ids", "reproduced", tuple(range(len(mismatches))), (QUIRK,))]

    monkeypatch.setattr(explain, "diagnose", cause)


def test_the_same_answers_lead_to_the_same_findings() -> None:
    """The engine is asked nothing the second time, all of each finding comes back, and the report says why."""
    engine = Engine(QUIRK)
    of, explainer = enquiry(engine), Explainer()
    found, notes = concluded(of, explainer)
    assert engine.texts
    assert not notes
    assert "verified" in {one.finding.status for one in found}
    engine.texts = 0
    assert (found, [TAKEN_OVER]) == concluded(of, Explainer())
    assert not engine.texts


def others() -> Iterator[Enquiry]:
    """What is not the same: one text more, another version, another engine, other known quirks, a limit of time."""
    engine = Engine(QUIRK)
    of = enquiry(engine)
    yield enquiry(engine, [*TEXTS, b"another"])
    yield enquiry(engine, version="2")
    yield enquiry(engine, name="kitoken")
    yield replace(of, known={QUIRK, "folds_case"})
    yield replace(of, seconds=60.0)
    yield enquiry(Engine("folds_case"))


@pytest.mark.usefixtures("_all_is_known")
@pytest.mark.parametrize("place", range(6))
def test_anything_else_is_looked_for_again(place: int) -> None:
    """Nothing is taken over that was concluded of something else."""
    concluded(of := enquiry(Engine(QUIRK)))
    assert concluded(of)[1]
    assert not concluded(list(others())[place])[1]


@pytest.mark.usefixtures("_all_is_known")
@pytest.mark.parametrize(("name", "version"), [("mine:Engine", "1"), ("exec:./engine", "1"), ("llama.cpp", "")])
def test_an_engine_of_the_users_own_is_always_asked(name: str, version: str) -> None:
    """Its code may be another one with the same version."""
    of = enquiry(Engine(QUIRK), name=name, version=version)
    assert [(concluded(of)[0], [])] * 2 == [concluded(of), concluded(of)]


@pytest.mark.usefixtures("_all_is_known")
@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'[{"finding": {}, "members": [0]}]', b"[" * 100_000, b"\xff"])
def test_a_damaged_file_counts_as_none(damage: bytes, tmp_path: Path) -> None:
    """It is written anew."""
    of = enquiry(Engine(QUIRK))
    found = concluded(of)[0]
    (kept,) = (tmp_path / conclusions.FOLDER).glob("*.json")
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    assert (found, [], whole) == (*concluded(of), kept.read_bytes())


@pytest.mark.usefixtures("_all_is_known")
def test_what_is_new_is_looked_for_each_time(tmp_path: Path) -> None:
    """A red is never one that was read from a file; nor is a finding of another engine."""
    of = enquiry(Engine(QUIRK))
    for _ in range(2):
        assert not concluded(replace(of, known=set()))[1]
    assert not [*(tmp_path / conclusions.FOLDER).glob("*.json")]
    concluded(of)
    (kept,) = (tmp_path / conclusions.FOLDER).glob("*.json")
    kept.write_text(kept.read_text().replace('"llama.cpp"', '"kitoken"'))
    assert not concluded(of)[1]


@pytest.mark.usefixtures("_all_is_known")
def test_a_mismatch_that_is_not_there_is_no_member(tmp_path: Path) -> None:
    """A finding of other mismatches is not taken over."""
    of = enquiry(Engine(QUIRK))
    concluded(of)
    (kept,) = (tmp_path / conclusions.FOLDER).glob("*.json")
    kept.write_text(kept.read_text().replace('"members": [', '"members": [999, '))
    assert not concluded(of)[1]


@pytest.mark.usefixtures("_all_is_known")
def test_the_variable_has_the_causes_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note names it."""
    of = enquiry(Engine(QUIRK))
    concluded(of)
    monkeypatch.setenv(conclusions.ANEW, "1")
    assert conclusions.ANEW in TAKEN_OVER
    assert not concluded(of)[1]


def test_a_second_check_tells_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The gate of a model with known deviations, twice: the same findings, and a note in the second report."""
    reports = []
    for name in ("one", "two"):
        assert 0 == main(["check", "small-spm", "--quick", "--engine", "llama.cpp", "--out", str(tmp_path / name)])
        reports.append((tmp_path / name / "findings.csv").read_text())
        said = TAKEN_OVER in (tmp_path / name / "report.jsonl").read_text()
        assert said is (name == "two")
    assert reports[0] == reports[1]
    assert reports[0].count("llama.cpp") > 1
    capsys.readouterr()
