"""The rows of ids of the probe set: engines that decode otherwise are seen, whatever the model is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tokparity import models
from tokparity.generators import prepared
from tokparity.reference.tokenizer import Tokenizer
from tokparity.session.one_model import needed_cases
from tokparity.sources.probe_rows import probe_rows

SMALL = ("small-bpe", "small-spm", "small-unigram", "small-wordpiece")


def decoded(name: str) -> list[bytes]:
    """What the reference decodes each row to."""
    source = models.primary_source(models.load(name))
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    rows = probe_rows(prepared(source.vocabulary, source.behaviour).subject)
    return [tokenizer.decode(case.question.ids, case.question.skip_special) for case in rows]


@pytest.mark.parametrize("name", SMALL)
def test_rows_are_the_same_each_time(name: str) -> None:
    """Each once, of ids that the model has, and with special tokens hidden and shown."""
    source = models.primary_source(models.load(name))
    subject = prepared(source.vocabulary, source.behaviour).subject
    rows = [case.question for case in probe_rows(subject)]
    assert rows == [case.question for case in probe_rows(subject)]
    assert len(rows) == len(set(rows)) > 50
    assert all(0 <= i < len(source.vocabulary) for row in rows for i in row.ids)
    assert {True, False} == {row.skip_special for row in rows}
    assert "probe:rows:0" == str(probe_rows(subject)[0].origin)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("small-bpe", lambda text: text.replace("\ufffd", "")),
        ("small-bpe", lambda text: text.replace("\ufffd\ufffd", "\ufffd")),
        ("small-spm", lambda text: text.replace("\ufffd\ufffd", "\ufffd")),
        ("small-wordpiece", lambda text: text.removeprefix("##")),
        ("small-wordpiece", lambda text: text.replace(".", " .")),
        ("small-unigram", lambda text: text.lstrip(" ")),
        ("small-bpe", lambda text: text.replace("\0", "")),
    ],
)
def test_rows_show_what_is_decoded_otherwise(name: str, change: Callable[[str], str]) -> None:
    """Broken characters are dropped or joined, marks are lost, spaces are cleaned up."""
    texts = [text.decode("utf-8", "replace") for text in decoded(name)]
    assert [text for text in texts if change(text) != text]


def test_every_run_puts_them() -> None:
    """A quick run too; not where nothing is to be decoded."""
    model = models.load("small-bpe")
    source = models.primary_source(model)
    subject = prepared(source.vocabulary, source.behaviour).subject
    rows = {case.question for case in probe_rows(subject)}
    assert rows <= {case.question for case in needed_cases(model, subject, ())}
    assert rows.isdisjoint(case.question for case in needed_cases(model, subject, (), ("encode",)))
