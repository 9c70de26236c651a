"""Does the inner ring of the tests see what the outer ones see? A sample of mutants of the code is put to both.

    python scripts/mutants.py make DIR           a copy of the tree with all mutants in it, each of them off
    cd DIR; python scripts/mutants.py cover      run the tests; hits.jsonl has which test comes by which mutant
    cd DIR; python scripts/mutants.py put        switch on one at a time; what comes by it is run until one fails

What goes to pytest follows `--`: the folders, for example. `put` begins with the tests that `nox -s tests` runs. Only
what survives these is put to the others, and a mutant that only they kill is told: a test like these belongs inside.
"""

from __future__ import annotations

import argparse
import ast
import collections
import copy
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = sorted(path.parent.name for path in (ROOT / "tokparity").glob("*/__init__.py"))
SWITCH = """
import os
ON = int(os.environ.get("TOKPARITY_MUTANT", "-1"))
HITS = os.environ.get("TOKPARITY_HITS")
seen = {}
def on(number):
    if HITS:
        test = os.environ.get("PYTEST_CURRENT_TEST")
        if seen.get(number) != test:
            seen[number] = test
            with open(HITS, "a") as file:
                file.write(f"{number} {test}\\n")
    return number == ON
"""
PAIRS = [(ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)]
PAIRS += [(ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv)]  # type: ignore[list-item]
OTHER = dict([*PAIRS, *((second, first) for first, second in PAIRS)])


def mutated(node: ast.AST) -> ast.expr | None:
    """The expression with something else in its place: an operator, a number, a condition; None for what has none."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            other.ops = [OTHER[type(op)]()]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OTHER:
            other.op = OTHER[type(op)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.Constant(value=bool(value)):
            other.value = not value
        case ast.Constant(value=int(value)):
            other.value = value + 1
        case ast.IfExp(test=test):
            other.test = ast.UnaryOp(ast.Not(), test)
        case _:
            return None
    return other  # type: ignore[return-value]


def sites(node: ast.AST, inside: bool = False) -> Iterator[ast.expr]:
    """What can be mutated in the bodies of functions; nothing that runs when a module is imported, and no f-strings."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, (ast.JoinedStr, ast.pattern)):
                continue
            if name in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
                continue
            if inside and mutated(child) is not None:
                yield child  # type: ignore[misc]
            yield from sites(child, inside or isinstance(child, (ast.FunctionDef, ast.Lambda)))


