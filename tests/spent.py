"""`pytest --profile [N]`: where the time of the tests goes, the N slowest files, and the N slowest tests.

Seconds that passed, and seconds of the processor, those of ended child processes included. A test pays for what is made
once for its file, if it is the first that needs it.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator

import pytest

_SPENT = "tokparity_spent"

Spent = tuple[float, float]
"""Seconds that passed, seconds of the processor."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--profile [N]`."""
    parser.addoption(
        "--profile", type=int, nargs="?", const=40, default=0, metavar="N", help="print the N slowest files and tests"
    )


def _now() -> Spent:
    times = os.times()
    return time.perf_counter(), times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """What was spent from the first fixture to the last is written to the report of the end."""
    item.stash[_BEGUN] = _now()
    return (yield)


_BEGUN = pytest.StashKey[Spent]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """The figures travel with the last report of a test, from the process that ran it."""
    report = yield
    if report.when == "teardown":
        spent = [now - begun for now, begun in zip(_now(), item.stash[_BEGUN], strict=True)]
        report.user_properties.append((_SPENT, spent))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The tables."""
    most = config.getoption("--profile")
    if not most:
        return
    tests: dict[str, Spent] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, spent in getattr(report, "user_properties", ()):
                if name == _SPENT:
                    tests[report.nodeid] = (spent[0], spent[1])
    for title, rows in (("files", _by_file(tests)), ("tests", tests)):
        terminalreporter.section(f"the {most} slowest {title}")
        terminalreporter.write_line("   wall s    cpu s  name")
        for name, (wall, processor) in sorted(rows.items(), key=lambda row: -row[1][1])[:most]:
            terminalreporter.write_line(f"{wall:9.2f}{processor:9.2f}  {name}")
        wall, processor = (sum(column) for column in zip(*rows.values(), strict=True)) if rows else (0.0, 0.0)
        terminalreporter.write_line(f"{wall:9.2f}{processor:9.2f}  all {len(rows)}")


def _by_file(tests: dict[str, Spent]) -> dict[str, Spent]:
    files: defaultdict[str, list[Spent]] = defaultdict(list)
    for name, spent in tests.items():
        files[name.partition("::")[0]].append(spent)
    return {name: (sum(wall for wall, _ in all_of), sum(cpu for _, cpu in all_of)) for name, all_of in files.items()}
