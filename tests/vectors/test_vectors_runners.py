"""The runners, each in its language, before a right engine, faulty ones, one that raises, and damaged files."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from json_libraries import found
from vectors_files import MODEL, ROOT, small, small_path

from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.models import primary_source
from tokparity.questions import Encode, Question
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vectors.model import Answer, answer_of
from tokparity.vectors.naming import judge, sentences
from tokparity.vectors.results import read_results

ENGINES = ROOT / "tests" / "data" / "vectors_engines"
EXAMPLES = ROOT / "examples" / "vectors"
OFFLINE = '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n'


ONE = {"cases": 1}


@dataclass(frozen=True)
class Runner:
    """A language: the end of its files, what builds it, what runs it, the library that it needs."""

    suffix: str
    tool: str
    build: Sequence[str]
    run: Sequence[str]
    library: str = ""
    files: str = "*.{suffix}"
    """Of `runners/`, the files that are copied."""


RUNNERS: Mapping[str, Runner] = {
    "Python": Runner("py", sys.executable, (), (sys.executable, "run_vectors.py")),
    "JavaScript": Runner("mjs", "node", (), ("node", "run_vectors.mjs")),
    "C++": Runner(
        "cpp",
        "g++",
        ("g++", "-std=c++17", "-Wall", "-Werror", "run_vectors.cpp", "engine.cpp", "-o", "runner"),
        ("./runner",),
        "nlohmann/json.hpp",
    ),
    "C": Runner(
        "c",
        "g++",
        (
            *("sh", "-c"),
            "gcc -c -Wall -Werror engine.c && "
            "g++ -std=c++17 -Wall -Werror run_vectors.cpp engine_in_c.cpp engine.o -o runner",
        ),
        ("./runner",),
        "nlohmann/json.hpp",
        "*.cpp",
    ),
    "Java": Runner(
        "java",
        "javac",
        ("javac", "-cp", found("gson"), "RunVectors.java", "Engine.java"),
        ("java", "-cp", f"{found('gson')}:.", "RunVectors"),
        "gson",
    ),
    "Go": Runner("go", "go", ("go", "build", "-o", "runner", "run_vectors.go", "engine.go"), ("./runner",)),
    "Swift": Runner("swift", "swiftc", ("swiftc", "run_vectors.swift", "engine.swift", "-o", "runner"), ("./runner",)),
    "Rust": Runner("rs", "cargo", ("cargo", "build", "--offline", "-q"), ("target/debug/run_vectors",), "serde_json"),
}


def missing(name: str) -> str:
    """Why a runner cannot be tried here."""
    runner = RUNNERS[name]
    if shutil.which(runner.tool) is None:
        return f"no compiler here: {runner.tool}"
    return f"no JSON library here: {runner.library}" if runner.library and not found(runner.library) else ""


HERE = [name for name in RUNNERS if not missing(name)]


@pytest.mark.parametrize("why", sorted({*map(missing, RUNNERS)}))
def test_what_runners_need_is_here(why: str) -> None:
    """Where something is not, this skip stands for all tests of the runners that need it."""
    if why:
        pytest.skip(why)


@pytest.fixture(scope="module", params=HERE)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Sequence[str]]:
    """A folder with a runner and its engine, and the command that runs it there."""
    runner = RUNNERS[request.param]
    folder = tmp_path_factory.mktemp(runner.suffix)
    for source in (
        *(ROOT / "runners").glob(runner.files.format(suffix=runner.suffix)),
        *ENGINES.glob(f"*.{runner.suffix}"),
    ):
        shutil.copy(source, folder)
    if runner.suffix == "rs":
        (folder / "src").mkdir()
        (folder / "run_vectors.rs").rename(folder / "src" / "main.rs")
        (folder / "engine.rs").rename(folder / "src" / "engine.rs")
        shutil.copy(EXAMPLES / "cargo" / "Cargo.toml", folder)
        (folder / ".cargo").mkdir()
        (folder / ".cargo" / "config.toml").write_text(OFFLINE, encoding="utf-8")
    if runner.build:
        done = subprocess.run(runner.build, cwd=folder, capture_output=True, text=True, check=False)
        assert "" == done.stderr
    return folder, runner.run


@cache
def answers(*faults: str) -> dict[Question, Answer]:
    """What the reference with these faults gives."""
    source = primary_source(models.load(MODEL))
    right = Tokenizer(source.vocabulary, source.behaviour)
    engine = right.with_behaviour(quirks.flip_all(map(quirks.get, faults), source.behaviour))
    return {case.question: answer_of(imitate(engine, case.question)) for case in small().cases}


def table_line(question: Question, answer: Answer) -> str:
    """A line of answers.txt, which the engines read."""
    if isinstance(question, Encode):
        key = f"e {question.text.hex()} {question.add_special:d}{question.parse_special:d}"
    else:
        key = f"d {','.join(map(str, question.ids))} {question.skip_special:d}"
    return f"{key}\t{answer.hex() if isinstance(answer, bytes) else ','.join(map(str, answer or ()))}"


def put(
    built: tuple[Path, Sequence[str]],
    given: Mapping[Question, Answer],
    vectors: Path | None = None,
    dying: Sequence[Question] = (),
) -> tuple[int, str, Path]:
    """Exit code, output and results of a runner whose engine has these answers, and raises where there is none."""
    folder, command = built
    lines = [table_line(question, answer) for question, answer in given.items() if answer is not None]
    lines += [table_line(question, ()) + "!" for question in dying]
    (folder / "answers.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
    results = folder / "results.jsonl"
    words = [*command, str(vectors or small_path()), str(results)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout + done.stderr, results


def test_a_right_engine_passes(built: tuple[Path, Sequence[str]]) -> None:
    """The exit code is 0, and the results are the engine's answers, so text and flags arrive as they are."""
    code, out, results = put(built, answers())
    assert 0 == code
    assert f"{len(small().cases)} of {len(small().cases)} cases of {MODEL} pass" in out
    assert {case.id: answers()[case.question] for case in small().cases} == read_results(results, small())


