"""lint compares the chat templates that both files have, and weighs what differs as doctor does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chat.templates import CHATML, INST, TURNS, converted, with_model
from tokparity import cli


def linted(left: Path, right: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code, and what is printed."""
    code = cli.main(["lint", str(left), str(right), "--no-engines"])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("is_gguf", [True, False])
def test_another_template_is_a_difference(is_gguf: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the smallest conversation and both prompts, whichever side it is on; doctor says the same."""
    source, changed = with_model(tmp_path / "model", INST), INST.replace(" + eos_token", "")
    other = converted(source, changed) if is_gguf else with_model(tmp_path / "other", changed)
    code, told = linted(other, source, capsys)
    assert 1 == code
    assert 'with the right as the source: tokenizer.chat_template says "' in told
    assert 'left  "<s>[INST]  [/INST]"' in told
    assert 'right "<s>[INST]  [/INST]</s>"' in told
    assert "No differences" not in told
    code, told = linted(source, other, capsys)
    assert 1 == code
    assert 'left  "<s>[INST]  [/INST]</s>"' in told


@pytest.mark.parametrize("template", [INST, INST.replace("'", '"'), None])
def test_equal_templates_are_none(template: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same text, the same program, or a side without a template."""
    source = with_model(tmp_path / "model", INST)
    code, told = linted(with_model(tmp_path / "other", template), source, capsys)
    assert (0, True) == (code, told.startswith("No differences"))


def test_a_template_written_anew_is_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No conversation shows it."""
    source = with_model(tmp_path / "model", CHATML)
    other = with_model(tmp_path / "other", CHATML.replace("['role']", ".role"))
    code, told = linted(other, source, capsys)
    assert 0 == code
    assert "note: with the right as the source: tokenizer.chat_template " in told
    assert "conversations that were run shows it, and nothing else depends on it" in told


def test_what_no_conversation_reaches_is_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As doctor has it."""
    hidden = CHATML + "\n{% if messages[0].content == 'o' + 'pen' %}\n{{ 'a' }}\n{% endif %}"
    source = with_model(tmp_path / "model", hidden)
    code, told = linted(with_model(tmp_path / "other", hidden.replace("'a'", "'b'")), source, capsys)
    assert 3 == code
    assert "conversations reaches line 3" in told


def test_templates_with_names_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each by its name, where both have it."""
    both = [{"name": "default", "template": CHATML}, {"name": "tool_use", "template": TURNS}]
    source = with_model(tmp_path / "model", both)
    changed = [both[0], {"name": "tool_use", "template": TURNS.replace("Be kind", "Be")}]
    code, told = linted(with_model(tmp_path / "other", changed), source, capsys)
    assert (1, 1) == (code, told.count("tokenizer.chat_template"))
    assert "tokenizer.chat_template.tool_use says" in told
    assert 0 == linted(with_model(tmp_path / "one", CHATML), source, capsys)[0]


@pytest.mark.parametrize("is_left", [True, False])
def test_files_that_disagree_are_no_fault(is_left: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other side has the template of one of them."""
    source = with_model(tmp_path / "model", CHATML)
    (source / "chat_template.jinja").write_text(INST, encoding="utf-8")
    pair = (source, with_model(tmp_path / "other", INST))
    code, told = linted(*(pair if is_left else pair[::-1]), capsys)
    assert 0 == code
    assert "transformers obeys chat_template.jinja" in told
