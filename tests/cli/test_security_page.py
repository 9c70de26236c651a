"""SECURITY.md: each promise about words from files names the test that holds it, and that test is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_test_that_the_page_names_is_there(file: str, name: str) -> None:
    """The file, and the function in it."""
    content = (ROOT / file).read_text("utf-8")
    assert f"def {name or 'test_'}" in content


def test_every_row_about_words_names_a_test() -> None:
    """The table of words from files has no promise without one."""
    table = PAGE.partition("## Words from files")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| a word of")]
    assert len(rows) > 10
    assert [] == [row for row in rows if "`tests/" not in row and not row.rstrip(" |").endswith("the same")]
