"""Spaces: collapsed, prefixed and escaped, against SentencePiece's own normalizer."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sentencepiece import SentencePieceNormalizer, SentencePieceProcessor, sentencepiece_model_pb2

from tests.reference.models import behaviour
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.spaces import arrange_spaces, normalized
from tokparity.reference.ugm import ugm

RULES = (
    "41\t20 20\n42\t20\n43\t20 20 78 20 20\n44\t78 20\n45\t20 20 20 79\n46\t2581\n47\t2581 20\n48\t\n61 42\t20 20 61\n"
)
"""Replacements that begin with spaces, hold several, end with them, or leave nothing."""

Made = tuple[Charsmap, dict[tuple[bool, bool], SentencePieceProcessor]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The rules as a charsmap, and SentencePiece with them, by whether it collapses spaces, and adds one at the end."""
    path: Path = tmp_path_factory.mktemp("rules") / "rules.tsv"
    path.write_text(RULES)
    normaliser = SentencePieceNormalizer(rule_tsv=str(path))
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(normaliser.serialized_model_proto())
    charsmap = model.normalizer_spec.precompiled_charsmap
    return Charsmap(charsmap, marks_nothing=True), {
        flags: _processor(charsmap, *flags) for flags in product((False, True), repeat=2)
    }


def _processor(charsmap: bytes, collapse: bool, as_suffix: bool) -> SentencePieceProcessor:
    """A model of hardly any pieces; only its normalizer is asked."""
    model = sentencepiece_model_pb2.ModelProto()
    for piece, kind in (("<unk>", 2), ("<s>", 3), ("</s>", 3), ("a", 1)):
        model.pieces.add(piece=piece, type=kind, score=0.0)
    spec = model.normalizer_spec
    spec.precompiled_charsmap, spec.add_dummy_prefix, spec.escape_whitespaces = charsmap, True, True
    spec.remove_extra_whitespaces = collapse
    model.trainer_spec.treat_whitespace_as_suffix = as_suffix
    return SentencePieceProcessor(model_proto=model.SerializeToString())


@given(st.text("aABCDEFGH ", min_size=1, max_size=8), st.booleans(), st.booleans())
@example("aAa", True, False)
@example("aAE", True, False)
@example(" H", True, True)
@example("H ", True, True)
@example(" H a", True, True)
def test_equal_to_sentencepiece(made: Made, text: str, collapse: bool, as_suffix: bool) -> None:
    """Spaces inside a replacement stay, those that it begins with go behind another space."""
    charsmap, processors = made
    how = behaviour(
        ugm, collapse_spaces=collapse, space_prefix="always", space_marker="▁", prefixes_nothing=True,
        space_as_suffix=as_suffix,
    )  # fmt: skip
    assert processors[collapse, as_suffix].normalize(text) == arrange_spaces(charsmap(text), how, True)


@given(st.text("aABCDEFGH \t\u3000", min_size=1, max_size=8))
@example("  a  A")
@example(" \t\u3000a")
@pytest.mark.parametrize(
    ("collapses", "collapsed"),
    [
        ("given", lambda text: re.sub(" +", " ", text).strip(" ")),
        ("given_white_space", lambda text: " ".join(text.split())),
    ],
)
def test_collapsed_before(made: Made, collapses: str, collapsed: Callable[[str], str], text: str) -> None:
    """An engine that collapses first is SentencePiece without its own collapsing, on such a text."""
    charsmap, processors = made
    how = behaviour(
        ugm, normalise=charsmap, collapse_spaces=True, collapses=collapses, space_prefix="always", space_marker="▁",
        prefixes_nothing=True,
    )  # fmt: skip
    right = processors[False, False].normalize(collapsed(text))
    assert right == arrange_spaces(normalized(text, how), how, True)