@pytest.mark.parametrize("fault", ["collapses_spaces", "omits_space_prefix", "decodes_each_id_alone"])
def test_a_fault_is_named(built: tuple[Path, Sequence[str]], fault: str) -> None:
    """The exit code is 1, each failing case is told, and the sentence is the one that tokparity itself writes."""
    code, out, results = put(built, answers(fault))
    outcome = judge(small(), read_results(results, small()))
    assert 1 == code
    assert len(outcome.failed) == out.count("FAIL ")
    assert [*sentences(small(), outcome)] == [line for line in out.splitlines() if " failures have " in line]
    assert f": `{fault}`" in out


def test_a_case_that_raises_loses_no_other(built: tuple[Path, Sequence[str]]) -> None:
    """An error is the failure of its case alone, and stands in the results."""
    lost = next(case for case in small().cases if case.level == "must")
    code, out, results = put(built, {**answers(), lost.question: None})
    assert 1 == code
    assert f"FAIL {lost.id}" in out.replace('"', "").replace("\\", "")
    assert 1 == out.count("FAIL ")
    assert None is read_results(results, small())[lost.id]


RAISES = """
def encode(*asked):
    raise ValueError("no model is open")
decode = stream = spans = encode
"""
THROWS = """
export const encode = () => { throw Error("no model is open"); };
export const stream = encode, spans = encode;
"""


