"""Invalid UTF-8, and the arrangement of spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.models import behaviour
from tokparity.reference.spaces import arrange_spaces
from tokparity.reference.spm import spm
from tokparity.reference.text import encode_text, keep_bytes, replace_each_byte, replace_maximal


@given(st.binary(max_size=12))
def test_kept_bytes_come_back(data: bytes) -> None:
    """Whatever the bytes, keeping them loses nothing."""
    assert data == encode_text(keep_bytes(data))


@pytest.mark.parametrize(
    ("data", "each", "maximal"),
    [
        (b"a\xff", "a\ufffd", "a\ufffd"),
        (b"\xe2\x82a", "\ufffd\ufffda", "\ufffda"),
        (b"\xed\xa0\x80", "\ufffd" * 3, "\ufffd" * 3),
    ],
    ids=["one byte", "a cut character", "an encoded surrogate"],
)
def test_replacing(data: bytes, each: str, maximal: str) -> None:
    """One U+FFFD for each byte, or one for each maximal subpart."""
    assert each == replace_each_byte(data)
    assert maximal == replace_maximal(data)


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("a b", {"space_prefix": "always", "space_marker": "▁"}, "▁a▁b"),
        (" a", {"space_prefix": "always"}, "  a"),
        (" a", {"space_prefix": "always", "prefix_doubles": False}, " a"),
        ("  a  b ", {"collapse_spaces": True, "space_prefix": "always", "space_marker": "▁"}, "▁a▁b"),
        ("a", {"space_prefix": "always", "space_as_suffix": True, "space_marker": "▁"}, "a▁"),
        ("   ", {"collapse_spaces": True, "space_prefix": "always"}, ""),
        ("a▁", {"collapse_spaces": True, "space_marker": "▁"}, "a"),
    ],
)
def test_spaces(text: str, fields: dict[str, object], expected: str) -> None:
    """Collapsing, prefix, suffix and escaping, in SentencePiece's order."""
    assert expected == arrange_spaces(text, behaviour(spm, **fields), True)


def test_first_prefix_only_at_the_start() -> None:
    """The rule "first" looks at where the fragment stands."""
    how = behaviour(spm, space_prefix="first")
    assert [" a", "a"] == [arrange_spaces("a", how, at_start) for at_start in (True, False)]
