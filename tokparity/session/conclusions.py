"""What was concluded about an engine from the very same answers, kept in the user's cache.

A gate runs again and again, and mostly nothing has changed. All texts are put again each time. Causes are taken over if
tokparity, the model's files and the engine with its version are the same. So must be every mismatch and every control.
Only what the engine is known for is kept: what is new is looked for each time.
The variable TOKPARITY_ANEW has the causes looked for all the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tokparity.diagnose import Found
from tokparity.engines import engine_name
from tokparity.errors import FormatError, UsageError
from tokparity.finding import Finding
from tokparity.formats import Source
from tokparity.models.cache import directory, location, put, sha256
from tokparity.questions.json_text import strict
from tokparity.report.record import from_record, to_record
from tokparity.session.evidence import Kept

FOLDER = "conclusions"
ANEW = "TOKPARITY_ANEW"
"""Where this variable is set, nothing is taken over and nothing is kept."""
TAKEN_OVER = "{}: the causes are from an earlier run with the same answers; set TOKPARITY_ANEW=1 to look for them again"
_MOST = 500
"""Files that are kept, the newest ones."""
_MOST_BYTES = 1 << 24
"""Of one file; a finding has some thousand."""
_PLACE = re.compile(r" at 0x[0-9a-f]+")
"""Where in memory a function stands, which says nothing of what it does."""


@dataclass(frozen=True)
class Conclusions:
    """The file in the cache for one engine's answers; `indices` are those of its mismatches in the report."""

    path: Path
    engine: str
    known: frozenset[str]
    indices: frozenset[int]

    @classmethod
    def of(
        cls,
        engine: str,
        version: str,
        sources: Sequence[Source],
        evidence: Kept,
        known: Collection[str],
        beside: object,
    ) -> Conclusions | None:
        """Where they would be; None for engines of the user's own, for their version says nothing.

        `known` are the quirks that it is known to have. `beside` is what else they depend on, as a value that `repr`
        spells the same each time.
        """
        if os.environ.get(ANEW) or not version:
            return None
        if engine_name.parse(engine).is_outside or not all(one.path.is_file() for one in sources):
            return None
        files = [(sha256(one.path), _PLACE.sub("", repr(one.behaviour))) for one in sources]
        given = evidence.counts.most_common(), evidence.indices, evidence.mismatches, evidence.controls
        depends = _package(), sys.version, engine, version, files, sorted(known), beside, given
        name = hashlib.sha256(repr(depends).encode("utf-8", "surrogatepass")).hexdigest()
        return cls(location(FOLDER) / f"{name}.json", engine, frozenset(known), frozenset(evidence.indices))

    def read(self) -> list[Found] | None:
        """The findings; None where there are none, or where the file is damaged."""
        try:
            if self.path.stat().st_size > _MOST_BYTES:
                return None
            return list(self._found(self.path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, KeyError, FormatError):
            return None

    def _found(self, text: str) -> Iterator[Found]:
        for record in strict(text, "delete it"):
            finding, members = from_record(Finding, record["finding"]), record["members"]
            if not all(type(i) is int and i in self.indices for i in members) or not self._is_known(finding):
                raise ValueError("a finding has a mismatch that is not there, or a cause that is not known")
            yield Found(finding, tuple(members))

    def _is_known(self, finding: Finding) -> bool:
        return finding.engine == self.engine and bool(finding.quirks) and self.known.issuperset(finding.quirks)

    def write(self, found: Sequence[Found]) -> None:
        """Keep them if all are known; a cache that can't be written is done without."""
        if not all(self._is_known(one.finding) for one in found):
            return
        records = [{"finding": to_record(one.finding), "members": one.members} for one in found]
        with contextlib.suppress(OSError, UsageError):
            folder = directory(FOLDER)
            put(folder / self.path.name, json.dumps(records).encode())
            kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in kept[_MOST:]:
                path.unlink(missing_ok=True)


@cache
def _package() -> str:
    """SHA-256 of tokparity's own code and data."""
    root = Path(__file__).parent.parent
    found = hashlib.sha256()
    for path in sorted(path for kind in ("*.py", "*.toml") for path in root.rglob(kind)):
        found.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
