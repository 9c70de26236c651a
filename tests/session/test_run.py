"""The main job on deterministic fake engines: counts, findings, acceptance, limits of time, engines that cannot run."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tokparity import models
from tokparity.case import TextCase, text_case
from tokparity.cli import main
from tokparity.errors import MissingDependencyError
from tokparity.finding import Finding, Mismatch
from tokparity.models import AcceptedFinding, Model
from tokparity.questions import Encode
from tokparity.questions.json_text import literal
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Header, Pair, Report
from tokparity.report.verdict import verdict
from tokparity.session.clock import Clock
from tokparity.session.events import Event, Judged
from tokparity.session.evidence import Keep
from tokparity.session.one_model import Options
from tokparity.session.run import RunResult, run
from tokparity.sources import corpora
from tokparity.sources.corpora import CorpusCases

pytestmark = pytest.mark.usefixtures("few_texts")

HEADER = Header("0.1.0", "15.0", {}, {}, 0, (), "now")
TEXTS = ("plain", "yy e\u0301", "two  spaces", "caf\u00e9", "xx e\u0301")
RIGHT, MARKS, SPACES = "fake_engines:Right", "fake_engines:DropsMarks", "fake_engines:DecodesSpaces"


class Quiet:
    """A listener that only counts."""

    def __init__(self) -> None:
        self.cases = 0

    def __call__(self, event: Event) -> None:
        """Count."""
        if isinstance(event, Judged):
            self.cases += event.cases


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A file with the texts above, one per line, and one that is not UTF-8."""
    path = tmp_path / "texts.txt"
    path.write_bytes("\n".join(TEXTS).encode() + b"\n\xff\n")
    return str(path)


def model(accepted: tuple[AcceptedFinding, ...] = (), oracle: str = RIGHT) -> Model:
    """A model that a fake is right about; its file is one of our small ones."""
    return Model("fake", models.load("small-spm").sources, oracle, accepted=accepted)


def ran(
    folder: Path, corpus: str, *engines: str, accepted: tuple[AcceptedFinding, ...] = (), **options: object
) -> tuple[RunResult, Report]:
    """Run the fakes on the corpus alone."""
    settings = Options(engines=engines, corpora=(corpus,), **{"cases": 0, "probes": False, **options})  # type: ignore[arg-type]
    path = folder / "report.jsonl"
    result = run([model(accepted)], settings, ReportWriter(path, HEADER), Quiet())
    return result, read(path)


def new(result: RunResult) -> list[Finding]:
    """What is neither known nor accepted."""
    return [finding for finding in result.findings if finding.is_new]


def pair(report: Report, engine: str) -> Pair:
    """The counts of one engine."""
    (found,) = [pair for pair in report.pairs if pair.engine == engine]
    return found


def put(report: Report) -> list[Mismatch]:
    """The mismatches on texts that were put, without those that were made smaller from them."""
    return [mismatch for mismatch in report.mismatches if not mismatch.case.origin.shrunk]


def text(mismatch: Mismatch) -> bytes:
    """The text that was put."""
    assert isinstance(mismatch.case.question, Encode)
    return mismatch.case.question.text


def test_agreement_and_disagreement(tmp_path: Path, corpus: str) -> None:
    """Every engine has its counts, every mismatch is in the report, and the smallest text names the finding."""
    result, report = ran(tmp_path, corpus, RIGHT, MARKS, SPACES)
    counts = {p.engine: (p.cases, p.equal, p.mismatches, p.round_trip) for p in report.pairs}
    assert {RIGHT: (6, 6, 0, 0), MARKS: (6, 4, 2, 0), SPACES: (6, 6, 0, 1)} == counts
    assert {b"yy e\xcc\x81", b"xx e\xcc\x81", b"two  spaces"} == {text(m) for m in put(report)}
    assert {"round_trip:4", "ids:5"} == {str(m.difference) for m in put(report)}
    assert result.findings == report.findings
    assert ("complete", False) == (result.ended, report.truncated)
    smallest = {finding.engine: text(finding.smallest) for finding in report.findings}
    assert {MARKS: b" \xcc\x81", SPACES: b"  "} == smallest  # made smaller, as far as it goes


