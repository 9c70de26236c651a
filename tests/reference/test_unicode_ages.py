"""The tables of Unicode's versions are what the database says, and what the script makes of it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import regex
from stage_texts import ALL

from tokparity.reference import unicode_ages, unicode_versions
from tokparity.reference.unicode_ages import Spans, added, merged, newer, spans, unknown_to

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def database() -> Any:
    """The package that the tables are made from."""
    return pytest.importorskip("unicodedataplus", reason="the Unicode tables' source: pip install 'tokparity[test]'")


@pytest.fixture
def script(database: Any) -> ModuleType:
    """`scripts/unicode_ages.py`."""
    specification = importlib.util.spec_from_file_location("ages_script", ROOT / "scripts" / "unicode_ages.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def points(ranges: Spans) -> set[int]:
    """The code points of ranges."""
    return {point for first, last in ranges for point in range(first, last + 1)}


def test_the_file_is_what_the_script_makes(script: ModuleType) -> None:
    """Nobody has edited it, and nothing was changed in the script without running it."""
    assert script.text() == script.OUT.read_text("ascii")


@pytest.mark.parametrize("version", [8, 9, 15, 16])
def test_what_a_version_does_not_know(database: Any, version: int) -> None:
    """Of every code point it is known whether a version has a character for it."""
    expected = {
        point
        for point in range(0x110000)
        if database.category(chr(point)) == "Cn" or int(database.age(chr(point)).partition(".")[0]) > version
    }
    assert expected == points(unknown_to(version))
    if version < 16:
        assert expected - points(unknown_to(16)) == points(added(version + 1))


@pytest.mark.parametrize(
    ("version", "seen_as"),
    [(8, unicode_versions.as_of_8), (9, unicode_versions.as_of_9), (15, unicode_versions.as_of_15)],
)
def test_what_is_unknown_is_replaced(version: int, seen_as: Any) -> None:
    """Each unknown character becomes one that nobody knows, every other stays, alone and among others."""
    unknown = points(unknown_to(version))
    expected = "".join("\ufdd0" if ord(character) in unknown else character for character in ALL)
    assert expected == seen_as("".join(ALL))


@pytest.mark.parametrize("version", [17, 18])
def test_newer_characters_have_their_category(version: int) -> None:
    """Version 16 does not know them; where the installed `regex` package knows one, it agrees on what it is."""
    known = 0
    for name, ranges in newer(version, version).items():
        category, _, script = name.partition("/")
        alike = regex.compile(rf"(?V1)[\p{{{category}}}&&\p{{{script or 'Any'}}}]")
        for point in points(ranges):
            is_known = not regex.match(r"\p{Cn}", chr(point))
            known += is_known
            assert not is_known or alike.match(chr(point)), hex(point)
    assert points(added(version, version)) <= points(unknown_to(16))
    assert known or not regex.match(r"\p{L}", "\ua7ce"), "this package knows Unicode 17"


def test_ranges_are_as_few_as_can_be() -> None:
    """What touches or overlaps becomes one."""
    assert ((1, 5), (7, 9)) == merged(spans("3-4 1-2 7-9 5 8"))
    assert "\\U00000378-\\U00000379\\U0000038b-\\U0000038b" == unicode_ages.character_class(spans("378-379 38B"))


def test_importing_reads_no_table() -> None:
    """The file is read when something that is not ASCII is looked up, and not before."""
    code = (
        "from tokparity import cli; from tokparity.quirks import all_quirks; all_quirks(); cli.commands()\n"
        "from tokparity.reference import unicode_ages as ages, unicode_versions as versions\n"
        "assert versions.as_of_16('abc') == 'abc'; assert ages._lines.cache_info().misses == 0\n"
        "assert versions.as_of_16('é') == 'é'; assert ages._lines.cache_info().misses == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
