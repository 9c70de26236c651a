"""`tokparity chat`: what each renderer makes of a conversation, its ids, and what a program must know of the prompt."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from templates import CHATML, INST, TURNS, converted, with_model

from tokparity import cli, formats
from tokparity.chat import Renderer
from tokparity.chat.of_source import tokens_of
from tokparity.chat.prompts import broken_laws
from tokparity.engines.renderers import RENDERERS
from tokparity.generators.conversations import conversations
from tokparity.outcome import Failure, Rendering
from tokparity.questions.render import Conversation, Render, Template
from tokparity.reference.tokenizer import Tokenizer

HELLO = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}, {"role": "user", "content": "So"}]
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


def chat(folder: Path, template: str, conversation: object, *words: str) -> int:
    """Run the command on a model with this template."""
    (folder / "c.json").write_text(json.dumps(conversation), encoding="utf-8")
    return cli.main(["chat", str(with_model(folder / "model", template)), str(folder / "c.json"), *words])


def test_renderers_are_shown_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal ones say so; the C function, which knows no BOS, is shown with its prompt, ids and the difference."""
    assert 1 == chat(tmp_path, INST, HELLO)
    out = capsys.readouterr().out
    assert '  prompt  "<s>[INST] Hi [/INST]Yes</s>[INST] So [/INST]"' in out
    assert '  pieces  "<s>" "["' in out
    assert 2 == out.count("the same prompt and the same ")
    assert '  prompt  "[INST] Hi [/INST]Yes</s>[INST] So [/INST]"' not in out
    assert 'differs: it writes "[INST] Hi [/INST]Yes</s>[INST] So [/INST]", jinja2 writes "<s>[INST] Hi' in out
    assert out.index("cause: ") < out.index("differs: ") < out.index("smallest conversation")
    assert '  smallest conversation that shows it: {"messages": [' in out
    assert '  smallest template that shows it there: "{{ bos_token }}' in out


LONG = [{"role": "user", "content": f"{'Hi there ' * 200}<b>{'and so on ' * 200}"}]


def test_what_is_long_is_cut_around_the_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The cause comes first, no line is long, and what is cut is counted; all of it is shown where that is asked."""
    assert 1 == chat(tmp_path, INST, LONG, "--engine", "llama.cpp")
    out = capsys.readouterr().out
    assert 350 > max(map(len, out.splitlines()))
    assert out.index("  cause: ") < out.index("  differs: ")
    assert '  prompt  "<s>[INST] Hi there' in out
    assert re.search(r'" and 3,\d\d\d more characters \(-v\)\n', out)
    assert re.search(r"\n  ids .* and \d,?\d* more \(-v\)\n  pieces .* and \d,?\d* more \(-v\)\n", out)
    assert 1 == out.count("  prompt  ")
    assert 1 == chat(tmp_path, INST, LONG, "--engine", "llama.cpp", "-v")
    out = capsys.readouterr().out
    assert 2 == out.count("  prompt  ") == out.count('and so on  [/INST]"\n')
    assert "(-v)" not in out


def test_diff_has_the_same_for_a_conversation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`diff MODEL --chat` prints what `chat` prints, and ends as it does."""
    words = ["--engine", "llama.cpp"]
    assert 1 == chat(tmp_path, INST, HELLO, *words)
    out = capsys.readouterr().out
    assert 1 == cli.main(["diff", str(tmp_path / "model"), "--chat", str(tmp_path / "c.json"), *words])
    assert out == capsys.readouterr().out
    assert 2 == cli.main(["diff", str(tmp_path / "model"), "Hi", "--chat", str(tmp_path / "c.json")])


def test_equal_renderers_end_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All four know this template."""
    assert 0 == chat(tmp_path, CHATML, {"messages": HELLO, "add_generation_prompt": True})
    out = capsys.readouterr().out
    assert 3 == out.count("the same prompt and the same ")
    assert ":" not in out.splitlines()[-1]


def test_the_command_of_a_question_shows_its_prompts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a report prints beside a prompt is run as it is printed: the conversation comes by standard input."""
    model = str(with_model(tmp_path / "model", INST))
    told = shlex.split(Render(Template(INST), Conversation(tuple(HELLO))).command(shlex.quote(model), "llama.cpp"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(told[2].encode())))

    assert ["printf", "%s\\n", "|", "tokparity"] == [*told[:2], *told[3:5]]
    assert 1 == cli.main(told[5:])
    assert 'differs: it writes "[INST] Hi [/INST]Yes</s>[INST] So [/INST]"' in capsys.readouterr().out


def test_json_is_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object a line, with ids and pieces."""
    assert 0 == chat(tmp_path, CHATML, HELLO, "--json", "--engine", "llama-cpp-python")
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert ("jinja2", "llama-cpp-python") == (first["renderer"], second["renderer"])
    assert first["prompt"] == second["prompt"]
    assert len(first["ids"]) == len(second["pieces"])


def test_a_gguf_has_its_own_template(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file is enough."""
    file = converted(with_model(tmp_path / "model", CHATML), CHATML.replace("assistant", "model"))
    (tmp_path / "c.json").write_text('{"messages": [], "add_generation_prompt": true}', encoding="utf-8")
    assert 0 == cli.main(["chat", str(file), str(tmp_path / "c.json"), "--engine", "jinja2"])
    assert '"<|im_start|>model\\n"' in capsys.readouterr().out