def test_a_crash_is_a_failure_of_one_case(tmp_path: Path, corpus: str) -> None:
    """The run goes on, the others' answers are there, and the failure has its signal."""
    _, report = ran(tmp_path, corpus, RIGHT, "fake_engines:Crashes")
    found = pair(report, "fake_engines:Crashes")
    assert (6, 5, 0, 1) == (found.cases, found.equal, found.mismatches, found.failures)
    (mismatch,) = put(report)
    assert ("failure:crash", "caf\u00e9".encode()) == (str(mismatch.difference), text(mismatch))
    assert ["fake_engines:Crashes-failure-crash-6"] == [finding.name for finding in report.findings]


def test_what_an_engine_cannot_be_asked_is_no_mismatch(tmp_path: Path, corpus: str) -> None:
    """A text that is not UTF-8 is unsupported by an engine that takes only UTF-8."""
    found = pair(ran(tmp_path, corpus, "fake_engines:Utf8Only")[1], "fake_engines:Utf8Only")
    assert (6, 5, 0, 1) == (found.cases, found.equal, found.mismatches, found.unsupported)


@pytest.mark.parametrize("engine", ["fake_engines:Refuses", "fake_engines:OtherFormat"])
def test_an_engine_that_cannot_run_is_unavailable(tmp_path: Path, corpus: str, engine: str) -> None:
    """It is in the report with the reason, without a case, and nothing is called a mismatch."""
    result, report = ran(tmp_path, corpus, RIGHT, engine)
    assert pair(report, engine).unavailable
    assert (0, ()) == (pair(report, engine).cases, result.findings)
    assert 6 == pair(report, RIGHT).equal


def test_the_reference_judges_what_the_oracle_cannot(tmp_path: Path, corpus: str) -> None:
    """Where the oracle takes only UTF-8, the reference says what is right, and the mismatch says so."""
    options = Options(engines=(RIGHT,), corpora=(corpus,), cases=0, probes=False)
    path = tmp_path / "report.jsonl"
    run([model(oracle="fake_engines:Utf8Only")], options, ReportWriter(path, HEADER), Quiet())
    report = read(path)
    assert {b"\xff": "reference"} == {text(m): m.oracle for m in report.mismatches}
    assert (6, 5) == (pair(report, RIGHT).cases, pair(report, RIGHT).equal)


def test_accepted_findings_are_known(tmp_path: Path, corpus: str) -> None:
    """An accepted text is always put to the engines, and the finding that holds it is accepted."""
    entry = AcceptedFinding(MARKS, "it always did", text=literal("e\u0301".encode()))
    result, report = ran(tmp_path, corpus, RIGHT, MARKS, accepted=(entry,))
    assert [(True, "it always did")] == [(f.accepted, f.reason) for f in result.findings]
    assert ([], ()) == (new(result), result.vanished)
    assert 6 + 4 == pair(report, MARKS).cases  # with each pair of flags


def test_accepted_findings_vanish(tmp_path: Path, corpus: str) -> None:
    """One that does not occur is told, if its engine was run; another engine's is not judged."""
    here = AcceptedFinding(SPACES, "was so", text=literal(b"fine"))
    elsewhere = AcceptedFinding(MARKS, "was so", text=literal(b"fine"))
    result, report = ran(tmp_path, corpus, RIGHT, SPACES, accepted=(here, elsewhere))
    assert [SPACES] == [vanished.engine for vanished in result.vanished]
    assert result.vanished == report.vanished
    assert 1 == len(new(result))


