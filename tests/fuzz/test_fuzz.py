"""Fuzzing as a whole: the same seed finds the same, a run can go on, decoding is tried, Ctrl-C leaves a report."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.rows_of_probes import rows_of_probes
from tokparity import generators
from tokparity.case import AnyCase, Case, Origin, TextCase
from tokparity.cli import main
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.results import Results
from tokparity.finding import Mismatch
from tokparity.fuzz import models as generated
from tokparity.fuzz.coverage import Coverage
from tokparity.fuzz.generated_models import Models
from tokparity.fuzz.models import ModelFuzz, blueprint_of
from tokparity.fuzz.rows import Rows
from tokparity.fuzz.run import Options, fuzz
from tokparity.fuzz.state import Search
from tokparity.fuzz.steered import Steered
from tokparity.fuzz.steering import Steering
from tokparity.generators.blueprint import PLAIN
from tokparity.generators.charsmap_builder import charsmap_blob
from tokparity.generators.subject import Subject
from tokparity.models import AcceptedFinding, resolve
from tokparity.outcome import Failure
from tokparity.questions import Decode, Encode
from tokparity.quirks import get, toys
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.file import ReportWriter, read
from tokparity.report.model import Header
from tokparity.report.record import from_record, to_record
from tokparity.session.events import Event, Judged
from tokparity.session.evidence import Keep
from tokparity.session.in_process import InProcess
from tokparity.session.judge import REFERENCE, Batch, Judge
from tokparity.session.panel import Panel
from tokparity.session.recorder import Recorder
from tokparity.session.shrink import shrunk

pytestmark = pytest.mark.usefixtures("few_texts")

TOY = toys.spm("▁ a b ab ▁ab é 世 !! !!! ba", byte_pieces=True)
SUBJECT = Subject(TOY.vocabulary, TOY.behaviour)


WRONG = Tokenizer(TOY.vocabulary, get("greedy_longest_match").flip(TOY.behaviour))
PANEL = InProcess({REFERENCE: Tokenizer(TOY.vocabulary, TOY.behaviour), "wrong": WRONG})
JUDGE = Judge("toy", REFERENCE, TOY.vocabulary.pieces)


class CtrlC:
    """A listener that presses Ctrl-C when the first batch was judged."""

    def __init__(self) -> None:
        self.stop = threading.Event()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Judged):
            self.stop.set()


def search(seed: int = 0, cases: int | None = None, rows: Rows | None = None) -> Steered:
    """A search for a planted fault."""
    return Steered(SUBJECT, REFERENCE, Steering(SUBJECT, generators.names(), seed), rows, cases)


def searched(running: Steered, panel: Panel = PANEL, judge: Judge = JUDGE) -> Iterator[tuple[Batch, Mismatch | None]]:
    """Every batch of a search that learns, with each of its mismatches, or with None where it has none."""
    for batch in panel.results(running.batches(), lambda: False):
        verdict = judge.verdict(batch, "wrong")
        sightings = verdict.sightings if verdict is not None else ()
        running.learn(batch, sightings)
        yield from ((batch, judge.mismatch(batch, seen)) for seen in sightings)
        if not sightings:
            yield batch, None


def found(seed: int, cases: int) -> list[TextCase]:
    """The cases of all mismatches of a search."""
    mismatches = [mismatch for _, mismatch in searched(search(seed, cases)) if mismatch is not None]
    return [Case(m.case.question, m.case.origin) for m in mismatches if isinstance(m.case.question, Encode)]


def test_a_seed_repeats_a_search_exactly() -> None:
    """Steering learns, and still everything follows from the seed."""
    first = found(5, 9_000)
    assert first
    assert first == found(5, 9_000)
    assert first != found(6, 9_000)


PLANNED = "c7d5cfb2228c8062"
"""Of the texts of a search's first plans, mutations left out (the corpora may grow). Made with Python 3.11."""


def test_a_search_makes_the_same_texts_on_any_python() -> None:
    """What is steered by depends on no version of Python, of Unicode, nor on the order of a set."""
    panel = InProcess({REFERENCE: Tokenizer(TOY.vocabulary, TOY.behaviour)})
    names = [name for name in generators.names() if name != "mutations"]
    running = Steered(SUBJECT, REFERENCE, Steering(SUBJECT, names, 3), most=12_000)
    asked = [case.question for batch, _ in searched(running, panel) for case in batch.cases]
    texts = [b"%d%d%s" % (q.add_special, q.parse_special, q.text) for q in asked if isinstance(q, Encode)]
    assert PLANNED == hashlib.sha256(b"\xff\xfe".join(texts)).hexdigest()[:16]


