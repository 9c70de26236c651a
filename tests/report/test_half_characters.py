"""A half of a character (a lone surrogate) in any string of a report stops no renderer, no table and no site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from reports import nasty_report
from tokparity import load_report
from tokparity.errors import FormatError
from tokparity.report import render
from tokparity.report.file import read, write
from tokparity.report.site.build import build
from tokparity.report.verdict import verdict

HALF = "x\ud800y"
Place = tuple[str | int, ...]


def strings(value: Any, place: Place = ()) -> Iterator[tuple[Place, bool]]:
    """Where a JSON value has a string, as a value or as a key; the keys of the record itself are its fields."""
    if isinstance(value, str):
        yield place, False
    if isinstance(value, dict):
        for key, inner in value.items():
            if place:
                yield (*place, key), True
            yield from strings(inner, (*place, key))
    if isinstance(value, list) and value:
        yield from strings(value[0], (*place, 0))


def changed(record: Any, place: Place, is_key: bool) -> Any:
    """The record with half a character in that place."""
    found = json.loads(json.dumps(record))
    at = found
    for step in place[:-1]:
        at = at[step]
    if is_key:
        at[HALF] = at.pop(place[-1])
    else:
        at[place[-1]] = HALF
    return found


def with_halves(records: list[Any], path: Path) -> tuple[list[Any], int]:
    """The records with half a character in each kind of place where a report that has it can still be read."""
    seen: set[str] = set()
    count = 0
    for number, record in enumerate(records):
        for place, is_key in strings(record):
            name = f"{record['type']} {place} {is_key}"
            if name in seen or name.startswith("header ('started'"):  # it is to be a time
                continue
            seen.add(name)
            try:
                tried = [*records[:number], changed(records[number], place, is_key), *records[number + 1 :]]
            except KeyError:
                continue  # a key around it has been changed
            path.write_text("".join(json.dumps(one) + "\n" for one in tried))
            try:
                read(path)
            except FormatError:
                continue
            records, count = tried, count + 1
    return records, count


def test_half_characters_stop_nothing(tmp_path: Path) -> None:
    """Where the reader lets them in, every renderer, the tables and a site show what is there."""
    whole, half = tmp_path / "whole" / "report.jsonl", tmp_path / "half" / "report.jsonl"
    for path in (whole, half):
        path.parent.mkdir()
    write(nasty_report(), whole)
    records, count = with_halves([json.loads(line) for line in whole.read_bytes().splitlines()], half)
    assert 40 < count
    half.write_text("".join(json.dumps(record) + "\n" for record in records))
    report = read(half)
    assert verdict(report)
    for renderer in render.names():
        for finding in report.findings if renderer == "issue" else (None,):
            render.render(renderer, replace(report, findings=(finding,)) if finding else report, tmp_path / renderer)
    assert len(report.mismatches) == len(load_report(half).mismatches)
    assert (2, ()) == (len((built := build([whole, half], tmp_path / "site", []))[0].runs), built[1])