def test_seed_repeats_the_texts(tmp_path: Path, corpus: str) -> None:
    """The same seed gives the same random texts and so the same report; another one does not."""

    def texts(seed: int) -> list[bytes]:
        _, report = ran(tmp_path, corpus, RIGHT, MARKS, cases=3000, seed=seed)
        return [text(m) for m in put(report) if m.case.origin.source == "generator" and m.case.origin.seed == seed]

    first = texts(1)
    assert first
    assert first == texts(1)
    assert first != texts(2)


def test_counts_are_exact_beyond_what_is_stored(tmp_path: Path, corpus: str) -> None:
    """With room for one mismatch, two are counted and one is stored."""
    _, report = ran(tmp_path, corpus, RIGHT, MARKS, keep=Keep(mismatches=1))
    found = pair(report, MARKS)
    assert (2, 1) == (found.mismatches, found.not_stored)
    assert 1 == len(put(report))
    assert [(1, 1)] == [(finding.mismatches, finding.unexamined) for finding in report.findings]


def test_the_clock_ends_a_run(tmp_path: Path, corpus: str) -> None:
    """At the deadline, or when told to, the report is whole and says so; nothing is said to have vanished."""
    entry = AcceptedFinding("fake_engines:Slow", "was so", text=literal(b"fine"))
    writer = ReportWriter(tmp_path / "r.jsonl", HEADER)
    stop = threading.Event()
    stop.set()
    options = Options(engines=("fake_engines:Slow",), corpora=(corpus,))
    result = run([model((entry,))], options, writer, Quiet(), stop)
    report = read(tmp_path / "r.jsonl")
    assert ("interrupted", False, ()) == (result.ended, report.truncated, result.vanished)
    late = replace(options, seconds=1e-9)
    result = run([model((entry,))], late, ReportWriter(tmp_path / "r.jsonl", HEADER), Quiet())
    assert ("time", ()) == (result.ended, result.vanished)


class StopsAt(Quiet):
    """Interrupts a run when all texts were put."""

    def __init__(self, stop: threading.Event) -> None:
        super().__init__()
        self.stop = stop

    def __call__(self, event: Event) -> None:
        if isinstance(event, Judged):
            self.stop.set()


def test_what_was_not_looked_into_is_not_new(tmp_path: Path, corpus: str) -> None:
    """A signal came before the cause: it may be known or accepted, so nobody calls it new, and there is no verdict."""
    stop = threading.Event()
    options = Options(engines=(MARKS,), corpora=(corpus,), cases=10)
    result = run([model(())], options, ReportWriter(tmp_path / "r.jsonl", HEADER), StopsAt(stop), stop)
    report = read(tmp_path / "r.jsonl")
    assert {"undiagnosed"} == {finding.standing for finding in report.findings}
    assert [] == new(result)
    found = verdict(report)
    assert ("none", 3) == (found.result, found.exit_code)
    assert "the run was interrupted before the cause of " in found.sentence


