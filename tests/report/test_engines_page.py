"""The page of engines: scripts/engines_page.py makes it anew from reports of some engines."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

from reports import nasty_report

ROOT = Path(__file__).parents[2]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "engines_page.py"))
PAGE = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")


def test_a_page_without_reports_is_the_old_one() -> None:
    """Its head is the script's, and every section stays."""
    assert PAGE == SCRIPT["page"](PAGE, [], {})


def test_only_the_sections_of_engines_in_the_reports_are_new() -> None:
    """The section of kitoken is of the report, and all others are the old ones."""
    report = nasty_report()
    pairs = tuple(replace(pair, engine="kitoken") for pair in report.pairs if pair.engine == "tokenizers")
    findings = tuple(replace(one, engine="kitoken") for one in report.findings if one.engine == "tokenizers")
    new = SCRIPT["page"](PAGE, [replace(report, pairs=pairs, findings=findings)], {})
    old_sections, new_sections = PAGE.split("\n## "), new.split("\n## ")
    changed = [old for old, now in zip(old_sections, new_sections, strict=True) if old != now]
    assert ["kitoken"] == [text.partition(":")[0] for text in changed]
    assert f"Equal on {len([p for p in pairs if p.compared and not p.found])} of {len(pairs)} models" in new
