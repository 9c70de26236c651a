"""Spaces: collapsed, prefixed and escaped, against SentencePiece's own normaliser."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sentencepiece import SentencePieceNormalizer, sentencepiece_model_pb2

from tests.reference.models import behaviour
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.spaces import arrange_spaces
from tokparity.reference.ugm import ugm

RULES = (
    "41\t20 20\n42\t20\n43\t20 20 78 20 20\n44\t78 20\n45\t20 20 20 79\n46\t2581\n47\t2581 20\n48\t\n61 42\t20 20 61\n"
)
"""Replacements that begin with spaces, hold several, end with them, or leave nothing."""

Made = tuple[Charsmap, dict[bool, SentencePieceNormalizer]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The rules as a charsmap, and SentencePiece with them, collapsing spaces or not."""
    path: Path = tmp_path_factory.mktemp("rules") / "rules.tsv"
    path.write_text(RULES)
    normalisers = {
        collapse: SentencePieceNormalizer(
            rule_tsv=str(path), add_dummy_prefix=True, escape_whitespaces=True, remove_extra_whitespaces=collapse
        )
        for collapse in (False, True)
    }
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(normalisers[True].serialized_model_proto())
    return Charsmap(model.normalizer_spec.precompiled_charsmap), normalisers


@given(st.text("aABCDEFGH ", min_size=1, max_size=8), st.booleans())
@example("aAa", True)
@example("aAE", True)
def test_equal_to_sentencepiece(made: Made, text: str, collapse: bool) -> None:
    """Spaces inside a replacement stay, those that it begins with go behind another space."""
    charsmap, normalisers = made
    how = behaviour(ugm, collapse_spaces=collapse, space_prefix="always", space_marker="▁", prefixes_nothing=True)
    assert normalisers[collapse].normalize(text) == arrange_spaces(charsmap(text), how, True)
