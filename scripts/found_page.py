"""Writes docs/found.md from the files of found/: python scripts/found_page.py > docs/found.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tokparity.report.found import Fault, Found, Package, folder
from tokparity.report.render.fault import command
from tokparity.report.render.markup import cell, code

FOLDER = Path(__file__).parent.parent / "found"
_SHOWN = 60  # characters of a cell

HEAD = """# Faults of released engines

{faults} faults in {engines} engines that people install today. For each fault, the oracle of the model and a second
engine answered the same question. The data is in `found/`, one file for each engine. `nox -s found` runs each fault
again, and prints whether the fault is still there. `scripts/found_page.py` writes this page; nobody edits it. The
commands below need a checkout of this project: `found/` is not in the wheel. What is no fault of an engine is in
[conventions and what is no fault](conventions.md).

| engine | what goes wrong | who is hurt | text | given | right | state |
|---|---|---|---|---|---|---|
"""


def page(files: Sequence[Found]) -> str:
    """The page."""
    rows = [(found.package, fault) for found in files for fault in found.faults]
    head = HEAD.format(faults=len(rows), engines=len(files))
    table = "\n".join(_row(package, fault) for package, fault in rows)
    return f"{head}{table}\n\n" + "\n".join(line for found in files for line in _section(found))


def _row(package: Package, fault: Fault) -> str:
    state = f"healed in {fault.until}" if fault.until else "there"
    cells = [
        f"{package.engine} {fault.version}",
        f"[{cell(fault.title)}](#{_anchor(package, fault)})",
        cell(fault.hurts),
    ]
    return f"| {' | '.join([*cells, *(_short(one) for one in (fault.asked, fault.given, fault.right)), state])} |"


def _section(found: Found) -> Iterator[str]:
    package = found.package
    yield f"## {package.engine}\n"
    project = f"[{package.project}]({package.project})"
    yield f"{cell(package.package)} {package.version}, from {package.registry}: {project}\n"
    for fault in found.faults:
        yield f"### {_anchor(package, fault)}\n"
        versions = f" It is there since {fault.since}." if fault.since else ""
        reported = f" Reported: [{fault.reported}]({fault.reported})." if fault.reported else ""
        yield f"{cell(fault.title)}. {cell(fault.cause)} {cell(fault.fix)}{versions}{reported}\n"
        verb = "takes" if fault.lengths else "gives"
        said = "the same" if fault.second_gives == fault.right else code(fault.second_gives)
        yield f"Right is what {fault.oracle} {verb} on {fault.model}. {fault.second} {verb} {said}.\n"
        issue = f"tokparity render found/{package.engine}.toml --to issue --finding {fault.name} -o -"
        yield f"```sh\n{command(package, fault)}\n{issue}\n```\n"


def _anchor(package: Package, fault: Fault) -> str:
    return f"{package.engine}-{fault.name}"


def _short(words: str) -> str:
    shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
    return code(shown).replace("|", r"\|")


if __name__ == "__main__":
    print(page(folder(FOLDER)), end="")
