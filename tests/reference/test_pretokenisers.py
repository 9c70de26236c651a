"""The table of known pre-tokenizers: complete, and each what the tokenizers library makes of the same stages."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from stage_texts import TEXTS
from tokenizers import Tokenizer

from tokparity.errors import UsageError
from tokparity.formats.tokenizer_json_stage_writer import pre_tokenisers_json, sequence_json
from tokparity.reference import pretokenisers
from tokparity.reference.byte_alphabet import to_alphabet
from tokparity.reference.pretokenisers import RECORDS, PreTokeniser


def test_all_names_are_there_once() -> None:
    """llama.cpp of llama-cpp-python 0.3.36 has 91 names."""
    assert (91, 91) == (len(pretokenisers.names()), sum(len(record.names) for record in RECORDS))


def test_unknown_name_shows_the_nearest() -> None:
    """A misspelt name is answered with one that exists."""
    with pytest.raises(UsageError, match="nearest names are llama-bpe"):
        pretokenisers.by_name("llama-bp")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.names[0])
@settings(max_examples=20, deadline=None)
@given(text=TEXTS)
def test_equals_the_library(record: PreTokeniser, text: str) -> None:
    """The library splits as we do when it is given the same patterns."""
    stages = pre_tokenisers_json(record.stage)
    data = {
        "model": {"type": "BPE", "vocab": {}, "merges": []},
        "pre_tokenizer": sequence_json(stages, "pretokenizers"),
    }
    theirs = Tokenizer.from_str(json.dumps(data)).pre_tokenizer
    ours = list(record.stage(text, True))
    in_alphabet = any(stage["type"] == "ByteLevel" for stage in stages)
    expected = [word for word, _ in theirs.pre_tokenize_str(text)]
    assert expected == ([to_alphabet(word) for word in ours] if in_alphabet else ours)
