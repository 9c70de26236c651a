"""A template that was changed in one place is wrong, and that place is named; one that was written anew is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from templates import CHATML, INST, TURNS, converted, with_model

from tokparity import cli, formats, models
from tokparity.doctor import file_faults
from tokparity.doctor.chat import of_chat
from tokparity.formats.beside import CHAT
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.report.rule import Facts, judge, weight

CHANGES = {
    "an eos left out": (TURNS, "        {{- eos_token }}\n", ""),
    "an eos left out, in a sum": (INST, " + eos_token", ""),
    "a trim added": (TURNS, "{{- message.content }}", "{{- message.content | trim }}"),
    "a trim of a result": (TURNS, "message.content | string", "message.content | string | trim"),
    "a trim left out": (TURNS, "message.content | trim", "message.content"),
    "a space": (INST, "'[INST] '", "'[INST]'"),
    "a role": (CHATML, "'<|im_start|>assistant", "'<|im_start|>model"),
    "a newline": (CHATML, "'<|im_end|>' + '\\n'", "'<|im_end|>'"),
    "the generation prompt": (CHATML, "{% if add_generation_prompt %}", "{% if false %}"),
    "a default": (TURNS, "'Be kind.'", "'Be good.'"),
    "tools as text": (TURNS, "tool | tojson", "tool | string"),
    "a BOS too many": (TURNS, "{{- bos_token }}", "{{- bos_token + bos_token }}"),
    "a switch": (TURNS, "enable_thinking is false", "enable_thinking"),
    "a rule left out": (INST, "!= (loop.index0 % 2 == 0)", "== 3"),
    "an indentation of JSON": (TURNS, "arguments | tojson", "arguments | tojson(indent=2)"),
}

REFORMATTED = {
    "white space in tags": (CHATML, CHATML.replace("{%", "{%   ").replace("['role']", "[ 'role' ]"), True),
    "attributes": (CHATML, CHATML.replace("['role']", ".role").replace("['content']", ".content"), False),
    "quotes": (INST, INST.replace("'", '"'), True),
    "a comment": (TURNS, "{# made by hand #}\n" + TURNS, True),
    "lines": (CHATML, CHATML.replace("{%", "\n{%-").replace("}}{", "}}\n{").replace("%}{{", "%}\n{{-"), True),
    "an indentation": (TURNS, TURNS.replace("    ", "  "), True),
    "another end": (TURNS, TURNS.rstrip("\n"), True),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_in_one_place_is_wrong_and_named(name: str, tmp_path: Path) -> None:
    """The line and both texts are named, and the prompts of the smallest conversation differ."""
    template, old, new = CHANGES[name]
    line = template.count("\n", 0, template.index(old)) + 1
    source = with_model(tmp_path, template)
    (change,) = of_chat(converted(source, template.replace(old, new, 1)), formats.read(source))
    assert "wrong" == weight(change.fault("m", source, source))
    assert f" in line {line}, " in change.phrase, change.phrase
    assert change.text
    assert change.ours != change.its
    assert 2 >= change.text.count('"role"'), change.text
    assert 150 <= change.tried


@pytest.mark.parametrize("name", REFORMATTED)
def test_a_template_written_anew_is_right(name: str, tmp_path: Path) -> None:
    """It is the same program, or no conversation of 200 shows a difference, and that is a note."""
    template, other, is_one_program = REFORMATTED[name]
    assert template != other
    source = with_model(tmp_path, template)
    found = of_chat(converted(source, other), formats.read(source))
    assert is_one_program == (not found)
    for change in found:
        fault = change.fault("m", source, source)
        assert ("note", "", "") == (weight(fault), fault.text, fault.unsaid)
        assert 150 <= change.tried


def test_what_no_conversation_reaches_is_left_open(tmp_path: Path) -> None:
    """A line that differs and never runs is named; nobody says that the file is right, or wrong."""
    hidden = CHATML + "\n{% if messages[0].content == 'o' + 'pen' %}\n{{ 'a' }}\n{% endif %}"
    source = with_model(tmp_path, hidden)
    (change,) = of_chat(converted(source, hidden.replace("{{ 'a' }}", "{{ 'b' }}")), formats.read(source))
    fault = change.fault("m", source, source)
    assert "unsaid" == weight(fault)
    assert "conversations reaches line 3; compare the two there" in fault.unsaid
    assert "none" != judge(Facts(keys=[fault])).answer
    assert 3 == judge(Facts(keys=[fault])).exit_code


def test_a_template_written_anew_and_changed_is_wrong(tmp_path: Path) -> None:
    """Of many places that differ the one is named that shows."""
    source = with_model(tmp_path, TURNS)
    other = TURNS.replace("    ", " ").replace("'", '"').replace("eos_token", '""')
    (change,) = of_chat(converted(source, other), formats.read(source))
    assert 'says "' in change.phrase
    assert "eos_token" in change.phrase


def test_the_same_text_needs_no_renderer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing differs, and no process is started."""
    source = with_model(tmp_path, TURNS)
    monkeypatch.setattr("tokparity.doctor.chat.Renderer", None)
    assert [] == of_chat(converted(source, TURNS), formats.read(source))


def test_a_missing_template_is_wrong(tmp_path: Path) -> None:
    """What follows from it is told."""
    source = with_model(tmp_path, CHATML)
    (change,) = of_chat(converted(source, None), formats.read(source))
    assert (CHAT, None, CHATML.encode()) == (change.key, change.before, change.after)
    assert "llama.cpp takes the template chatml where a file has none" == change.effect
    assert f"is absent, and the source has one of {len(CHATML)} bytes" == change.phrase


