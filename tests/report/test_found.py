"""The faults of released engines: the files of found/, their page, and the issue that each becomes."""

from __future__ import annotations

import runpy
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tokparity import quirks
from tokparity.cli import main
from tokparity.errors import UsageError
from tokparity.models.record import names
from tokparity.report.found import LINEAR, SQUARE, Fault, Found, folder, read
from tokparity.report.render.fault import issue, script

ROOT = Path(__file__).parents[2]
FILES = folder(ROOT / "found")
FAULTS = [(found, fault) for found in FILES for fault in found.faults]
PUT_AGAIN: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "found.py"))

TOML = """engine = "e"
package = "p"
registry = "npm"
version = "1.0"
project = "https://example.org"
script = "encode(TEXT)"
[[fault]]
name = "n"
title = "t"
hurts = "h"
model = "gpt-2"
text = '"a"'
given = "1 2"
right = "3"
oracle = "o"
second = "s"
second_gives = "3"
cause = "c"
fix = "f"
"""


def made(folder: Path, text: str = TOML) -> Found:
    """The file of this text, read."""
    path = folder / "e.toml"
    path.write_text(text, encoding="utf-8")
    return read(path)


def test_there_are_many() -> None:
    """At least 30 faults in at least 12 engines, and none without a sentence on the cause."""
    assert (True, True) == (len(FAULTS) >= 30, len(FILES) >= 12)
    assert [] == [fault.name for _, fault in FAULTS if not fault.cause]


def test_the_readme_has_their_number() -> None:
    """README.md says how many faults in how many engines, and its two examples are among them."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"[{len(FAULTS)} faults in {len(FILES)} released engines](docs/found.md)" in readme
    named = {(found.package.engine, fault.name) for found, fault in FAULTS}
    assert {("gpt-tokenizer", "special-after-text"), ("openvino-tokenizers", "spelled-byte")} < named


@pytest.mark.parametrize(("found", "fault"), FAULTS, ids=[f"{a.package.engine}-{b.name}" for a, b in FAULTS])
def test_each_is_a_fault_that_a_second_engine_judged(found: Found, fault: Fault) -> None:
    """The model is known, the answer is wrong, the second engine gives the right one, and quirks are of the catalog."""
    assert fault.model in names()
    assert fault.given != fault.right
    assert fault.right == fault.second_gives
    assert len({found.package.engine, fault.oracle, fault.second}) == 3
    assert set(fault.quirks) <= set(quirks.names())
    assert fault.version != fault.until
    told = issue(found, fault.name)
    assert f"# {fault.title[:10]}" in told
    assert script(found.package, fault)[0] in told


def test_the_page_is_fresh() -> None:
    """docs/found.md is what scripts/found_page.py writes."""
    page: str = runpy.run_path(str(ROOT / "scripts" / "found_page.py"))["page"](FILES)
    assert page == (ROOT / "docs" / "found.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(('name = "n"\n', ""), ('given = "1 2"', "given = 1"), ('fix = "f"', 'fix = "f"\nmore = 1')),
        *(('engine = "e"\n', ""), ("'\"a\"'", "'a'"), ("text = '\"a\"'", "text = '\"a\"'\nids = [1]"), ("[[", "[")),
    ],
)
def test_a_wrong_record_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """A key that is missing, unknown or of another type, a text that is no JSON, or text and ids at once."""
    assert "n" == made(tmp_path).faults[0].name
    with pytest.raises(UsageError):
        made(tmp_path, TOML.replace(old, new, 1))


@pytest.mark.parametrize(
    "text",
    ["5", '{"a": 1}', "[" * 100_000, "NaN", '{"base64": "%"}'],
    ids=["number", "object", "deep", "nan", "base64"],
)
def test_a_text_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    """JSON that spells no text, or nests beyond what Python reads, is one error with the fault's name."""
    with pytest.raises(UsageError, match="the text of 'n'"):
        made(tmp_path, TOML.replace("'\"a\"'", f"'{text}'"))


