"""The main job as a user runs it: where its processor time goes, and how much of the machine it uses."""

from __future__ import annotations

import os
import resource
import tempfile
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity import __version__, models
from tokparity.engines.process.usage import is_told
from tokparity.errors import UsageError
from tokparity.report.file import ReportWriter
from tokparity.report.model import Header
from tokparity.session.one_model import Options
from tokparity.session.run import run

if TYPE_CHECKING:
    from rich.table import Table

    from tokparity.session.costs import Part

CORES_USED = 0.85
"""The share of all cores that a run is to use: 1.7 of 2."""

ALL_MODELS_WALL = 184.0
"""Seconds that a run of all known models is to take at most on 2 cores: 0.6 of the 307 that it once took."""

_PARTS: Mapping[Part, str] = {
    "preparing": "reading and exporting models",
    "opening": "engines, opening",
    "engines": "engines, answering",
    "reference": "reference, answering",
    "generating": "making texts, reading corpora",
    "judging": "judging and keeping",
    "shrinking": "shrinking, engines aside",
    "diagnosis": "diagnosis, engines aside",
    "writing": "writing the report",
}
_IN_ENGINES: tuple[Part, ...] = ("opening", "engines", "reference")


@dataclass(frozen=True)
class Whole:
    """What a run took: `wall` seconds, those of the processor by part, and `own`, all those of our own process.

    `parts` are the engines' processes and what our own process does in its sessions.
    """

    wall: float
    parts: Mapping[Part, float]
    own: float

    @property
    def rest(self) -> float:
        """What our own process did beside: it hands batches to engines and takes their answers."""
        return self.own - sum(seconds for part, seconds in self.parts.items() if part not in _IN_ENGINES)

    @property
    def processor(self) -> float:
        """All processor seconds."""
        return self.own + sum(self.parts[part] for part in _IN_ENGINES)

    @property
    def cores(self) -> float:
        """How many cores were busy on average."""
        return self.processor / self.wall


def measure(names: Sequence[str], options: Options) -> Whole:
    """Run these models, or all; the report goes into a folder that is gone afterwards. UsageError without /proc."""
    if not is_told():
        raise UsageError("this system does not tell what the engines' processes take", "run it on Linux, with /proc")
    chosen = [models.resolve(name) for name in names or models.names()]
    header = Header(__version__, unicodedata.unidata_version, {}, {}, options.seed, (), time.strftime("%FT%T%z"))
    with tempfile.TemporaryDirectory() as folder:
        started, before = time.perf_counter(), _own()
        result = run(chosen, options, ReportWriter(Path(folder) / "report.jsonl", header), lambda event: None)
        wall, own = time.perf_counter() - started, _own() - before + result.apart
    for error in result.lost.values():
        raise error
    return Whole(wall, result.costs, own)


def table(whole: Whole, names: Sequence[str]) -> Table:
    """The parts, the largest first, then the sums with their targets."""
    from rich.table import Table

    cores = os.cpu_count() or 1
    shown = Table(title=f"run of {', '.join(names) or 'all models'}, {cores} cores")
    for title in ("part", "core-seconds", "share", "target"):
        shown.add_column(title, justify="left" if title == "part" else "right")
    parts = [(told, whole.parts[part]) for part, told in _PARTS.items()]
    parts.append(("handing batches over, the rest", whole.rest))
    for told, seconds in sorted(parts, key=lambda one: -one[1]):
        shown.add_row(told, f"{seconds:.2f}", f"{seconds / whole.processor:.0%}", "")
    shown.add_section()
    shown.add_row("all", f"{whole.processor:.2f}", "100%", "")
    wall_target = "" if names else f"at most {ALL_MODELS_WALL:.0f} on 2 cores"
    shown.add_row("wall time, seconds", f"{whole.wall:.2f}", "", wall_target)
    used = f"{whole.cores:.2f} of {cores}"
    shown.add_row("cores used", used, f"{whole.cores / cores:.0%}", f"at least {CORES_USED * cores:.1f} of {cores}")
    return shown


def _own() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
