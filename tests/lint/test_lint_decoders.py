"""Two tokenizer.json files that give the same ids, and decode them to other texts; and long words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tokparity import cli, formats, models
from tokparity.lint import lint

BERT = {"type": "WordPiece", "prefix": "##", "cleanup": True}


def _changed(model: str, folder: Path, part: str, value: Any) -> tuple[formats.Source, formats.Source]:
    """A known model, and the same with another value of a part of its file."""
    own = models.primary_source(models.load(model))
    said = json.loads(own.path.read_text(encoding="utf-8"))
    said = said | {part: value} if part in said else said | {"model": said["model"] | {part: value}}
    (folder / "tokenizer.json").write_text(json.dumps(said), encoding="utf-8")
    return formats.read(folder / "tokenizer.json"), own


@pytest.mark.parametrize(
    ("model", "decoder"),
    [
        ("small-bpe", None),
        ("small-wordpiece", {**BERT, "cleanup": False}),
        ("small-wordpiece", {**BERT, "prefix": "@@"}),
    ],
)
def test_another_decoder_is_shown(model: str, decoder: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By ids that both decode, and by what the library makes of them."""
    left, right = _changed(model, tmp_path, "decoder", decoder)
    (shown,) = [one for one in lint(left, right).differences if one.difference.part == "decoder"]
    assert isinstance(shown.left, bytes)
    assert shown.left != shown.right
    assert 1 == cli.main(["lint", str(left.path), str(right.path)])
    out = capsys.readouterr().out
    told = [line.strip() for line in out.splitlines() if "decodes to" in line]
    assert 4 == len(told)
    assert [line.partition("decodes")[2] for line in told[:2]] == [line.partition("decodes")[2] for line in told[2:]]


def test_the_same_decoder_is_no_difference(tmp_path: Path) -> None:
    """As the file has it."""
    own = models.primary_source(models.load("small-wordpiece"))
    decoder = json.loads(own.path.read_text(encoding="utf-8"))["decoder"]
    assert () == tuple(lint(*_changed("small-wordpiece", tmp_path, "decoder", decoder)).differences)


def test_a_word_as_long_as_the_limit_is_made(tmp_path: Path) -> None:
    """The texts that are always tried have none between 20 and 100 characters."""
    left, right = _changed("small-wordpiece", tmp_path, "max_input_chars_per_word", 70)
    (shown,) = lint(left, right).differences
    assert shown.case is not None
    assert 71 == len(shown.case.question.text)
    assert shown.left != shown.right


def test_the_right_answer_is_that_of_the_right_file(tmp_path: Path) -> None:
    """Where more differs, what is shown is told as the left file with one change."""
    left, right = _changed("small-bpe", tmp_path, "pre_tokenizer", None)
    found = [one for one in lint(left, right).differences if one.case is not None]
    assert found
    assert all(one.is_whole for one in found)