def test_a_file_that_nests_without_end_is_refused(tmp_path: Path) -> None:
    """The reader of tokparity.toml and its bounds read these files as well."""
    with pytest.raises(UsageError, match="brackets of more than 16 levels"):
        made(tmp_path, f"more = {'[' * 100_000}{']' * 100_000}\n{TOML}")


def test_a_large_file_is_refused(tmp_path: Path) -> None:
    """A file beyond 1 MiB is not parsed."""
    with pytest.raises(UsageError, match="larger than 1048576 bytes"):
        made(tmp_path, TOML + "#" * (1 << 20))


@pytest.mark.parametrize(
    ("own", "oracle", "second", "newest", "state"),
    [
        ("1 2", "3", "3", {}, "still there"),
        ("1 2", "3", "3", {"e@2.0": "1 2"}, "still there"),
        ("1 2", "3", "3", {"e@2.0": "3"}, "healed since"),
        ("3", "3", "3", {}, "changed"),
        ("1 2", "4", "3", {}, "changed"),
        ("1 2", "3", "4", {}, "changed"),
        ("unavailable: no npm", "3", "3", {}, "unavailable"),
        ("1 2", "unavailable: no", "3", {}, "unavailable"),
    ],
)
def test_the_state_of_a_fault(
    tmp_path: Path, own: str, oracle: str, second: str, newest: dict[str, str], state: str
) -> None:
    """Still there, healed in a newer release, changed where any answer is another one, or unavailable."""
    found = made(tmp_path)
    said = {"e@1.0": own, "o": oracle, "s": second, **newest}
    assert state == PUT_AGAIN["state"](found, found.faults[0], said, "2.0" if newest else "1.0")[0]


@pytest.mark.parametrize(
    ("second", "code", "said"),
    [
        ("3", 0, "healed since  e@1.0 n: e@2.0 gives 3\n0 still there; 1 healed since; 0 changed; 0 unavailable\n"),
        ("4", 1, "changed       e@1.0 n: s gives 4, not 3\n0 still there; 0 healed since; 1 changed; 0 unavailable\n"),
    ],
)
def test_a_line_for_each_fault(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    second: str,
    code: int,
    said: str,
) -> None:
    """The fault is put to its version, the newest release and both judges; the exit code tells a change."""
    made(tmp_path)
    main_, answers = PUT_AGAIN["main"], {"e@1.0": "1 2", "e@2.0": "3", "o": "3", "s": second}
    monkeypatch.setitem(main_.__globals__, "FOLDER", tmp_path)
    monkeypatch.setitem(main_.__globals__, "_newest", lambda engine: "2.0")
    monkeypatch.setitem(main_.__globals__, "ask", lambda name, model, faults: [answers[name]])
    assert code == main_([])
    assert said == capsys.readouterr().out


def test_engines_are_asked_as_a_run_asks_them(tmp_path: Path) -> None:
    """Ids and decoded texts are spelled as in found/, and an engine that is not there is unavailable."""
    text = TOML.replace("gpt-2", "small-bpe")
    faults = made(tmp_path, text + text[text.index("[[fault]]") :].replace("text = '\"a\"'", "ids = [67]")).faults
    assert ["67", '"a"'] == PUT_AGAIN["ask"]("tokenizers", "small-bpe", faults)
    assert PUT_AGAIN["ask"]("tekken-tokenizer-of-nobody", "small-bpe", faults).startswith("unavailable: ")


@pytest.mark.parametrize(("power", "said"), [(1, LINEAR), (1.2, LINEAR), (2, SQUARE), (3, SQUARE)])
def test_the_growth_of_time_is_judged_by_the_ratio_of_two_lengths(
    monkeypatch: pytest.MonkeyPatch, power: float, said: str
) -> None:
    """Whatever one of them takes: a clock that runs 1,000 times as fast says the same."""
    growth = PUT_AGAIN["_growth"]
    for speed in (1, 1000):
        clock = [0.0]

        def encode(times: int, clock: list[float] = clock, speed: int = speed) -> None:
            clock[0] += times**power * speed

        monkeypatch.setattr(growth.__globals__["time"], "perf_counter", lambda clock=clock: clock[0])
        assert said == growth(encode, (500, 2000))