def test_a_template_that_raises_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its own message, from each renderer that has Jinja."""
    chat(tmp_path, INST, [{"role": "system", "content": "x"}])
    out = capsys.readouterr().out
    assert 'the error "Roles must take turns: user, assistant, user, ..."' in out


@pytest.mark.parametrize(
    ("conversation", "words"),
    [
        ("Hi", "is not a conversation"),
        ([1], "is not a message"),
        ({"messages": [], "tool": []}, 'has no "tool"'),
        ({"messages": [], "tools": 1}, "write a list"),
        ({"messages": [], "extra": 1}, "write true or false"),
    ],
)
def test_what_is_no_conversation_is_refused(
    conversation: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with what to write."""
    assert 2 == chat(tmp_path, CHATML, conversation)
    assert words in capsys.readouterr().err


def test_a_model_without_a_template_says_where_one_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And an unknown renderer names the known ones."""
    (tmp_path / "c.json").write_text("[]", encoding="utf-8")
    model = with_model(tmp_path / "model", None)
    assert 2 == cli.main(["chat", str(model), str(tmp_path / "c.json")])
    assert "has no chat template; give" in capsys.readouterr().err
    assert 2 == cli.main(["chat", str(model), str(tmp_path / "c.json"), "--engine", "jinja"])
    assert "known are jinja2, transformers" in capsys.readouterr().err


def laws(folder: Path, template: str, messages: Sequence[Mapping[str, Any]], prefix: bool = False) -> list[str]:
    """What is said of the reference's prompt."""
    source = formats.read(with_model(folder, template))
    behaviour = source.behaviour
    if prefix:
        from dataclasses import replace

        behaviour = replace(behaviour, prefix_ids=(source.vocabulary.special["bos"],))
    tokenizer = Tokenizer(source.vocabulary, behaviour)
    question = Render(Template(template), Conversation(tuple(messages)), tokens_of(source))
    with Renderer() as renderer:
        (answer,) = renderer.render([question])
    assert isinstance(answer, Rendering)
    return list(broken_laws(question, answer.prompt or "", tokenizer))


def test_bos_twice_is_told(tmp_path: Path) -> None:
    """Where the template and the tokenizer both write it, and only there."""
    assert ["BOS twice"] == [law.partition(":")[0] for law in laws(tmp_path, TURNS, HELLO[:1], prefix=True)]
    assert [] == laws(tmp_path, TURNS, HELLO[:1])
    assert [] == laws(tmp_path, CHATML, HELLO[:1], prefix=True)


def test_a_generation_prompt_that_changes_what_is_before_it_is_told(tmp_path: Path) -> None:
    """The prompt without it should begin the prompt with it."""
    changed = "{{ 'go: ' if add_generation_prompt else 'stay: ' }}" + CHATML
    assert ["No prefix"] == [law.partition(":")[0] for law in laws(tmp_path, changed, HELLO[:1])]
    assert ["No generation prompt"] == [law.partition(":")[0] for law in laws(tmp_path, "{{ messages }}", HELLO[:1])]


def test_a_prompt_that_does_not_grow_is_told_as_a_property(tmp_path: Path) -> None:
    """Where the last message is written otherwise than the earlier ones; not where each is written alike."""
    last = "{% for m in messages %}<{{ m.content }}{{ '!' if loop.last and m.role == 'assistant' }}>{% endfor %}"
    found = laws(tmp_path, last + "{{ 'go' if add_generation_prompt }}", HELLO)
    (law,) = found
    assert law.startswith("No growth: the prompt of the first 2 messages does not begin the prompt of the first 3. ")
    assert 'writes "<Hi><Yes!>", then "<Hi><Yes><So>"' in law
    assert law.endswith("This is a property of the template, and no fault of a renderer.")
    assert [] == laws(tmp_path, TURNS, HELLO)


def test_control_tokens_in_a_message_are_told(tmp_path: Path) -> None:
    """A text that looks like EOS becomes EOS; a plain one says nothing."""
    (law,) = laws(tmp_path, TURNS, [{"role": "user", "content": "a</s>b"}])
    assert law.startswith('Control tokens in a message: the content of message 1 becomes "</s>" (')


@pytest.mark.parametrize("template", [TURNS, CHATML, INST], ids=["turns", "chatml", "inst"])
@pytest.mark.parametrize("name", ["transformers", "llama-cpp-python"])
def test_the_reference_renders_as_the_libraries_do(name: str, template: str) -> None:
    """On 200 conversations, wherever both render; transformers on all but the empty conversation."""
    with Renderer() as reference, Renderer(RENDERERS[name]) as library:
        given = [one for one in conversations(reference.words(template)) if one.messages]
        questions = [Render(Template(template), one, TOKENS) for one in given]
        pairs = list(zip(reference.render(questions), library.render(questions), strict=True))
    both = [pair for pair in pairs if not any(isinstance(answer, Failure) for answer in pair)]
    assert 100 < len(both)
    unlike = [
        one.literal for one, (mine, other) in zip(given, pairs, strict=True) if (mine, other) in both and mine != other
    ]
    nones = [one for one in unlike if "null" in one or "reasoning" in one]  # which only transformers takes away
    assert ([] if name == "transformers" else nones) == unlike


def test_of_two_templates_the_one_that_transformers_obeys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A chat_template.jinja beside a tokenizer_config.json that has another one."""
    model = with_model(tmp_path / "model", CHATML)
    (model / "chat_template.jinja").write_text("only {{ messages[0].content }}", encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps(HELLO), encoding="utf-8")
    cli.main(["chat", str(model), str(tmp_path / "c.json"), "--engine", "transformers"])
    assert 'prompt  "only Hi"' in capsys.readouterr().out