def test_what_time_left_unexplained_is_new(tmp_path: Path, corpus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the clock ended the search, what is known was tried before, so this is something else; and that is said."""
    monkeypatch.setattr(Clock, "left", property(lambda clock: 0.0))
    three = "reference+greedy_longest_match+lowers_case+drops_unknown_text"
    options = Options(engines=(three,), corpora=(corpus,), cases=50, seconds=100.0)
    result = run([models.load("small-bpe")], options, ReportWriter(tmp_path / "r.jsonl", HEADER), Quiet())
    why = "time was up before these causes were tried: known quirks that explain everything"
    assert {why} == {finding.why_unexplained for finding in new(result)}
    assert 1 == verdict(read(tmp_path / "r.jsonl")).exit_code


def test_several_models_at_a_time(tmp_path: Path, corpus: str) -> None:
    """Two models side by side give what they give one after the other."""
    both = [Model(name, models.load("small-spm").sources, RIGHT) for name in ("one", "two")]
    found = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.jsonl"
        options = Options(engines=(MARKS,), corpora=(corpus,), cases=20, probes=False, jobs=jobs)
        run(both, options, ReportWriter(path, HEADER), Quiet())
        report = read(path)
        found.append(sorted((p.model, p.engine, p.cases, p.equal, p.mismatches) for p in report.pairs))
        assert {m.model for m in report.mismatches} == {"one", "two"}
    assert found[0] == found[1]


def test_a_corpus_that_cannot_be_made_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library behind a corpus that nobody named, the run goes on and the report says what is missing."""

    def load(name: str) -> list[TextCase]:
        if name == "cldr":
            raise MissingDependencyError("no babel here")
        return [text_case(name.encode())]

    monkeypatch.setattr("tokparity.sources.corpora.corpus.load", load)
    monkeypatch.setattr("tokparity.sources.corpora.corpus.names", lambda: ["cldr", "code"])
    monkeypatch.setattr(corpora, "samples", corpora.samples.__wrapped__)  # what was read before is not taken
    path = tmp_path / "report.jsonl"
    run([model()], Options(engines=(RIGHT,), cases=0), ReportWriter(path, HEADER), Quiet())
    assert ("corpus cldr was left out: no babel here",) == read(path).notes
    with pytest.raises(MissingDependencyError):
        CorpusCases(["cldr"])


def test_an_engine_that_hangs_is_found_out_and_asked_no_more(tmp_path: Path) -> None:
    """The text is named, what was not asked is counted, and the run ends within three time-outs."""
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(f"text {n} {'é' if n % 10 == 0 else 'e'}" for n in range(200)), encoding="utf-8")
    started = time.monotonic()
    result, report = ran(tmp_path, str(path), RIGHT, "fake_engines:Hangs", timeout=2.0)
    assert time.monotonic() - started < 3 * 2.0 + 15
    found = pair(report, "fake_engines:Hangs")
    assert 200 == found.cases
    assert 2 <= found.failures <= 3  # two, or one more in the other child of the worker
    assert found.unsupported > 0
    (finding,) = result.findings
    assert "failure:timeout" == str(finding.smallest.difference)
    assert "é".encode() in finding.smallest.case.question.shown
    assert 1 == verdict(report).exit_code


def test_an_engine_that_hangs_when_time_is_up_is_no_green(tmp_path: Path) -> None:
    """What is under way when the time is up is still waited for."""
    path = tmp_path / "texts.txt"
    path.write_text("é", encoding="utf-8")
    _, report = ran(tmp_path, str(path), RIGHT, "fake_engines:Hangs", timeout=2.0, seconds=0.5)
    assert 1 == pair(report, "fake_engines:Hangs").failures


@pytest.mark.nightly
def test_what_nothing_explains_is_made_smaller_beside_a_known_cause(tmp_path: Path) -> None:
    """Both are of one kind, of which the smallest text is the known one's; the other's shows it alone as well."""
    engine = tmp_path / "two.py"
    engine.write_text(
        "from tokparity import quirks\n"
        "from tokparity.models import load, primary_source\n"
        "from tokparity.reference.tokenizer import Tokenizer\n"
        "RIGHT = primary_source(load('small-bpe'))\n"
        "WRONG = Tokenizer(RIGHT.vocabulary, quirks.get('lowers_case').flip(RIGHT.behaviour))\n"
        "def encode(text):\n"
        "    return list(WRONG.encode(text.replace('q of', 'x of').encode(), False, False))\n"
    )
    corpus = tmp_path / "texts.txt"
    corpus.write_text("".join(f"q{a}\n" for a in "ABCDEFGHIJ") + "plain\n" * 20 + "it was 1 or 2, and then q of it\n")
    words = ["--engine", f"{engine}:encode", "--corpus", str(corpus), "--cases", "0", "--out", str(tmp_path / "out")]
    assert 0 == main(["run", "small-bpe", *words])
    found = {finding.quirks: finding.smallest for finding in read(tmp_path / "out" / "report.jsonl").findings}
    assert ("lowers_case",) in found
    assert b" q of" == found[()].case.question.shown
