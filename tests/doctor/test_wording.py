"""What is wrong with a key, told so that somebody understands it who has never seen a GGUF."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from tokparity.doctor.wording import told
from tokparity.formats.gguf_keys import PREFIX

PIECES = (b"<unk>", b"<s>", b"</s>", b"<0x00>", "▁a".encode(), b"b")
TABLE = "bytes of the table by which a text is normalized (full-width letters, ligatures)"


@pytest.mark.parametrize(
    ("key", "before", "after", "expected"),
    [
        ("pre", b"dbrx", b"llama-bpe", ('"dbrx"', '"llama-bpe"')),
        ("pre", None, b"llama-bpe", ("absent", '"llama-bpe"')),
        ("add_space_prefix", True, None, ("true", "absent")),
        ("add_bos_token", None, False, ("absent (llama.cpp takes true)", "false")),
        (
            "token_type",
            array("i", [2, 3, 3, 1, 1, 1]),
            array("i", [2, 3, 3, 6, 1, 1]),
            ('differs in 1 of 6 entries: 1 piece has type normal (1), should be byte (6): "<0x00>" [3]', ""),
        ),
        (
            "token_type",
            array("i", [1, 1, 1, 1, 1, 1]),
            array("i", [2, 3, 3, 3, 1, 1]),
            (
                'differs in 4 of 6 entries: 3 pieces have type normal (1), should be control (3): "<s>" [1], '
                '"</s>" [2], and 1 more; 1 piece has type normal (1), should be unknown (2): "<unk>" [0]',
                "",
            ),
        ),
        (
            "scores",
            array("f", [0, 0, 0, 0, -2.5, -3]),
            array("f", [0, 0, 0, 0, -3, -2.5]),
            (
                'differs in 2 of 6 entries, by at most 0.5: [4] "▁a" is -2.5, should be -3, '
                '[5] "b" is -3, should be -2.5',
                "",
            ),
        ),
        (
            "tokens",
            [*PIECES[:5], b"c"],
            [*PIECES],
            ('differs in 1 of 6 entries: [5] is "c", should be "b"', ""),
        ),
        (
            "merges",
            [PIECES[5], *PIECES[:5]],
            [*PIECES],
            ('has "b" at [0], should have it at [5]; the others are in order', ""),
        ),
        (
            "merges",
            [PIECES[0], *PIECES[2:], PIECES[1]],
            [*PIECES],
            ('has "<s>" at [5], should have it at [1]; the others are in order', ""),
        ),
        (
            "merges",
            [PIECES[1], PIECES[0], *PIECES[2:]],
            [*PIECES],
            ('differs in 2 of 6 entries: [0] is "<s>", should be "<unk>", [1] is "<unk>", should be "<s>"', ""),
        ),
        ("merges", [*PIECES[:5]], [*PIECES], ("is cut short: it has the first 5 of 6 entries", "")),
        (
            "merges",
            [*PIECES],
            [*PIECES[:5]],
            ("is too long: it has 1 more than the 5 entries that it should have", ""),
        ),
        ("merges", [*PIECES[1:]], [*PIECES], ('has 5 entries, should have 6; missing: "<unk>"', "")),
        (
            "merges",
            [b"x", b"y", *PIECES[3:]],
            [*PIECES],
            ('has 5 entries, should have 6; missing: "<unk>", "<s>", and 1 more; too many: "x", "y"', ""),
        ),
        ("merges", None, [*PIECES], ("is absent, should have 6 entries", "")),
        ("merges", [*PIECES], None, ("has 6 entries, should be absent", "")),
        (
            "precompiled_charsmap",
            array("B", range(50)),
            array("B", range(100)),
            (f"is cut short: it has the first 50 of 100 {TABLE}", ""),
        ),
        (
            "precompiled_charsmap",
            array("B", bytes(100)),
            array("B", range(100)),
            (f"differs in 99 of 100 {TABLE}", ""),
        ),
        ("precompiled_charsmap", None, array("B", range(100)), (f"is absent, should have 100 {TABLE}", "")),
    ],
)
def test_the_words(key: str, before: Any, after: Any, expected: tuple[str, str]) -> None:
    """The value and what it should be, or one phrase that tells both: which entries, and what their numbers mean."""
    assert expected == told(PREFIX + key, before, after, PIECES)
