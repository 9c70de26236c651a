"""The ids that llama.cpp's own test files hold, against llama.cpp and against the reference."""

from __future__ import annotations

import pytest

from tests.rings import nightly_but
from tokparity.models import load, names, primary_source
from tokparity.reference.tokenizer import Tokenizer

SEPARATOR = "\n__ggml_vocab_test__\n"


NAMES = [name for name in names() if load(name).expected]


@pytest.mark.parametrize("name", nightly_but([name for name in NAMES if name not in ("gemma-4", "command-r")], NAMES))
def test_llama_cpp_and_the_reference_give_the_expected_ids(name: str) -> None:
    """All of them, except that the reference gives others where the model's file says that they are disputed."""
    import llama_cpp

    model = load(name)
    if model.missing or model.expected is None:
        pytest.skip(f"{name} has not been pulled")
    texts = model.expected[0].read_text(encoding="utf-8").split(SEPARATOR)
    rows = [list(map(int, row.split())) for row in model.expected[1].read_text(encoding="utf-8").split("\n")]
    expected = dict(zip(texts, rows, strict=False))
    assert len(texts) <= len(rows)
    engine = llama_cpp.Llama(str(model.sources["gguf"]), vocab_only=True, verbose=False)
    assert expected == {text: engine.tokenize(text.encode(), add_bos=False, special=False) for text in texts}
    source = primary_source(model)
    reference = Tokenizer(source.vocabulary, source.behaviour)
    ids = {text: reference.encode(text.encode(), add_special=False) for text in texts}
    assert set(model.disputed) == {text for text in texts if expected[text] != ids[text]}
