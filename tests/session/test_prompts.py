"""--ask render: conversations are put to the renderers of a run's engines, and every file of a report shows them."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tokparity
from tests.chat.templates import CHATML, TURNS, with_model
from tokparity.chat.cases import prompt_cases
from tokparity.cli import main
from tokparity.finding import Finding
from tokparity.formats import read as read_source
from tokparity.outcome import Rendering
from tokparity.questions import Render
from tokparity.report.file import read
from tokparity.report.model import Report
from tokparity.report.render.analysis import analysis
from tokparity.report.render.command import reproduce

OTHER = """
import json, sys, time
sys.path.insert(0, sys.argv[2])
from tokparity.engines.renderers.jinja import Jinja
from tokparity.questions.render import unpacked
how, model = sys.argv[1], Jinja().open("", {})
def render(q):
    if how == "hangs" and q["messages"] == [{"role": "user", "content": "Hi"}] * 2 and "add_generation_prompt" not in q:
        time.sleep(99)
    if how == "roles" and q["messages"][0]["role"] == "system" and "add_generation_prompt" in q:
        return {"prompt": "something else"}
    if how == "first":
        for m in q["messages"]:
            if isinstance(m.get("content"), list):
                m["content"] = next((part["text"] for part in m["content"] if "text" in part), "")
    if how == "few" and q["messages"][0]["role"] == "system":
        return {"unsupported": "no system"}
    if "clock" in how:
        model._flips = ("reads_clock",)
    if how in ("bos", "roles", "bos-clock"):
        q["tokens"]["bos_token"] = ""
    try:
        made = model.rendering(unpacked(json.dumps(q).encode()))
    except Exception as error:
        return {"error": str(error)}
    return {"raised": made.raised} if made.prompt is None else {"prompt": made.prompt}
for line in sys.stdin:
    q = json.loads(line)
    r = {"id": q.get("id")}
    if q["op"] == "hello":
        r |= {"name": "other", "version": "1", "capabilities": {"renders": how != "silent"}}
    elif q["op"] == "render":
        r["prompts"] = [render(one) for one in q["questions"]]
    elif q["op"] == "bye":
        break
    print(json.dumps(r), flush=True)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a chat template, and a renderer with one fault, which its argument names."""
    made = tmp_path_factory.mktemp("prompts")
    with_model(made / "model", TURNS)
    (made / "other.py").write_text(OTHER, encoding="utf-8")
    return made


def engine(folder: Path, how: str) -> str:
    """The renderer with this fault."""
    return f"exec:{sys.executable} {folder / 'other.py'} {how} {Path(tokparity.__file__).parents[1]}"


@pytest.fixture(scope="module")
def report(folder: Path) -> Iterator[Report]:
    """A run of a right renderer, one without BOS, and one that hangs on some conversations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokparity.chat.renderer.SECONDS", 1.5)
        words = [word for how in ("right", "bos", "hangs") for word in ("--engine", engine(folder, how))]
        assert 0 == main(["run", str(folder / "model"), "--ask", "render", *words, "--out", str(folder / "out")])
        yield read(folder / "out" / "report.jsonl")


def of(report: Report, folder: Path, how: str) -> list[Finding]:
    """What was found of one renderer."""
    return [finding for finding in report.findings if finding.engine == engine(folder, how)]


def test_a_right_renderer_is_green_and_every_conversation_is_counted(report: Report, folder: Path) -> None:
    """Those of which the template makes a prompt."""
    pairs = {pair.engine: pair for pair in report.pairs}
    assert 100 < pairs[engine(folder, "right")].prompts == pairs[engine(folder, "bos")].prompts
    assert 0 == pairs[engine(folder, "right")].prompts_differ
    assert [] == of(report, folder, "right")


