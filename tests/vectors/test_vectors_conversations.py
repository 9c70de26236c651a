"""The group of conversations: right prompts pass in each of their forms, faults of renderers are killed and named."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from vectors_files import ROOT, STORED, small

from benchmarks.vector_runs import misnamed_conversations
from tokparity import models
from tokparity.chat import Renderer
from tokparity.chat.causes import CAUSES, DAILY
from tokparity.chat.edits import EDITS, is_of_template
from tokparity.errors import FormatError
from tokparity.formats import Source
from tokparity.generators import prepared
from tokparity.models import primary_source
from tokparity.questions import Render
from tokparity.session.seats import seat_one
from tokparity.vectors import conversations
from tokparity.vectors.asking import answer, can_be_asked, summary
from tokparity.vectors.file import SUFFIX, read, text_of, write
from tokparity.vectors.model import Answer, Group, Prompted, RightPrompt, Vector, Vectors
from tokparity.vectors.naming import judge, showing
from tokparity.vectors.oracle import Oracle
from tokparity.vectors.results import read_results, result_line

TEMPLATE = """{{ bos_token }}
{% for message in messages %}
{% if message['role'] not in ['system', 'user', 'assistant'] %}
{{ raise_exception('The role ' + message['role'] + ' is not known') }}
{% endif %}
{{ '[' + message['role'] + '] ' + message['content'] | trim + '\\n' }}
{% if message['role'] == 'assistant' %}
{{ eos_token }}
{% endif %}
{% endfor %}
{% if add_generation_prompt %}
{{ '[assistant] ' }}
{% endif %}
"""
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
BOS = 1
SCHEMA = json.loads((ROOT / "docs" / "vectors.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
RUNNERS = {"py": sys.executable, "mjs": "node"}


def source(template: str) -> Source:
    """A small model that has a chat template."""
    plain = primary_source(models.load("small-spm"))
    return replace(plain, metadata={**plain.metadata, "tokenizer.chat_template": template})


def grouped(template: str) -> dict[str, Group]:
    """The group of a model with this template."""
    model, plain = models.load("small-spm"), source(template)
    with Oracle(seat_one(model, "reference")) as oracle:
        return conversations.grouped(plain, prepared(plain.vocabulary, plain.behaviour), oracle, lambda said: None)


@cache
def group() -> Group:
    """The group of the small model."""
    return grouped(TEMPLATE)["conversations"]


@cache
def vectors() -> Vectors:
    """The stored vectors of a small model, with conversations and without plain cases."""
    return replace(small(), cases=(), groups={"conversations": group()})


@cache
def asked() -> conversations.Asked:
    """The prompts of each fault for the cases of the group."""
    subject = prepared(source(TEMPLATE).vocabulary, source(TEMPLATE).behaviour).subject
    tokenizer = conversations.Tokenizer(subject.vocabulary, subject.behaviour)
    rights = {question_of(case): right_of(case) for case in group().cases}
    with Renderer() as reference:
        return conversations.put(rights, tokenizer, subject.tokens, reference)


def question_of(case: Vector) -> Render:
    """What a case asks."""
    assert isinstance(case.question, Render)
    return case.question


def right_of(case: Vector) -> RightPrompt:
    """What is right of a case."""
    assert isinstance(case.answer, RightPrompt)
    return case.answer


def given(case: Vector, ids: bool = False) -> Answer:
    """The right answer of an engine, which may return ids."""
    right = right_of(case)
    return None if right.text is None else Prompted(right.text, right.ids if ids else None)


def with_fault(fault: str = "", ids: bool = False) -> dict[str, Answer]:
    """The answers of an engine, with a fault if one is named."""
    wrong = asked().wrong.get(fault, {})
    return {case.id: wrong.get(question_of(case), given(case, ids)) for case in group().cases}


def named() -> dict[str, str]:
    """The fault under whose name the file has each that a case shows."""
    return {other: name for name, fault in group().faults.items() for other in (name, *fault.alike)}


def test_a_model_with_a_template_has_conversations() -> None:
    """At most twenty, with the reference's prompts and the model's ids, one of which the template refuses itself."""
    cases = group().cases
    assert 10 <= len(cases) <= 20
    assert {"r"} == {case.id[0] for case in cases}
    assert all(TOKENS == question_of(case).tokens for case in cases)
    with Renderer() as reference:
        answers = reference.render([question_of(case) for case in cases])
    for case, found in zip(cases, answers, strict=True):
        assert right_of(case).allows(conversations.answer_of(found))
        assert "; shows " in case.comment
    refused = [case for case in cases if right_of(case).text is None]
    assert refused
    assert all("raises" in case.tags and "the template raises an error" in case.comment for case in refused)
    said = next(right for case in cases if (right := right_of(case)).text is not None)
    assert BOS == said.ids[0] != said.ids[1]


def test_a_model_without_a_template_has_none() -> None:
    """Neither has one whose template makes no prompt of anything."""
    assert {} == grouped("{% for message in messages %}")
    with Oracle(seat_one(models.load("small-spm"), "reference")) as oracle:
        plain = primary_source(models.load("small-spm"))
        held = prepared(plain.vocabulary, plain.behaviour)
        assert {} == conversations.grouped(plain, held, oracle, lambda said: None)


def test_every_fault_is_told() -> None:
    """Each cause and each edit is one that cases show, one that is alike, or one with the reason why none shows it."""
    told = [*named(), *(one for untold in group().untold for one in untold.faults)]
    known = {cause.name for cause in (*CAUSES, *EDITS)} | {"leaves_out_ends", *conversations.IDS}
    assert sorted(known) == sorted(name for name in told if not is_of_template(name))
    assert set(DAILY) <= {one for untold in group().untold if "day" in untold.why for one in untold.faults}
    assert any(is_of_template(name) for name in named())


def test_a_fault_is_killed_and_named_first() -> None:
    """An engine with a fault fails, and the first name is its own or one that the file calls alike."""
    names = named()
    assert {"never_writes_bos", "never_writes_eos", "never_trims", "merges_system", "trims_prompt"} <= names.keys()
    assert {"leaves_out_newlines", "writes_other_roles", "adds_special_to_prompt"} <= names.keys()
    for fault, name in names.items():
        outcome = judge(group(), with_fault(fault))
        assert name == outcome.named[0].fault, fault
        assert not outcome.left
    subject = prepared(source(TEMPLATE).vocabulary, source(TEMPLATE).behaviour).subject
    tokenizer = conversations.Tokenizer(subject.vocabulary, subject.behaviour)
    assert ([], len(names)) == misnamed_conversations(group(), tokenizer, subject.tokens)


def test_every_right_way_passes() -> None:
    """With its ids or without, with an error of any words where the template raises one."""
    for ids in (False, True):
        assert (len(group().cases), ()) == ((found := judge(group(), with_fault(ids=ids))).asked, found.failed)


def test_bos_twice_shows_in_the_ids() -> None:
    """A prompt that is right, and to which the tokenizer adds BOS again, has a name; wrong ids of a wrong text do not
    hide the fault of the text."""
    case = next(case for case in group().cases if right_of(case).text is not None)
    right = right_of(case)
    assert right.text is not None
    assert ("adds_special_to_prompt",) == showing(case, Prompted(right.text, (BOS, *right.ids)))
    assert "writes_bos_twice" in showing(case, Prompted(b"<s>" + right.text, (9, 9)))
    assert not right.allows(None)
    assert not RightPrompt(None).allows(Prompted(b""))


def test_what_twenty_cannot_show_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that no chosen conversation shows is not among those that the file names."""
    monkeypatch.setattr(conversations, "MOST", 1)
    few = grouped(TEMPLATE)["conversations"]
    assert 1 == len(few.cases)
    left = {one for untold in few.untold if untold.why == conversations.NO_ROOM for one in untold.faults}
    assert left
    assert left.isdisjoint(few.faults)
    assert few.faults.keys() == {name for case in few.cases for one in case.wrong for name in one.faults}


