"""The configuration beside a user's own tokenizer.json: loaded as it is, with the tokens that it names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_loader import QUICK, refused

from tokparity.loader.configurations import configurations
from tokparity.loader.table import cells_of
from tokparity.models import Model, from_path, load, primary_source

FLAGS = {"special": True, "normalized": False, "single_word": False, "lstrip": False, "rstrip": False}


def _folder(folder: Path, order: tuple[str, str]) -> Model:
    """A model with two added tokens, and a configuration that names them in this order."""
    own = json.loads(load("small-bpe").sources["tokenizer.json"].read_text(encoding="utf-8"))
    size = len(primary_source(load("small-bpe")).vocabulary)
    own["added_tokens"] += [{"id": size + i, "content": name, **FLAGS} for i, name in enumerate(("<a>", "<b>"))]
    (folder / "tokenizer.json").write_text(json.dumps(own), encoding="utf-8")
    decoder = {str(token.pop("id")): token for token in json.loads(json.dumps(own["added_tokens"]))}
    decoder |= {str(size + i): {"content": name, **FLAGS} for i, name in enumerate(order)}
    said = {"tokenizer_class": "GPT2Tokenizer", "added_tokens_decoder": decoder}
    (folder / "tokenizer_config.json").write_text(json.dumps(said), encoding="utf-8")
    return from_path(folder)


@pytest.mark.parametrize(("order", "verdict"), [(("<a>", "<b>"), "equal"), (("<b>", "<a>"), "differs")])
def test_tokens_that_change_places(
    order: tuple[str, str], verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The class makes its vocabulary of the configuration, and a text with such a token shows it."""
    model = _folder(tmp_path, order)
    first = next(configurations(primary_source(model), model))
    assert "as it is" == str(first)
    monkeypatch.setattr("tokparity.loader.table.configurations", lambda source, model: iter((first,)))
    (cell,) = cells_of([model], [""], QUICK, refused)
    assert verdict == cell.verdict
    assert (cell.smallest is not None and "<" in str(cell.smallest.case.question.shown)) == (verdict == "differs")