def test_what_was_found_comes_again_from_its_origin() -> None:
    """Also texts that were grown from others."""
    from tokparity.generators.origins import text_of

    mismatches = found(5, 9_000)
    assert any(case.origin.parent is not None for case in mismatches)
    for case in mismatches[::50]:
        assert case.origin == Origin.parse(str(case.origin))
        assert case.question.text == text_of(case.origin, SUBJECT)


def test_the_number_of_cases_is_kept() -> None:
    """Exactly as many as were asked for."""
    running = search(cases=3000)
    for _ in searched(running):
        pass
    assert 3000 == running.cases


def test_rows_between_the_texts_are_counted_as_they_come() -> None:
    """Rows come in whole blocks, which may be fewer than are due: what follows them was taken for rows."""
    running = search(cases=18_000, rows=Rows(SUBJECT, 0))
    kinds = {(part.plan is None, type(batch.cases[0].question)) for part, batch in _learned(running)}
    assert {(True, Decode), (False, Encode)} == kinds
    assert 18_000 == running.cases


def _learned(running: Steered) -> Iterator[tuple[Any, Batch]]:
    """Each batch with what the search takes it for."""
    for batch in PANEL.results(running.batches(), lambda: False):
        yield running._under_way[0], batch
        running.learn(batch, ())


def test_a_search_goes_on_from_its_state() -> None:
    """What is restored plans the same batch next, and has reached the same."""
    first = search(cases=8_000, rows=Rows(SUBJECT, 0))
    for _ in searched(first):
        pass
    second = search(rows=Rows(SUBJECT, 0))
    second.restore(from_record(Search, json.loads(json.dumps(to_record(first.state())))), [])
    assert first.rows is not None
    assert second.rows is not None
    assert (first.cases, first.rows.made) == (second.cases, second.rows.made)
    assert first.rows.made > 0
    assert first.rows.next(64) == second.rows.next(64)
    assert first.coverage.shares() == second.coverage.shares()
    assert first.steering.plan() == second.steering.plan()


@pytest.mark.nightly
def test_generators_that_bring_something_get_more_room() -> None:
    """A generator whose texts reach nothing new makes way."""
    steering = Steering(SUBJECT, ["joints", "code_points"], 0)
    for _ in range(60):
        plan = steering.plan()
        good = [i for i, case in enumerate(plan.cases) if case.origin.name == "joints"]
        steering.learn(plan, good, [])
    blocks = [name for name, _ in steering.plan().blocks]
    assert blocks.count("joints") > 3 * blocks.count("code_points")


def test_coverage_counts_what_was_reached() -> None:
    """Pieces by id, texts that reached something new, fallbacks."""
    coverage = Coverage(SUBJECT)
    ids = TOY.vocabulary.ids
    rows = [[ids[b"a"], ids[b"b"]], [ids[b"a"], ids[b"b"]], [ids[b"ab"]]]
    assert [0, 2] == coverage.add([b"ab", b"ab", b"ab"], Ids.from_list(rows)).tolist()
    assert [] == coverage.add([b"ab"], Ids.from_list(rows[:1])).tolist()
    assert 3 == coverage.shares()["pieces"].reached
    byte = TOY.vocabulary.byte_ids[0xFF]
    assert byte is not None
    coverage.add([b"\xff\xff"], Ids.from_list([[byte, byte]]))
    assert ("byte piece", "bytes in a row") == coverage.fallbacks


def test_coverage_of_charsmap_keys_and_alternatives() -> None:
    """Keys that stand in a text, alternatives that match in one."""
    from tokparity.reference.splits import Split

    table = {"ﬁ": "fi", "½": "1/2", "a\u0301": "á"}
    behaviour = replace(TOY.behaviour, normalise=Charsmap(charsmap_blob(table)), pretokenise=Split("[a-z]+|[0-9]|!"))
    coverage = Coverage(Subject(TOY.vocabulary, behaviour))
    coverage.add(["ﬁ a\u0301".encode(), b"7"], Ids.from_list([[3], [3]]))
    shares = coverage.shares()
    assert (2, 3) == (shares["charsmap keys"].reached, shares["charsmap keys"].of)
    assert (1, 3) == (shares["pre-tokenizer alternatives"].reached, shares["pre-tokenizer alternatives"].of)


def test_a_charsmap_is_built_as_it_is_read() -> None:
    """The trie holds exactly the table; keys that begin each other and empty values too."""
    table = {"a": "b", "ab": "", "abc": "xyz", "é": " ", "世界": "w", "\u3000": " "}
    blob = charsmap_blob(table)
    assert table == Charsmap(blob).table
    assert 0 == int.from_bytes(blob[:4], "little") % 1024
    assert b"" == charsmap_blob({})