def test_the_file_comes_back(tmp_path: Path) -> None:
    """It fits the schema, and is read as it was made."""
    path = tmp_path / f"x{SUFFIX}"
    write(vectors(), path)
    VALID.validate(json.loads(path.read_text(encoding="utf-8")))
    assert vectors() == read(path)
    assert path.read_text(encoding="utf-8") == text_of(read(path))


def changes(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The file with one thing in its group of conversations wrong."""
    part = data["conversations"]
    refused = next(case for case in part["cases"] if "raises" in case["answer"])
    case = next(case for case in part["cases"] if "prompt" in case["answer"])

    def with_part(**fields: Any) -> dict[str, Any]:
        cases = fields.get("cases", part["cases"])
        size = len(cases) if isinstance(cases, list) else 0
        return {**data, "conversations": {**part, **fields}, "counts": {**data["counts"], "conversations": size}}

    for name in part:
        left = {key: value for key, value in part.items() if key != name}
        yield {**data, "conversations": left}
        yield with_part(**{name: 1.5})
    yield with_part(now="2026-01-02T03:04:06")
    yield with_part(tokens={"bos_token": 1})
    yield with_part(tokens={"\x1b[2J": "a"})
    yield with_part(template="a" * ((1 << 18) + 1))
    for one in (case, refused):
        for name in one.keys() - {"pieces"}:
            yield with_part(cases=[{key: value for key, value in one.items() if key != name}])
            yield with_part(cases=[{**one, name: 1.5}])
    answers = (
        {},
        {"raises": False},
        {"prompt": "a"},
        {"ids": []},
        {"raises": True, "ids": []},
        {"prompt": 1, "ids": []},
    )
    yield from (with_part(cases=[{**case, "answer": answer}]) for answer in answers)
    yield with_part(cases=[{**case, "answer": {"prompt": "a", "ids": [-1]}}])
    for conversation in (
        [],
        {},
        {"messages": [1]},
        {"messages": {}},
        {"messages": [], "more": 1},
        {"messages": [], "tools": 1},
    ):
        yield with_part(cases=[{**case, "conversation": conversation}])
    yield with_part(cases=[{**case, "ask": "encode"}])


def test_the_schema_refuses_what_the_reader_refuses(tmp_path: Path) -> None:
    """Each field that is taken away, and each value of another type, is an error of both."""
    path = tmp_path / f"x{SUFFIX}"
    for changed in changes(json.loads(text_of(vectors()))):
        assert not VALID.is_valid(changed), changed
        path.write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(FormatError):
            read(path)


@pytest.mark.parametrize("name", ["gemma-4", "qwen2"])
def test_stored_files_have_conversations(name: str) -> None:
    """Of the stored models those that have a chat template, for at most 60 kB more."""
    stored = read(STORED / f"{name}{SUFFIX}")
    cases = stored.groups["conversations"].cases
    assert 10 <= len(cases) <= 20
    without = {part: group for part, group in stored.groups.items() if part != "conversations"}
    assert 60_000 >= len(text_of(stored).encode()) - len(text_of(replace(stored, groups=without)).encode())


class Engine:
    """An engine whose prompts are known."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers

    def render(self, template: str, tokens: dict[str, str], conversation: dict[str, Any]) -> object:
        """A prompt, or a pair of it and its ids."""
        assert (TEMPLATE, TOKENS) == (template, tokens)
        case = next(case for case in group().cases if question_of(case).conversation.to_json() == conversation)
        found = self._answers[case.id]
        if not isinstance(found, Prompted):
            raise ValueError("no such role, in other words")
        return found.text.decode() if found.ids is None else (found.text, list(found.ids))


def test_a_python_object_is_asked() -> None:
    """As pytest's plugin does it: an engine without the function is not, one with a fault is told its name."""
    cases = group().cases
    assert not any(can_be_asked(case, object()) for case in cases)
    for ids in (False, True):
        engine = Engine(with_fault(ids=ids))
        assert all(can_be_asked(case, engine) for case in cases)
        assert with_fault(ids=ids) == {case.id: answer(case, engine) for case in cases}
    answers = {case.id: answer(case, Engine(with_fault("trims_prompt"))) for case in cases}
    first, *_, passed = summary(vectors(), answers)
    assert "an engine that trims the prompt: `trims_prompt`" in first
    assert f"the file has {len(cases)}" in passed


def test_results_come_back(tmp_path: Path) -> None:
    """An answer of each form is read as it was written."""
    path = tmp_path / "results.jsonl"
    for ids in (False, True):
        answers = with_fault(ids=ids)
        lines = (result_line(case, answers[case.id]) + "\n" for case in group().cases)
        path.write_text("".join(lines), encoding="utf-8")
        assert answers == read_results(path, vectors())


@pytest.fixture(scope="module", params=[suffix for suffix, tool in RUNNERS.items() if shutil.which(tool)])
def runner(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder with a runner of groups, the vectors, and an engine that reads its answers from a file."""
    folder = tmp_path_factory.mktemp(request.param)
    shutil.copy(ROOT / "runners" / f"run_groups.{request.param}", folder)
    engine = ROOT / "tests" / "data" / "vectors_engines" / f"group_engine.{request.param}"
    shutil.copy(engine, folder / f"engine.{request.param}")
    write(vectors(), folder / f"x{SUFFIX}")
    return folder, [RUNNERS[request.param], f"run_groups.{request.param}", f"x{SUFFIX}"]


def run(runner: tuple[Path, list[str]], answers: Mapping[str, Answer]) -> tuple[int, str]:
    """Exit code and output of a runner on an engine with these answers."""
    folder, command = runner
    table = {}
    for case in group().cases:
        if isinstance(found := answers[case.id], Prompted):
            said = [TEMPLATE, dict(question_of(case).tokens), question_of(case).conversation.to_json()]
            key = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
            table[key] = [found.text.hex(), *([] if found.ids is None else [found.ids])]
    (folder / "answers.json").write_text(json.dumps(table), encoding="ascii")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("ids", [False, True])
def test_a_runner_passes_a_right_engine(runner: tuple[Path, list[str]], ids: bool) -> None:
    """The exit code is 0, and the results are the engine's answers."""
    code, out = run(runner, with_fault(ids=ids))
    assert (0, f"{len(group().cases)} of {len(group().cases)} cases pass, the group is render\n") == (code, out)
    assert with_fault(ids=ids) == read_results(runner[0] / "results.jsonl", vectors())


@pytest.mark.parametrize("fault", ["never_writes_eos", "trims_prompt", "adds_special_to_prompt", "leaves_out_newlines"])
def test_a_runner_names_a_fault_first(runner: tuple[Path, list[str]], fault: str) -> None:
    """The exit code is 1, and the fault is named as tokparity names it."""
    code, out = run(runner, with_fault(fault))
    outcome = judge(group(), with_fault(fault))
    assert 1 == code
    assert len(outcome.failed) == out.count("FAIL ")
    first = next(line for line in out.splitlines() if "one known cause" in line)
    assert f"{outcome.named[0].cases} of {len(outcome.failed)} failures" in first
    assert f"`{fault}`" in first


def test_a_prompt_where_the_template_raises_fails(runner: tuple[Path, list[str]]) -> None:
    """An engine that is content with anything is not right."""
    refused = next(case for case in group().cases if right_of(case).text is None)
    code, out = run(runner, {**with_fault(), refused.id: Prompted(b"anything")})
    assert (1, 1) == (code, out.count("FAIL "))
    assert f"FAIL {refused.id}" in out
