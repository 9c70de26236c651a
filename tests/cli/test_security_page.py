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


@pytest.mark.parametrize(("section", "fewest"), [("Words from files", 20), ("What bounds what", 20)])
def test_every_promise_names_a_test(section: str, fewest: int) -> None:
    """No row of the two tables stands there without one."""
    table = PAGE.partition(f"## {section}")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= fewest
    assert [] == [row for row in rows if "`tests/" not in row and not row.rstrip(" |").endswith("the same")]