def test_a_source_without_a_template_says_nothing(tmp_path: Path) -> None:
    """The template of the file is left open, and the file is right."""
    source = with_model(tmp_path, None)
    (change,) = of_chat(converted(source, CHATML), formats.read(source))
    assert "unsaid" == weight(change.fault("m", source, source))
    assert change.unsaid.startswith("the source has no chat template")
    assert "Jinja" not in change.phrase
    (change,) = of_chat(converted(source, "{% if messages %}"), formats.read(source))
    assert "that Jinja cannot read (TemplateSyntaxError" in change.phrase
    assert [] == of_chat(converted(source, None), formats.read(source))


@pytest.mark.parametrize("beside", ["chat_template.jinja", "tokenizer_config.json"])
def test_the_source_may_have_it_in_either_file(beside: str, tmp_path: Path) -> None:
    """A file of its own, or a text in tokenizer_config.json."""
    source = with_model(tmp_path, CHATML, beside)
    (change,) = of_chat(converted(source, CHATML.replace("assistant", "model")), formats.read(source))
    assert change.text
    assert [] == of_chat(converted(source, CHATML), formats.read(source))


def test_two_files_of_a_source_that_disagree_are_told(tmp_path: Path) -> None:
    """A file with the template of one of them is not wrong."""
    source = with_model(tmp_path, CHATML)
    (source / "chat_template.jinja").write_text(INST, encoding="utf-8")
    assert [] == of_chat(converted(source, CHATML), formats.read(source))
    (change,) = of_chat(converted(source, INST), formats.read(source))
    assert change.disputed
    assert "transformers obeys chat_template.jinja" in change.unsaid


def test_templates_with_names_are_compared(tmp_path: Path) -> None:
    """Each by its name; one that is missing is added with its name in the list."""
    named = [{"name": "default", "template": CHATML}, {"name": "tool-use", "template": TURNS}]
    source = with_model(tmp_path, named)
    assert [] == of_chat(converted(source, CHATML), formats.read(source))
    key = f"{CHAT}.tool_use"
    (change,) = of_chat(converted(source, TURNS.replace("Be kind", "Be"), key), formats.read(source))
    assert (key, TURNS.encode()) == (change.key, change.after)
    missing = of_chat(converted(source, None, key), formats.read(source))
    assert [key, f"{CHAT}s"] == [change.key for change in missing] or [key] == [change.key for change in missing]


def test_a_template_that_hangs_leaves_the_verdict_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says that it is right, or wrong."""
    monkeypatch.setattr("tokparity.chat.renderer.SECONDS", 0.5)
    source = with_model(tmp_path, CHATML)
    endless = "{% for a in range(9999) %}" * 3 + "{% endfor %}" * 3
    (change,) = of_chat(converted(source, endless), formats.read(source))
    fault = change.fault("m", source, source)
    assert "unsaid" == weight(fault)
    assert "could not be rendered" in fault.unsaid


def test_a_template_that_is_none_is_wrong(tmp_path: Path) -> None:
    """The source's makes prompts, the file's an error."""
    source = with_model(tmp_path, CHATML)
    (change,) = of_chat(converted(source, CHATML.replace("{% endfor %}", "")), formats.read(source))
    assert "wrong" == weight(change.fault("m", source, source))
    assert "TemplateSyntaxError" in change.ours


def test_doctor_says_it_and_repairs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Red with both prompts, the written file green."""
    source = with_model(tmp_path, INST)
    file = converted(source, INST.replace(" + eos_token", ""))
    fixed = tmp_path / "fixed.gguf"
    assert 1 == cli.main(["doctor", str(file), "--against", str(source)])
    out = capsys.readouterr().out
    assert 'change tokenizer.chat_template, which says "' in out
    assert 'the file gives "' in out
    cli.main(["doctor", str(file), "--against", str(source), "--write", str(fixed)])
    assert INST.encode() == read_metadata(fixed).get(CHAT)
    capsys.readouterr()
    assert 0 == cli.main(["doctor", str(fixed), "--against", str(source)])
    assert "nothing to change" in capsys.readouterr().out


def test_doctor_says_that_a_reformatted_template_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A note says how many conversations were tried."""
    source = with_model(tmp_path, INST)
    assert 0 == cli.main(
        ["doctor", str(converted(source, INST.replace("['role']", ".role"))), "--against", str(source)]
    )
    out = capsys.readouterr().out
    assert "nothing to change" in out
    assert "note: tokenizer.chat_template" in out


def test_check_has_it_among_the_faults_of_the_file(tmp_path: Path) -> None:
    """The verdict names the key, the place, both prompts and the command that repairs it."""
    source = with_model(tmp_path, INST)
    file = converted(source, INST.replace(" + eos_token", ""))
    model = models.of_formats({"gguf": file, "tokenizer.json": source / "tokenizer.json"}, "m")
    judged = judge(Facts(keys=file_faults([model]).faults))
    assert "wrong" == judged.answer
    assert judged.sentence.startswith('Your GGUF is wrong: tokenizer.chat_template says "')
    assert 'the file gives "<s>[INST]  [/INST]", the source "<s>[INST]  [/INST]</s>"' in judged.sentence
    assert judged.command.startswith("tokparity doctor ")


def test_nothing_of_a_template_reaches_a_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Controls in a template, in what it raises and in a prompt are escapes."""
    source = with_model(tmp_path, CHATML)
    evil = CHATML.replace("assistant", "\x1b[31m\u202ered") + "{{ raise_exception('\x1b]0;x\x07') if false }}"
    cli.main(["doctor", str(converted(source, evil)), "--against", str(source)])
    out = capsys.readouterr().out
    assert "red" in out
    assert not {"\x1b", "\u202e", "\x07"} & set(out)