def test_conversations_that_were_not_run_are_counted(
    report: Report, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the line of the run, in the table, and in the report; the others are equal."""
    words = ["--ask", "render", "--engine", engine(folder, "few"), "--out", str(tmp_path)]
    assert 0 == main(["check", str(folder / "model"), *words])
    told = capsys.readouterr()
    pairs = {pair.engine: pair for pair in read(tmp_path / "report.jsonl").pairs}
    left = pairs[engine(folder, "few")].prompts_not_run
    whole = next(pair.prompts for pair in report.pairs if pair.engine == engine(folder, "right"))
    assert 20 < left
    assert whole == left + pairs[engine(folder, "few")].prompts
    assert f": all equal; {left} conversations not run" in told.err
    for text in (told.out, (tmp_path / "report.md").read_text(encoding="utf-8")):
        assert f"{left} prompts not made" in text
        assert "all others equal" in text
        assert "prompts not made: conversations that the engine cannot express" in text
    assert {0} == {pair.prompts_not_run for pair in report.pairs if pair.prompts}


def test_a_planted_fault_is_found_shrunk_and_named(report: Report, folder: Path) -> None:
    """With the smallest conversation, both prompts, their ids, and the smallest template."""
    (found,) = of(report, folder, "bos")
    shown = found.smallest
    question, right, its = shown.case.question, shown.expected, shown.actual
    assert (("never_writes_bos",), "verified") == (found.quirks, found.status)
    assert found.attacked.changes > 20
    assert isinstance(question, Render)
    assert '{"messages": [{"role": "user"}]}' == question.literal
    assert isinstance(right, Rendering)
    assert isinstance(its, Rendering)
    assert f"<s>{its.prompt}" == right.prompt
    assert right.ids[1:] == its.ids != ()
    assert b"<s>" == shown.expected_pieces[0]
    assert {"smallest template that shows it": '"{{- bos_token }}"'} == dict(found.context)


def test_a_cause_that_other_prompts_contradict_is_in_part(folder: Path, tmp_path: Path) -> None:
    """They are counted, and the shortest of them is told, also by the report that is read again."""
    model = with_model(tmp_path / "model", "{% for one in messages %}{{ one.content + eos_token }}{% endfor %}")
    assert 0 == main(
        ["run", str(model), "--ask", "render", "--engine", engine(folder, "first"), "--out", str(tmp_path)]
    )
    found = {one.quirks: one for one in read(tmp_path / "report.jsonl").findings}
    joins = found["joins_parts",]
    assert "in part" == joins.status
    assert joins.rest is not None
    assert joins.rest.mismatches
    assert 2 == joins.rest.question.literal.count('"text": "')
    assert joins.attacked.otherwise


@pytest.mark.parametrize(("how", "cause"), [("clock", None), ("bos-clock", "never_writes_bos")])
def test_the_day_of_today_is_right(how: str, cause: str | None, folder: Path, tmp_path: Path) -> None:
    """A renderer of one's own has the clock of its machine; what else it does otherwise is found all the same."""
    model = with_model(tmp_path / "model", "It is {{ strftime_now('%d %b %Y') }}\n{{ bos_token }}" + CHATML)
    words = ["--ask", "render", "--engine", engine(folder, how), "--out", str(tmp_path)]
    assert (0 if cause is None else 1) == main(["check", str(model), *words])
    found = read(tmp_path / "report.jsonl").findings
    assert [((cause,), "verified")] * bool(cause) == [(one.quirks, one.status) for one in found]
    for one in found:
        right, its = one.smallest.expected, one.smallest.actual
        assert isinstance(right, Rendering)
        assert isinstance(its, Rendering)
        assert right.prompt == (its.prompt or "").replace("\n", "\n<s>", 1)


@pytest.mark.nightly
def test_what_nothing_explains_is_shrunk_to_itself(folder: Path, tmp_path: Path) -> None:
    """Not to a conversation that another finding explains."""
    words = ["--engine", engine(folder, "roles"), "--out", str(tmp_path)]
    assert 0 == main(["run", str(folder / "model"), "--ask", "render", *words])
    found = [one for one in read(tmp_path / "report.jsonl").findings if one.smallest.kind == "render-prompt"]
    shown = {one.quirks: one.smallest.case.question for one in found}

    assert {("never_writes_bos",), ()} == set(shown)
    least = {"messages": [{"role": "system", "content": ""}], "add_generation_prompt": True}
    assert least == json.loads(shown[()].literal)


def test_what_hangs_is_a_failure_of_its_own_conversation(report: Report, folder: Path) -> None:
    """All others are answered, and equal."""
    pair = next(pair for pair in report.pairs if pair.engine == engine(folder, "hangs"))
    assert {"render-failure-timeout"} == set(pair.kinds)
    assert 1 == pair.prompts_differ
    assert {one.prompts for one in report.pairs if one.engine != "tokenizers"} == {pair.prompts}
    assert {"timeout"} == {found.smallest.difference.failure for found in of(report, folder, "hangs")}


def test_every_file_of_a_report_shows_prompts(report: Report, folder: Path) -> None:
    """The tables, those of load_report, the page and the Markdown."""
    out = folder / "out"
    with (out / "mismatches.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["engine"] == engine(folder, "bos")]
    assert {"render"} == {row["kind"] for row in rows}
    assert {"Writes no BOS"} == {row["cause"] for row in rows}
    assert all(json.loads(row["text"])["messages"] for row in rows)
    assert all(json.loads(row["expected_text"]) == f"<s>{json.loads(row['actual_text'])}" for row in rows)
    assert all(row["expected_ids"].split()[1:] == row["actual_ids"].split() for row in rows)
    table = tokparity.load_report(out).mismatches
    own = table[table["engine"] == engine(folder, "bos")]
    assert {"render"} == set(own["question"])
    for name in ("text", "expected_text", "actual_text"):
        assert [row[name] for row in rows] == list(own[name])
    for name in ("index.html", "report.md"):
        written = (out / name).read_text(encoding="utf-8")
        assert "Writes no BOS" in written
        assert "tokparity chat " in written
        assert f"{len(rows)} prompts<" in written.replace(" |", "<").replace("<br>", "<")
        assert "all equal" in written
        assert "rows decode" not in written
        assert "Share of texts with the oracle's ids" not in written
    pairs = tokparity.load_report(out).pairs.set_index("engine")
    with (out / "pairs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for name in ("spans", "spans_differ", "prompts", "prompts_differ"):
                assert int(row[name]) == pairs.loc[row["engine"], name]


def test_what_is_said_of_a_prompt_is_about_conversations(report: Report, folder: Path) -> None:
    """Not about the texts of a tokenizer, of which another engine is the judge."""
    written = "\n".join(analysis(report, of(report, folder, "bos")[0]))
    assert "makes the wrong prompt of 2" in written
    assert " conversations.\n" in written
    assert "the reference renderer returns exactly what" in written
    assert "The finding affects conversations that the chat template asks for: " in written
    for false in ("was the judge", "by script", "the model's file says", "made to break"):
        assert false not in written


def test_a_template_is_written_once(report: Report, folder: Path) -> None:
    """And each mismatch that is read again has it."""
    written = (folder / "out" / "report.jsonl").read_text(encoding="utf-8")
    assert 1 == written.count("raise_exception('The role ")
    assert {TURNS} == {m.case.question.template.text for m in report.mismatches if isinstance(m.case.question, Render)}


def test_the_command_of_a_mismatch_shows_it_again(
    report: Report, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it is printed."""
    told = shlex.split(reproduce(report, of(report, folder, "bos")[0].smallest))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(told[2].encode())))

    assert ["|", "tokparity"] == told[3:5]
    assert 1 == main(told[5:])
    assert "cause: never_writes_bos (verified" in capsys.readouterr().out


def test_a_model_without_a_template_is_no_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was compared, and one line says why."""
    model = with_model(tmp_path / "plain", None)

    assert 3 == main(["check", str(model), "--ask", "render", "--out", str(tmp_path / "out")])
    out = capsys.readouterr().out
    assert "nothing was compared on plain" in out
    assert "it has no chat template, so no prompt was compared" in out


def test_a_renderer_that_was_named_and_makes_no_prompt_is_no_green(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answers of others say nothing of it."""
    words = ["--engine", engine(folder, "silent"), "--engine", "transformers", "--out", str(tmp_path)]

    assert 3 == main(["check", str(folder / "model"), "--ask", "render", *words])
    assert "can answer nothing that was asked on model" in capsys.readouterr().out


def test_a_renderer_that_is_no_tokenizer_is_asked_for_prompts_alone(tmp_path: Path) -> None:
    """Texts that are asked as well are not its business."""
    model = with_model(tmp_path / "model", CHATML)
    words = ["--ask", "encode,render", "--cases", "10", "--corpus", str(tmp_path / "c.txt"), "--out", str(tmp_path)]
    (tmp_path / "c.txt").write_text("Hi\n", encoding="utf-8")

    assert 0 == main(["check", str(model), "--engine", "llama-cpp-python", "--engine", "transformers", *words])
    pair = next(pair for pair in read(tmp_path / "report.jsonl").pairs if pair.engine == "llama-cpp-python")
    assert 100 < pair.prompts
    assert pair.cases == pair.unsupported


def test_fuzz_puts_conversations_alone(folder: Path, tmp_path: Path) -> None:
    """Where nothing else is asked."""
    words = ["--ask", "render", "--cases", "64", "--engine", "transformers", "--out", str(tmp_path)]

    assert 0 == main(["fuzz", str(folder / "model"), *words])
    pairs = {pair.engine: pair for pair in read(tmp_path / "report.jsonl").pairs}
    assert {0} == {pair.cases for pair in pairs.values()}
    assert 100 < pairs["transformers"].prompts


def test_a_template_without_end_is_told_and_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it ends for some conversations these are put; after three the template is left."""
    monkeypatch.setattr("tokparity.chat.renderer.SECONDS", 0.5)
    endless = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
    template = f"{CHATML}{{% if tools %}}{endless}{{% endif %}}"
    notes: list[str] = []

    cases = prompt_cases(read_source(with_model(tmp_path / "model", template)), notes.append)

    assert 40 < len(cases) < 200
    assert ["the chat template makes no prompt (timeout"] * (len(notes) - 1) == [
        n.partition(":")[0] for n in notes[:-1]
    ]
    assert 3 <= len(notes) - 1 <= 4
    assert all('of {"messages": [' in note for note in notes[:-1])
    assert notes[-1].endswith("more conversations of that template were not put")


def test_a_recording_holds_no_prompts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says so, instead of leaving them out."""
    words = ["--ask", "encode,render", "-o", str(tmp_path / "r.parquet")]

    assert 2 == main(["record", "transformers", "small-bpe", *words])
    assert "a recording holds no prompts" in capsys.readouterr().err
