"""The rule: each row of its table, and the page that says each of its sentences."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tokparity.doctor.weighing import EFFECTS
from tokparity.report.model import FileFault
from tokparity.report.rule import SENTENCES, Facts, Progress, judge, weight

PAGE = Path(__file__).parents[2] / "docs" / "verdicts.md"
FAULT = FileFault("m", "m.gguf", "tokenizer.json", "tokenizer.ggml.pre", '"gpt-2"', '"llama-bpe"', tried=9)
SHOWN = replace(FAULT, text='"123"', ours="[1, 2]", its="[3]")
TOLD = replace(FAULT, key="tokenizer.ggml.eos_token_id", effect="generation does not stop")
UNSAID = replace(FAULT, key="tokenizer.ggml.padding_token_id", unsaid="the file says 3, x.model does not say it")
RIGHT = Facts(files=("m.gguf",), cases="9 cases")


def test_wrong_takes_a_text_or_an_effect() -> None:
    """A difference with neither is a note, and one that the source does not speak of is never wrong."""
    faults = (FAULT, SHOWN, TOLD, UNSAID, replace(UNSAID, text='"a"'))
    assert ["note", "wrong", "wrong", "unsaid", "unsaid"] == [weight(fault) for fault in faults]


@pytest.mark.parametrize(
    ("facts", "answer", "code"),
    [
        (RIGHT, "right", 0),
        (replace(RIGHT, keys=(FAULT,)), "right", 0),
        (replace(RIGHT, keys=(SHOWN,), away=("x",), probes=Progress(1, 2)), "wrong", 1),
        (replace(RIGHT, keys=(TOLD,)), "wrong", 1),
        (replace(RIGHT, keys=(replace(TOLD, reason="we want it"),)), "right", 0),
        (replace(RIGHT, findings=("1 new finding: e on m.",)), "wrong", 1),
        (replace(RIGHT, away=("e could not be run",)), "none", 3),
        (replace(RIGHT, probes=Progress(1, 2)), "none", 3),
        (replace(RIGHT, probes=Progress(2, 2), texts=Progress(2, 9), is_late=True), "right", 0),
        (replace(RIGHT, keys=(UNSAID,)), "right", 0),
        (replace(RIGHT, keys=(replace(UNSAID, text='"a"'),)), "unsaid", 3),
        (replace(RIGHT, keys=(replace(UNSAID, text='"a"', disputed=True),)), "right", 0),
    ],
)
def test_each_row_of_the_table(facts: Facts, answer: str, code: int) -> None:
    """The answer and the exit code."""
    found = judge(facts)
    assert (answer, code) == (found.answer, found.exit_code)


def test_the_sentence_shows_the_text() -> None:
    """A wrong key is told with the text that shows it, both answers and the command that repairs the file."""
    assert judge(Facts(keys=(SHOWN,))).sentence == (
        'Your GGUF is wrong: tokenizer.ggml.pre is "gpt-2", should be "llama-bpe" (on "123" the file gives [1, 2], the '
        "source [3]). `tokparity doctor m.gguf --against tokenizer.json --write fixed.gguf` repairs it."
    )


def test_one_file_says_and_two_say() -> None:
    """The verb has the number of the files; a file that no engine opened is told beside them."""
    two = replace(RIGHT, files=("a.gguf", "b.gguf"), unopened=("c.gguf",))
    assert judge(RIGHT).sentence == (
        "Your file is right: m.gguf says what the model's own tokenizer says (9 cases compared)."
    )
    assert judge(two).sentence == (
        "Your files are right: a.gguf, b.gguf say what the tokenizer of each model says (9 cases compared). "
        "No engine that was run opens c.gguf: only its keys were compared."
    )


def test_what_was_cut_short_is_counted() -> None:
    """Of the probe set in the verdict that there is none; of all texts in a verdict that stands."""
    assert "No verdict: the run was cut short: 10 of the 1,200 probe texts were run." == (
        judge(replace(RIGHT, probes=Progress(10, 1200))).sentence
    )
    late = replace(RIGHT, probes=Progress(9, 9), texts=Progress(10_453, 24_251), is_late=True)
    assert "before time was up: 10,453 of 24,251 texts" in judge(late).sentence


def test_no_should_be_where_the_source_does_not_say() -> None:
    """It is told what each says."""
    told = judge(replace(RIGHT, keys=(UNSAID,))).sentence
    assert "x.model does not say it" in told
    assert "should be" not in told


def test_each_effect_stands_on_the_page() -> None:
    """With when it is told."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    missing = [effect for effect in EFFECTS.values() if not any(line.startswith(f"| `{effect}` | ") for line in lines)]
    assert [] == missing


@pytest.mark.parametrize("name", SENTENCES)
def test_each_sentence_stands_on_the_page(name: str) -> None:
    """With what to do about it, in the column beside it."""
    spelled = SENTENCES[name].replace("`{command}`", "{command}")
    (row,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{spelled}` |")]
    assert row.split("|")[2].strip()
