"""Puts each fault of found/ again to its engine, to the model's oracle and to a second engine: `nox -s found`.

python scripts/found.py [ENGINE ...]

A line says of each fault: still there, healed since, changed, or unavailable. The fault is put to the version in its
file, and to the newest release where the package index has a newer one. Exit code 1: an answer of the version in the
file, of the oracle or of the second engine is another one than the file says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.releases import releases
from tokparity.engines.process.client import Client
from tokparity.errors import TokparityError
from tokparity.models import load
from tokparity.questions import Encode
from tokparity.questions.json_text import literal
from tokparity.report.found import FAILURE, Fault, Found, folder, spelled_ids
from tokparity.session.seats import seat_one

FOLDER = Path(__file__).parent.parent / "found"
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
    for model in dict.fromkeys(fault.model for fault in found.faults):
        faults = [fault for fault in found.faults if fault.model == model]
        names = {name for fault in faults for name in (fault.oracle, fault.second)}
        names |= {f"{package.engine}@{version}" for version in (newest, *(fault.version for fault in faults))}
        answers = {name: ask(name, model, faults) for name in sorted(names)}
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


def _answer(client: Client, fault: Fault) -> str:
    question = fault.question
    if isinstance(question, Encode):
        text = Texts.from_list([question.text])
        encoded = client.encode(text, question.add_special, question.parse_special)
        return FAILURE if encoded.failures else spelled_ids(encoded.ids.to_list()[0])
    decoded = client.decode(Ids.from_list([list(question.ids)]), question.skip_special)
    return FAILURE if decoded.failures else literal(decoded.decoded.to_list()[0].decode("utf-8", "replace"))


def _newest(engine: str) -> str:
    """The newest release; empty where the index cannot be asked."""
    try:
        return releases(engine)[-1]
    except (TokparityError, IndexError):
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
