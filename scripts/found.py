"""Puts each fault of found/ again to its engine, to the model's oracle and to a second engine: `nox -s found`.

python scripts/found.py [ENGINE ...]

A line says of each fault: still there, healed since, changed, or unavailable. The fault is put to the version in its
file, and to the newest release where the package index has a newer one. A fault that has a script is what this script
prints with the package alone. Exit code 1: an answer of the version in the
file, of the oracle or of the second engine is another one than the file says.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.build import environment
from tokparity.engines.environment.released import distribution
from tokparity.engines.environment.releases import releases
from tokparity.engines.process.client import Client
from tokparity.errors import TokparityError
from tokparity.models import load
from tokparity.questions import Encode
from tokparity.questions.json_text import literal
from tokparity.report.found import FAILURE, LINEAR, SQUARE, Fault, Found, folder, spelled_ids
from tokparity.report.render.reproduction import library_of
from tokparity.session.seats import seat_one

FOLDER = Path(__file__).parent.parent / "found"
_SECONDS = 120
STILL, HEALED, CHANGED, UNAVAILABLE = "still there", "healed since", "changed", "unavailable"


def main(engines: Sequence[str]) -> int:
    """A line for each fault, and their number; 1 where an answer is not that of the file."""
    counts = dict.fromkeys((STILL, HEALED, CHANGED, UNAVAILABLE), 0)
    for found in folder(FOLDER):
        if not engines or found.package.engine in engines:
            for state, line in states(found):
                counts[state] += 1
                print(f"{state:13} {line}", flush=True)
    print("; ".join(f"{number} {state}" for state, number in counts.items()))
    return int(counts[CHANGED] > 0)


def states(found: Found) -> Iterator[tuple[str, str]]:
    """What is so of each fault of an engine now."""
    package = found.package
    newest = _newest(package.engine) or package.version
    for model, own in dict.fromkeys((fault.model, fault.printed_by) for fault in found.faults):
        faults = [fault for fault in found.faults if (fault.model, fault.printed_by) == (model, own)]
        judges = {name for fault in faults for name in (fault.oracle, fault.second)}
        answers = {name: ask(name, model, faults) for name in sorted(judges)}
        for version in sorted({newest, *(fault.version for fault in faults)}):
            name = f"{package.engine}@{version}"
            answers[name] = run_script(package.engine, version, faults[0]) if own else ask(name, model, faults)
        for i, fault in enumerate(faults):
            said = {name: row if isinstance(row, str) else row[i] for name, row in answers.items()}
            yield state(found, fault, said, newest)


def state(found: Found, fault: Fault, said: dict[str, str], newest: str) -> tuple[str, str]:
    """The state of one fault, and a line on it; answers by engine's name."""
    engine = found.package.engine
    own, new = f"{engine}@{fault.version}", f"{engine}@{newest}"
    expected = {own: fault.given, fault.oracle: fault.right, fault.second: fault.second_gives}
    head = f"{own} {fault.name}"
    if lost := [name for name in expected if said[name].startswith(UNAVAILABLE)]:
        return UNAVAILABLE, f"{head}: {lost[0]} {said[lost[0]].removeprefix(UNAVAILABLE)}"
    if wrong := [f"{name} gives {said[name]}, not {right}" for name, right in expected.items() if said[name] != right]:
        return CHANGED, f"{head}: {'; '.join(wrong)}"
    if said[new] == fault.right:
        return HEALED, f"{head}: {new} gives {fault.right}"
    return STILL, head if new == own else f"{head}, and {new} gives {said[new]}"


def ask(engine: str, model: str, faults: Sequence[Fault]) -> str | list[str]:
    """An engine's answers to the questions of faults on a model, or why it gave none."""
    try:
        with Client(engine, str(seat_one(load(model), engine).path), {}) as client:
            client.wait_ready()
            return [_answer(client, fault) for fault in faults]
    except TokparityError as error:
        return f"{UNAVAILABLE}: {error}"


def run_script(engine: str, version: str, fault: Fault) -> str | list[str]:
    """What the script of a fault prints with the package alone, or why it cannot be run."""
    library = library_of(engine)
    if library is None:
        return f"{UNAVAILABLE}: no library of {engine!r} is known"
    try:
        path = seat_one(load(fault.model), engine).path
        python = sys.executable if version == _installed(engine) else environment(engine, version).python
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / (fault.file or library.file)).symlink_to(path)
            command = [str(python), "-I", "-c", fault.printed_by]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (TokparityError, subprocess.SubprocessError) as error:
        return f"{UNAVAILABLE}: {error}"
    return [done.stdout.strip()]


def _installed(engine: str) -> str:
    """The version of an engine in our own environment; empty where it has none."""
    try:
        return metadata.version(distribution(engine))
    except metadata.PackageNotFoundError:
        return ""


def _answer(client: Client, fault: Fault) -> str:
    question = fault.question
    if isinstance(question, Encode) and fault.lengths:
        return _growth(
            lambda times: client.encode(Texts.from_list([question.text * times]), False, False), fault.lengths
        )
    if isinstance(question, Encode):
        text = Texts.from_list([question.text])
        encoded = client.encode(text, question.add_special, question.parse_special)
        return FAILURE if encoded.failures else spelled_ids(encoded.ids.to_list()[0])
    decoded = client.decode(Ids.from_list([list(question.ids)]), question.skip_special)
    return FAILURE if decoded.failures else literal(decoded.decoded.to_list()[0].decode("utf-8", "replace"))


def _growth(encode: Callable[[int], object], lengths: Sequence[int]) -> str:
    """How the time grows between two lengths, each the least of three in one run."""
    least = []
    for length in lengths:
        taken = []
        for _ in range(3):
            begun = time.perf_counter()
            encode(length)
            taken.append(time.perf_counter() - begun)
        least.append(min(taken))
    return SQUARE if least[1] / least[0] > (lengths[1] / lengths[0]) ** 1.5 else LINEAR


def _newest(engine: str) -> str:
    """The newest release; empty where the index cannot be asked."""
    try:
        return releases(engine)[-1]
    except (TokparityError, IndexError):
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