@pytest.mark.parametrize("runner", ["run_vectors.py", "run_groups.py", "run_vectors.mjs", "run_groups.mjs"])
def test_an_error_is_told(runner: str, tmp_path: Path) -> None:
    """Who has made a mistake in the engine's file sees which, beside the right answer."""
    is_python = runner.endswith(".py")
    program = sys.executable if is_python else shutil.which("node")
    if program is None:
        pytest.skip("no compiler here: node")
    (tmp_path / ("engine.py" if is_python else "engine.mjs")).write_text(RAISES if is_python else THROWS)
    shutil.copy(ROOT / "runners" / runner, tmp_path)
    words = [program, runner, str(small_path()), "results.jsonl"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert 1 == done.returncode
    told = [line for line in done.stdout.splitlines() if line.startswith("  yours")]
    assert told
    assert all("rror: no model is open" in line for line in told), told[0]


@pytest.mark.parametrize("runner", ["run_groups.py", "run_groups.mjs"])
def test_an_engine_without_a_function_is_no_green(runner: str, tmp_path: Path) -> None:
    """Nothing was asked, and the runner says of each group why."""
    program = sys.executable if runner.endswith(".py") else shutil.which("node")
    if program is None:
        pytest.skip("no compiler here: node")
    (tmp_path / f"engine{Path(runner).suffix}").write_text("")
    shutil.copy(ROOT / "runners" / runner, tmp_path)
    words = [program, runner, str(small_path()), "results.jsonl"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert 2 == done.returncode
    told = [line.partition(" is left out: engine")[0] for line in done.stdout.splitlines()]
    assert [f"the group {name}" for name in small().groups] == told


def test_an_engine_that_dies_loses_no_other_case(built: tuple[Path, Sequence[str]]) -> None:
    """An end of the process in Python and JavaScript, a signal in C++, a panic elsewhere fails its case alone."""
    first, second = [case for case in small().cases if case.level == "must" and isinstance(case.question, Encode)][3:5]
    dying = (first.question, second.question)
    code, out, results = put(built, answers() | dict.fromkeys(dying), dying=dying)
    assert 1 == code
    assert 2 == out.count("FAIL ")
    found = read_results(results, small())
    assert len(small().cases) == len(found)
    assert [None, None] == [found[first.id], found[second.id]]


def test_what_an_engine_may_refuse_is_no_failure(built: tuple[Path, Sequence[str]]) -> None:
    """An engine that takes only text may raise an error for bytes that are not UTF-8."""
    refused = [case.question for case in small().cases if any(one.answer is None for one in case.acceptable)]
    assert refused
    code, _, _ = put(built, answers() | dict.fromkeys(refused))
    assert 0 == code


EXAMPLE_OF = {"JavaScript": ("node", ("node", "--test")), "Rust": ("cargo", ("cargo", "test", "--offline", "-q"))}


@pytest.mark.skipif(EXAMPLE_OF.keys().isdisjoint(HERE), reason="no compiler here: node")
@pytest.mark.parametrize(
    ("built", "example", "command"),
    [(name, *EXAMPLE_OF[name]) for name in EXAMPLE_OF if name in HERE] or [("Python", "", ())],
    indirect=["built"],
)
def test_the_test_command_of_a_language_runs_the_vectors(
    built: tuple[Path, Sequence[str]], example: str, command: Sequence[str]
) -> None:
    """The examples for `node --test` and `cargo test` pass with a right engine, and else tell the fault's name."""
    folder, _ = built
    shutil.copytree(EXAMPLES / example, folder, dirs_exist_ok=True)
    shutil.copy(small_path(), folder / "tokenizer.vectors.json")
    for faults in ((), ("collapses_spaces",)):
        put(built, answers(*faults))
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert bool(faults) is bool(done.returncode)
        assert bool(faults) is (": `collapses_spaces`" in done.stdout)


def damaged() -> Iterator[str]:
    """Files of another kind, and the stored one with something in it taken away or of another type."""
    yield from ("", "[]", "{}", '{"format": "tokparity-vectors-9"}', '{"format": "\\u001b[2J"}')
    data = json.loads(small_path().read_text(encoding="utf-8"))
    yield json.dumps(data)[:-200]
    yield json.dumps({**data, "cases": data["cases"][1:]})
    yield json.dumps({**data, "faults": {}})
    yield json.dumps({**data, "model": {"x": 5}})
    case = data["cases"][5]
    for name in ("id", "ask", "answer", "comment", "wrong", "text"):
        yield json.dumps({**data, "cases": [{key: value for key, value in case.items() if key != name}], "counts": ONE})
        yield json.dumps({**data, "cases": [{**case, name: {"x": 5}}], "counts": ONE})


@pytest.mark.parametrize("content", nightly_but([*damaged()][::2], damaged()), ids=lambda content: f"{len(content)}")
def test_a_damaged_file_is_one_clear_line(built: tuple[Path, Sequence[str]], content: str) -> None:
    """The exit code is 2, and what is printed has no control character."""
    path = built[0] / "damaged.json"
    path.write_text(content, encoding="utf-8")
    code, out, _ = put(built, {}, path)
    assert 2 == code
    assert "cannot be read as test vectors" in out
    assert 1 == len(out.splitlines())
    assert out.strip().isprintable()


def test_hostile_comments_are_escaped(built: tuple[Path, Sequence[str]]) -> None:
    """A comment with a control sequence does not reach the terminal, whoever made the file."""
    data = json.loads(small_path().read_text(encoding="utf-8"))
    data["cases"] = [{**data["cases"][5], "comment": "\x1b[2J\u202e", "answer": [7]}]
    data["faults"] = {name: {"does": "\x1b[2J\u202e"} for name in data["faults"]}
    data["counts"]["cases"] = 1
    hostile = built[0] / "hostile.json"
    hostile.write_text(json.dumps(data), encoding="utf-8")
    _, out, _ = put(built, answers(), hostile)
    assert "FAIL" in out
    assert [] == [line for line in out.splitlines() if not line.isprintable() or "\u202e" in line]


@pytest.mark.parametrize("path", sorted((ROOT / "runners").iterdir()), ids=lambda path: path.name)
def test_a_runner_is_short(path: Path) -> None:
    """Whoever adopts it reads it first."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80