class Decoders:
    """Two engines: the oracle, and one that decodes id 3 wrongly, dies of negative ids, and refuses those too large."""

    def results(
        self, batches: Iterable[Sequence[AnyCase]], stop: Callable[[], bool], only: Collection[str] = ()
    ) -> Iterator[Batch]:
        """Ids as words."""
        for cases in batches:
            rows = [case.question.ids for case in cases if isinstance(case.question, Decode)]
            right = [" ".join(map(str, row)).encode() for row in rows]
            wrong = [text.replace(b"3", b"x") for text in right]
            answers = {
                REFERENCE: Results(None, Texts.from_list(right)),
                "wrong": Results(None, Texts.from_list(wrong), tuple(self._failures(rows))),
            }
            yield Batch(cases, {name: found for name, found in answers.items() if not only or name in only})

    @staticmethod
    def _failures(rows: Sequence[Sequence[int]]) -> Iterator[tuple[int, Failure]]:
        for index, row in enumerate(rows):
            if min(row, default=0) < 0:
                yield index, Failure("crash", "died", 6)
            elif max(row, default=0) >= len(TOY.vocabulary):
                yield index, Failure("error", "there is no such id")


def decoded_otherwise(judge: Judge) -> list[Mismatch]:
    """What the engine does with 640 rows of ids."""
    (batch,) = Decoders().results([Rows(SUBJECT, 0).next(640)], lambda: False)
    return list(judge.mismatches(batch, ["wrong"]))


def row_of(mismatch: Mismatch) -> tuple[int, ...]:
    """The ids that were to be decoded."""
    assert isinstance(mismatch.case.question, Decode)
    return mismatch.case.question.ids


def test_decoding_is_searched_and_shrunk() -> None:
    """A row of ids that is decoded wrongly becomes one id; a row that kills does too."""
    mismatches = decoded_otherwise(JUDGE)
    assert {"decode", "failure"} == {m.difference.aspect for m in mismatches}
    for aspect in ("decode", "failure"):
        one = max((m for m in mismatches if m.difference.aspect == aspect), key=lambda m: m.case.question.order)
        small = shrunk(one, Decoders(), JUDGE, lambda: False)
        assert (one.kind, one.oracle) == (small.kind, small.oracle)
        assert one.case.origin.smaller() == small.case.origin
        assert 1 == len(row_of(small))
        assert aspect == "failure" or "3" in str(row_of(small)[0])


def test_an_id_that_the_model_does_not_have_may_be_refused() -> None:
    """No refusal is a mismatch, and no row with such an id; to die of one is."""
    found = decoded_otherwise(JUDGE)
    assert {"crash"} == {m.difference.failure for m in found if m.difference.aspect == "failure"}
    size = len(TOY.vocabulary)
    assert all(0 <= min(row_of(m)) and max(row_of(m)) < size for m in found if m.difference.aspect == "decode")


def test_an_id_that_the_model_skips_is_as_good_as_out_of_range() -> None:
    """An engine may refuse it, and what it decodes it to is its own affair."""
    holes = [b"" if i == 3 else piece for i, piece in enumerate(TOY.vocabulary.pieces)]
    found = decoded_otherwise(Judge("toy", REFERENCE, holes))
    judged = [row_of(m) for m in found if m.difference.aspect == "decode"]
    assert judged
    assert not any(3 in row for row in judged)


def test_special_tokens_are_skipped_in_half_of_the_turns() -> None:
    """Whatever the turns' length is; an even number of blocks at a time must not leave them always skipped."""
    for length in (64, 128, 256, 640):
        rows = Rows(SUBJECT, 0)
        skipped = [rows.next(length)[0].question.skip_special for _ in range(40)]
        assert 10 <= sum(skipped) <= 30


def test_a_search_puts_a_row_of_ids_for_every_eight_texts() -> None:
    """They are judged as all else is, and learned nothing from."""
    running = search(cases=8_000, rows=Rows(SUBJECT, 0))
    batches = {id(batch): batch for batch, _ in searched(running)}
    rows = [case for batch in batches.values() for case in batch.cases if isinstance(case.question, Decode)]
    assert running.rows is not None
    assert len(rows) == running.rows.made
    assert 8_000 / 8 - 300 <= len(rows) <= 8_000 / 8


def test_ctrl_c_ends_with_a_report(tmp_path: Path) -> None:
    """Stopped after the first batch: a footer that says so, and the counts."""
    ctrl_c = CtrlC()
    writer = ReportWriter(tmp_path / "report.jsonl", Header("test", "", {}, {}, 0, (), ""))
    options = Options(engines=("sentencepiece",))
    result = fuzz(resolve("small-spm"), options, writer, ctrl_c, ctrl_c.stop)
    assert "interrupted" == result.ended
    report = read(tmp_path / "report.jsonl")
    assert report.footer is not None
    assert "interrupted" == report.footer.ended
    assert sum(pair.cases for pair in report.pairs) > 0