def test_a_fault_of_growth_has_two_lengths(tmp_path: Path) -> None:
    """They are shown with the text, and an engine whose time grows as the text does is right."""
    text = TOML.replace("gpt-2", "small-bpe").replace("text =", "lengths = [500, 2000]\ntext =")
    (fault,) = made(tmp_path, text).faults
    assert '"a" x 500 and 2,000' == fault.asked
    assert [LINEAR] == PUT_AGAIN["ask"]("tokenizers", "small-bpe", [fault])
    for wrong in ("[500]", "[1, 2, 3]", '["a", "b"]'):
        with pytest.raises(UsageError):
            made(tmp_path, text.replace("[500, 2000]", wrong))
    with pytest.raises(UsageError, match="are not two, of a text"):
        made(tmp_path, text.replace("text = '\"a\"'", "ids = [1]"))


def test_a_script_of_a_fault_prints_the_answer(tmp_path: Path) -> None:
    """It runs with the package alone, beside the model's file; one that fails is unavailable."""
    text = TOML.replace("gpt-2", "small-bpe") + "script = 'print(open(\"tokenizer.json\").read(1))'\n"
    (fault,) = made(tmp_path, text).faults
    version = metadata.version("tokenizers")
    assert ["{"] == PUT_AGAIN["run_script"]("tokenizers", version, fault)
    assert PUT_AGAIN["run_script"]("tokenizers", version, replace(fault, script="exit(1)")).startswith("unavailable: ")
    assert PUT_AGAIN["run_script"]("nobody", version, fault).startswith("unavailable: ")


def test_an_issue_says_whose_tokenizer_it_is(tmp_path: Path) -> None:
    """People of the engine know the model by the name of its repository, not by ours."""
    found = made(tmp_path, TOML.replace("gpt-2", "llama-bpe"))
    assert "- Vocabulary: llama-bpe, the tokenizer of meta-llama/Meta-Llama-3-8B\n" in issue(found, "n")


def test_the_vocabularies_of_llama_cpp_need_no_tokparity() -> None:
    """Its people have the file; another format of the same model is one that tokparity writes."""
    told = {found.package.engine: issue(found, found.faults[0].name) for found in FILES}
    file = "The vocabulary `model.gguf` is `ggml-vocab-bert-bge.gguf` of llama.cpp's folder `models`:\n"
    assert file in told["xllamacpp"]
    assert "`tokparity convert qwen2 --to tokenizer.json -o tokenizer.json`" in told["bpe-qwen"]


def test_render_writes_the_issue_of_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The version, lines in the users' language, both answers, the cause and the fix; no other format is known."""
    made(tmp_path)
    file = str(tmp_path / "e.toml")
    assert 0 == main(["render", file, "--to", "issue", "-o", "-"])
    told = capsys.readouterr().out
    for words in (
        "# t\n",
        "- Version: p 1.0, from npm",
        '    encode("a")',
        'Encoding `"a"` gives `1 2`. Expected is `3`',
        "\nc\n",
        "\nf\n",
    ):
        assert words in told
    assert 2 == main(["render", file, "--to", "html", "-o", "-"])
    assert "choose --to issue" in capsys.readouterr().err
    assert 2 == main(["render", file, "--to", "issue", "--finding", "x", "-o", "-"])
    assert "name one with --finding: n" in capsys.readouterr().err


def test_nothing_of_a_file_acts_in_the_issue(tmp_path: Path) -> None:
    """A bidi control in a title is shown as an escape, and a newline in it opens no heading."""
    found = made(tmp_path)
    evil = replace(found, faults=(replace(found.faults[0], title="a\u202e\n# b"),))
    told = issue(evil, "n")
    assert "\u202e" not in told
    assert "\n# b" not in told
