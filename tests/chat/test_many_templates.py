"""`tokparity chat --templates`: many templates, several renderers; each difference has a cause, or a description."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from templates import CHATML, INST, TURNS, with_model

from tokparity import cli
from tokparity.chat import Renderer
from tokparity.chat.grouping import with_template
from tokparity.chat.sheets import COLUMNS, to_html, to_markdown, totals
from tokparity.chat.sweep import KINDS, Subject, Sweep, sweep
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Conversation, Render, Template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
OTHER = """
import json, sys
from tokparity.engines.renderers.jinja import JinjaModel
from tokparity.questions.render import unpacked
how = sys.argv[1]
model = JinjaModel()
asked = []
def render(q):
    asked.append(q)
    if how == "counts":
        return {"prompt": str(len(asked))}
    if how == "joins" and any(m["role"] == "assistant" for m in q["messages"]):
        return {"prompt": "something else"}
    if how == "raises" and "tools" in q:
        return {"error": "no tools\\x1b[31m here"}
    if how == "bos":
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
        r |= {"name": "other", "version": "1", "capabilities": {"renders": True}}
    elif q["op"] == "render":
        r["prompts"] = [render(one) for one in q["questions"]]
    elif q["op"] == "bye":
        break
    print(json.dumps(r), flush=True)
"""


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A renderer with one fault, which its argument names."""
    script = tmp_path_factory.mktemp("other") / "other.py"
    script.write_text(OTHER, encoding="utf-8")
    return f"exec:{sys.executable} {script}"


def swept(name: str) -> Sweep:
    """Two templates on 25 conversations."""
    given = [Subject(name, Template(text), TOKENS) for name, text in (("turns", TURNS), ("chatml", CHATML))]
    return sweep(given, [name], 25)


def test_a_cause_is_named_once_for_all_templates(other: str) -> None:
    """A renderer without BOS: the template that writes BOS differs everywhere, the other one nowhere."""
    found = swept(f"{other} bos")
    (reason,) = found.reasons
    assert ("never_writes_bos", "verified", 1, "turns") == (
        *(reason.name, reason.status, reason.templates, reason.template),
    )
    sums = totals(found)[f"{other} bos"]
    assert 50 == sum(sums.values())
    assert reason.conversations == sums["differs"]
    shown = reason.smallest
    assert "{{- bos_token }}" == shown.template
    assert 1 == len(shown.question.conversation.messages), "as small as can be"
    assert ("<s>" in (shown.ours.prompt or ""), "<s>" in (shown.its.prompt or "")) == (True, False)  # type: ignore[union-attr]


def test_what_no_cause_explains_has_what_it_goes_with(other: str) -> None:
    """All conversations in which an assistant speaks, and no other one."""
    names = [reason.name for reason in swept(f"{other} joins").reasons if reason.status == "unexplained"]
    assert "where an assistant speaks" in names


def test_what_a_renderer_refuses_is_told_in_its_words(other: str) -> None:
    """And printed so that no terminal or browser obeys it."""
    found = swept(f"{other} raises")
    assert totals(found)[f"{other} raises"]["fails"]
    for text in (to_markdown(found), to_html(found)):
        assert "it fails: no tools" in text
        assert "\x1b" not in text


class Noted(Renderer):
    """A renderer that keeps what it is asked."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked: list[Render] = []

    def render(self, questions: Sequence[Render], flips: Sequence[str] = ()) -> list[Rendering | Failure]:
        """As before."""
        self.asked += questions
        return super().render(questions, flips)


def test_a_renderer_is_asked_where_the_cause_changes_the_prompt(other: str) -> None:
    """A template without BOS cannot show that BOS is left out, and each template costs some renderers a server."""
    (reason,) = swept(f"{other} bos").reasons
    its = Noted(f"{other} bos")
    with its, Renderer() as reference:
        assert "{{- bos_token }}" == with_template(reason.smallest, its, reference).template
    assert its.asked
    assert all("bos_token" in one.template.text for one in its.asked)


def test_a_question_is_put_to_a_renderer_once(other: str) -> None:
    """What was answered before is not asked again."""
    one, two = (Render(Template(text), Conversation(({"role": "user", "content": "Hi"},)), TOKENS) for text in "ab")
    with Renderer(f"{other} counts") as renderer:
        assert ["1"] == [answer.prompt for answer in renderer.render([one]) if isinstance(answer, Rendering)]
        assert ["2", "1"] == [answer.prompt for answer in renderer.render([two, one]) if isinstance(answer, Rendering)]


def test_a_renderer_that_is_not_there_is_unavailable() -> None:
    """With why; the others are compared."""
    found = sweep([Subject("chatml", Template(CHATML), TOKENS)], ["transformers", "exec:/nowhere/program"], 5)
    assert ["exec:/nowhere/program"] == list(found.unavailable)
    assert {"transformers"} == {row.renderer for row in found.rows}


def test_the_command_compares_a_folder_and_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both kinds together; the files have every difference, and a markup of a template is none of theirs."""
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "inst.jinja").write_text(INST, encoding="utf-8")
    (folder / "mark.jinja").write_text("<script>{{ bos_token }}{{ messages[0].role }}", encoding="utf-8")
    model = with_model(tmp_path / "model", TURNS)
    words = ["--templates", str(folder), "--templates", str(model), "--conversations", "12", "--engine", "llama.cpp"]
    assert 1 == cli.main(["chat", *words, "--out", str(tmp_path / "out")])
    out = capsys.readouterr().out
    assert out.startswith("llama.cpp (llama-cpp-python ")
    rows = list(csv.reader((tmp_path / "out" / "differences.csv").open(encoding="utf-8")))
    assert list(COLUMNS) == rows[0]
    assert {"inst"} <= {row[1] for row in rows[1:]}
    assert "<script>" not in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert (tmp_path / "out" / "chat.md").read_text("utf-8").startswith("# Chat templates\n\n## Conversations\n")


def test_equal_templates_end_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And a reference alone is nothing to compare."""
    (tmp_path / "chatml.jinja").write_text(CHATML, encoding="utf-8")
    words = ["chat", "--templates", str(tmp_path), "--conversations", "5", "--engine"]
    assert 0 == cli.main([*words, "transformers"])
    assert "4 equal, 1 neither renders" in capsys.readouterr().out
    assert 2 == cli.main([*words, "jinja2"])
    assert len(KINDS) == len(set(KINDS))
