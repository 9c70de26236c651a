"""Writes tokparity/reference/unicode_ages.txt: which version of Unicode, 9 to 16, added which characters.

    python scripts/unicode_ages.py

Source: the property Age of the Unicode Character Database, as the package unicodedataplus (16.0 or later) has it. What
a later version added is unassigned here, so that the file is the same whichever of them is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import unicodedataplus

from tokparity.errors import TokparityError
from tokparity.reference.unicode_ages import FILE, LATEST, UNASSIGNED, Spans, merged

OUT = Path(__file__).parents[1] / "tokparity" / "reference" / FILE
EARLIEST = 9
NOTE = """\
# The characters that each version of Unicode added (a minor version counts as its major one), and what version 16 has
# no character for. Written by scripts/unicode_ages.py from the Unicode Character Database; not to be edited.
"""


class OldTablesError(TokparityError):
    """The installed tables end before what they are asked for."""


def main() -> None:
    """Write the file."""
    OUT.write_text(text(), encoding="ascii")
    print(f"wrote {OUT.name}")


def text() -> str:
    """What the file holds."""
    installed = unicodedataplus.unidata_version
    if int(installed.partition(".")[0]) < LATEST:
        raise OldTablesError(f"unicodedataplus has Unicode {installed}, not {LATEST}", "pip install -U unicodedataplus")
    return NOTE + "".join(f"{name} {written(spans)}\n" for name, spans in tables())


def tables() -> Iterator[tuple[str, Spans]]:
    """Each line's name and code points."""
    points: dict[str, list[int]] = {str(version): [] for version in range(EARLIEST, LATEST + 1)} | {UNASSIGNED: []}
    for point in range(0x110000):
        name = line_of(chr(point))
        if name in points:
            points[name].append(point)
    for name, found in points.items():
        yield name, merged((point, point) for point in found)


def line_of(character: str) -> str:
    """The major version that added a character, or that it is none."""
    if unicodedataplus.category(character) == "Cn":  # noncharacters have an age as well
        return UNASSIGNED
    major: str = unicodedataplus.age(character).partition(".")[0]
    return UNASSIGNED if int(major) > LATEST else major


def written(spans: Spans) -> str:
    """Ranges like "378-379 38B"."""
    return " ".join(f"{first:X}" if first == last else f"{first:X}-{last:X}" for first, last in spans)


if __name__ == "__main__":
    main()
