"""Engines' names for a terminal: a program is shown without the folders of its command's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tokparity.finding import Finding
from tokparity.report.model import Report

_FOLDERS = re.compile(r"(?:(?<=[\s:])|^)(?:\.{0,2}/)(?:[^\s/]+/)*(?=[^\s/])|(?<=[\s:])(?:[^\s/:=]+/)+(?=[^\s/])")


def shown_as(engines: Iterable[str]) -> Mapping[str, str]:
    """For each engine that runs a program, `exec:/usr/bin/python /a/b/mine.py` as `exec:python mine.py`.

    Two engines that would look the same keep their whole names, and all others do.
    """
    names = {name: _FOLDERS.sub("", name) for name in engines if name.startswith("exec:")}
    often = Counter(names.values())
    return {name: short for name, short in names.items() if often[short] == 1}


def for_a_terminal(report: Report) -> Report:
    """The report with each engine as it is shown; commands are not to be made from it."""
    names = shown_as(report.engines())
    if all(name == short for name, short in names.items()):
        return report

    def name(engine: str) -> str:
        return names.get(engine, engine)

    def finding(one: Finding) -> Finding:
        votes = tuple(replace(vote, engines=tuple(map(name, vote.engines))) for vote in one.votes)
        smallest = replace(one.smallest, engine=name(one.smallest.engine), oracle=name(one.smallest.oracle))
        own = name(one.engine) + one.name.removeprefix(one.engine)
        return replace(one, name=own, engine=name(one.engine), oracle=name(one.oracle), smallest=smallest, votes=votes)

    header = replace(
        report.header,
        engines={name(engine): version for engine, version in report.header.engines.items()},
        demanded=tuple(map(name, report.header.demanded)),
    )
    return replace(
        report,
        header=header,
        pairs=tuple(replace(pair, engine=name(pair.engine), oracle=name(pair.oracle)) for pair in report.pairs),
        findings=tuple(map(finding, report.findings)),
        vanished=tuple(replace(gone, engine=name(gone.engine)) for gone in report.vanished),
    )