def make(target: Path, mutants: int, seed: int) -> None:
    """Copy the tree, and write a sample of as many mutants of each room into it."""
    ignored = shutil.ignore_patterns(".git", ".venv", ".nox", "*_cache", "__pycache__", ".hypothesis", "reports")
    shutil.copytree(ROOT, target, ignore=ignored, symlinks=True)
    (target / "tokparity" / "_mutants.py").write_text(SWITCH)
    chosen: collections.defaultdict[Path, list[ast.expr]] = collections.defaultdict(list)
    for room in ROOMS:
        found = []
        for path in sorted((target / "tokparity" / room).rglob("*.py")):
            found += [(path, site) for site in sites(ast.parse(path.read_bytes()))]
        for path, site in random.Random(f"{seed}{room}").sample(found, mutants // len(ROOMS)):
            if not any(start(one) < end(site) and start(site) < end(one) for one in chosen[path]):
                chosen[path].append(site)
    told = []
    for path, nodes in sorted(chosen.items()):
        lines = path.read_bytes().splitlines(keepends=True)
        for node in sorted(nodes, key=start, reverse=True):
            place = f"{path.relative_to(target)}:{node.lineno}"
            told.append(f"{place}: {ast.unparse(node)}  ->  {ast.unparse(mutated(node))}")  # type: ignore[arg-type]
            write(lines, node, len(told) - 1)
        head = ast.parse(path.read_bytes()).body
        after = max([0, *(one.end_lineno or 0 for one in head[:2] if not isinstance(one, ast.Import))][:3])
        lines.insert(after if head[1:] else 0, b"from tokparity._mutants import on as _mutant_on\n")
        path.write_bytes(b"".join(lines))
        compile(path.read_bytes(), str(path), "exec")
    (target / "mutants.json").write_text(json.dumps(told, indent=1))


def start(node: ast.expr) -> tuple[int, int]:
    """Where it begins."""
    return node.lineno, node.col_offset


def end(node: ast.expr) -> tuple[int, int]:
    """Where it ends."""
    return node.end_lineno or 0, node.end_col_offset or 0


def write(lines: list[bytes], node: ast.expr, number: int) -> None:
    """Put a choice between the mutant and the expression into the expression's place."""
    (first, begin), (last, stop) = start(node), end(node)
    other = ast.unparse(mutated(node)).encode()  # type: ignore[arg-type]
    lines[last - 1] = lines[last - 1][:stop] + b")" + lines[last - 1][stop:]
    choice = b"((%s) if _mutant_on(%d) else " % (other, number)
    lines[first - 1] = lines[first - 1][:begin] + choice + lines[first - 1][begin:]


class Cover:
    """Writes down how each test ended and how long it took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up its parts."""
        name = report.nodeid
        self.seconds[name] = self.seconds.get(name, 0) + report.duration
        if not report.passed:
            self.failed.add(name)
        if report.when == "teardown":
            with Path("seconds.jsonl").open("a") as file:
                file.write(json.dumps([name, self.seconds[name], name not in self.failed]) + "\n")


def cover(words: list[str]) -> None:
    """Run the tests; what is known of others stays."""
    os.environ["TOKPARITY_HITS"] = str(Path("hits.txt").absolute())
    pytest.main(["-q", "-p", "no:cacheprovider", *words], [Cover()])


class Put:
    """After the tests are collected: for each mutant a process, which runs what comes by it until something fails."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.limit, self.first, self.every, self.moved = options.limit, options.first, options.every, options.moved
        rows = map(json.loads, Path("seconds.jsonl").read_text().splitlines())
        self.seconds = {name: seconds for name, seconds, passed in rows if passed}
        self.by: dict[int, set[str]] = {}
        for line in Path("hits.txt").read_text().splitlines():
            number, _, test = line.partition(" ")
            self.by.setdefault(int(number), set()).add(test.rpartition(" (")[0])
        self.told = json.loads(Path("mutants.json").read_text())

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        with Path("verdicts.jsonl").open("a") as file:
            for number in range(self.first, len(self.told), self.every):
                by = [item for item in session.items if item.nodeid in self.by.get(number, set()) & set(self.seconds)]
                by.sort(key=lambda item: self.seconds[item.nodeid])
                stay = [item for item in by if not any(map(item.get_closest_marker, ("nightly", "weekly")))]
                moved = [item for item in by if item not in stay]
                if self.moved and not moved:
                    continue
                verdict = self.verdict(stay, number) if stay else "no test"
                then = self.verdict(moved, number) if verdict in ("survives", "no test") and moved else ""
                row = [number, self.told[number], len(stay), verdict, len(moved), then]
                file.write(json.dumps(row) + "\n")
                file.flush()
                print(*row, flush=True)
        return True

    def verdict(self, items: list[pytest.Item], number: int) -> str:
        """Killed, or survives; what loops is killed, and what is not done in time survives."""
        pid = os.fork()
        if not pid:
            os.setpgid(0, 0)
            _child(items, number)
        try:
            return self._waited(pid, sum(self.seconds[item.nodeid] for item in items))
        finally:
            _end_all_of(number)

    def _waited(self, pid: int, expected: float) -> str:
        until = time.monotonic() + min(self.limit, 10 + 10 * expected)
        while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
            if time.monotonic() > until:
                os.killpg(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return "looped" if self.limit > 10 + 10 * expected else "survives"
            time.sleep(0.05)
        return "survives" if ended[1] == 0 else "killed"


def _end_all_of(number: int) -> None:
    """End the engines and servers of a mutant, which have sessions of their own and would take time from the next."""
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"TOKPARITY_MUTANT={number}".encode() in environment.read_bytes().split(b"\0"):
                os.kill(int(environment.parent.name), signal.SIGKILL)


def _child(items: list[pytest.Item], number: int) -> None:
    """Run the items; the exit code is 1 with the first that fails."""
    from tokparity import _mutants  # type: ignore[attr-defined]

    with Path(os.devnull).open("r+b") as nothing:
        for descriptor in range(3):
            os.dup2(nothing.fileno(), descriptor)
    _mutants.ON, os.environ["TOKPARITY_MUTANT"] = number, str(number)
    items[0].config.pluginmanager.register(_Ends())
    for item, after in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    os._exit(0)


class _Ends:
    """Ends the process with the first failure."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A failure is one in any part of a test."""
        if report.failed:
            os._exit(1)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["make", "cover", "put"])
    parser.add_argument("target", type=Path, nargs="?", help="the new folder, for make")
    parser.add_argument("--mutants", type=int, default=320, help="so many in all rooms together, in each as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of tests for a mutant")
    parser.add_argument("--every", type=int, default=1, help="put every second mutant, or third, ...")
    parser.add_argument("--moved", action="store_true", help="put only the mutants that marked tests come by")
    parser.add_argument("--first", type=int, default=0, help="the first mutant to put, where several processes share")
    own, words = sys.argv[1:], []
    if "--" in own:
        own, words = own[: own.index("--")], own[own.index("--") + 1 :]
    options = parser.parse_args(own)
    steps: dict[str, Callable[[], object]] = {
        "make": lambda: make(options.target, options.mutants, options.seed),
        "cover": lambda: cover(words),
        "put": lambda: pytest.main(["-q", "-p", "no:cacheprovider", *words], [Put(options)]),
    }
    steps[options.step]()


if __name__ == "__main__":
    main()