def test_what_was_not_put_has_not_vanished(tmp_path: Path) -> None:
    """A search does not put the texts of accepted findings, so it cannot say that they no longer differ."""
    entry = AcceptedFinding("reference", "was so", text='"fine"')
    model = replace(resolve("small-spm"), accepted=(entry,))
    writer = ReportWriter(tmp_path / "report.jsonl", Header("test", "", {}, {}, 0, (), ""))
    options = Options(engines=("reference",), cases=200)
    assert "complete" == fuzz(model, options, writer, lambda event: None).ended
    assert () == read(tmp_path / "report.jsonl").vanished


def test_the_command_line_runs_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A planted fault is a finding (exit 1) with its shortest text; --resume adds to what is there."""
    words = ["fuzz", "small-spm", "--engine", "reference+omits_space_prefix", "--cases", "1500"]
    assert 1 == main([*words, "--out", str(tmp_path)])
    first = read(tmp_path / "report.jsonl")
    out = capsys.readouterr().out
    assert "coverage: pieces" in out
    assert 1 == out.count(f"  {first.findings[0].name} (")
    assert 0 < first.puts[0].of_probes == first.puts[0].probes
    probes = first.puts[0].probes - rows_of_probes("small-spm")
    assert {1500 + probes} == {pair.cases for pair in first.pairs if pair.engine == "reference+omits_space_prefix"}
    assert min(finding.smallest.case.question.size for finding in first.findings) <= 1
    assert 1 == main(["fuzz", "--resume", str(tmp_path), "--cases", "1500"])
    second = read(tmp_path / "report.jsonl")
    assert {3000 + probes} == {pair.cases for pair in second.pairs if pair.engine == "reference+omits_space_prefix"}
    found = [sum(pair.found for pair in report.pairs) for report in (first, second)]
    told = [sum(f.mismatches for f in report.findings) for report in (first, second)]
    counted = [sum(pair.not_stored for pair in report.pairs) for report in (first, second)]
    assert found[0] < found[1]
    assert [told[i] + counted[i] for i in (0, 1)] == found


def test_parity_is_exit_0(tmp_path: Path) -> None:
    """Nothing found, nothing to tell."""
    assert 0 == main(["fuzz", "small-spm", "--engine", "reference", "--cases", "1500", "--out", str(tmp_path)])


@pytest.mark.parametrize(
    "words",
    [
        ["small-spm", "--generator", "nobody"],
        ["small-spm", "--engine", "nobody"],
        ["nobody"],
        ["--resume", "/nowhere"],
        ["small-spm", "--generated-models", "3"],
    ],
)
def test_wrong_usage_is_exit_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line with the value."""
    assert 2 == main(["fuzz", *words])
    assert 1 == len(capsys.readouterr().err.splitlines())


def test_generated_models_are_the_same_from_the_same_seed() -> None:
    """A blueprint follows from its seed and number, builds, and every smaller one is smaller."""
    for number in range(40):
        blueprint = blueprint_of(3, number)
        assert blueprint == blueprint_of(3, number)
        blueprint.build()
        assert blueprint not in list(blueprint.smaller())


def test_generated_models_before_an_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three models before SentencePiece: the run ends and says on how many models it was asked."""
    code = main(
        ["fuzz", "--generated-models", "3", "--engine", "sentencepiece", "--cases", "300", "--out", str(tmp_path)]
    )
    assert 0 == code
    assert "3 models, 900 cases, 0 groups" in capsys.readouterr().out
    assert (tmp_path / "generated.jsonl").read_text(encoding="utf-8").startswith('{"type": "generated"')


@pytest.mark.parametrize("keep", [generated.KEEP, Keep(mismatches=3)])
def test_the_groups_of_generated_models_have_every_mismatch_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: Keep
) -> None:
    """What the recorders counted is what the groups add up to, by kind, also where few mismatches were kept."""
    recorders: list[Recorder] = []

    def recorder(*words: Any) -> Recorder:
        recorders.append(Recorder(*words))
        return recorders[-1]

    monkeypatch.setattr(generated, "KEEP", keep)
    monkeypatch.setattr(generated, "Recorder", recorder)
    with Models(tmp_path, ["tokenizers"], PLAIN) as models:
        run = ModelFuzz(models, 3, 200, ())
        assert 8 == max(outcome.models for outcome in run.run(8, lambda: False))
        run.look_again()
    counted = sum((Counter(e.counts) for one in recorders for e in one.evidence.values()), Counter())
    assert counted.total() > 0
    unexamined = Counter({kind: number for (_, kind), number in run.total.unexamined.items()})
    assert counted == sum((group.kinds for group in run.total.groups.values()), unexamined)
    assert counted.total() - unexamined.total() == sum(group.mismatches for group in run.total.groups.values())
    assert (keep is not generated.KEEP) == bool(unexamined)
