"""An environment: a folder with an engine's library, and what runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tokparity.engines.environment import npm
from tokparity.engines.environment.installer import Refused
from tokparity.engines.environment.python import WORKER
from tokparity.engines.environment.released import NODE
from tokparity.engines.environment.wheels import canonical
from tokparity.errors import EngineError


@dataclass(frozen=True)
class Environment:
    """A folder with an engine's library in it, and a Python or what node needs to run it."""

    folder: Path
    engine: str
    version: str
    runtime_version: str
    """Of its Python or node."""
    pins: tuple[str, ...]
    hashes: Mapping[str, str]
    """SHA-256 of the wheel, by distribution; none of one that the installer could not tell."""

    @property
    def installed(self) -> tuple[str, ...]:
        """Its Python, and each distribution as a line of a requirements file, with the wheel's hash."""
        found = [self.runtime]
        for pin in self.pins:
            known = self.hashes.get(canonical(pin.partition("==")[0]))
            found.append(f"{pin} --hash=sha256:{known}" if known else pin)
        return tuple(found)

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / "bin" / "python"

    @property
    def runtime(self) -> str:
        """What runs the library, and its version."""
        return f"{'Node.js' if self.engine in NODE else 'Python'} {self.runtime_version}"

    def worker(self, engine: str) -> list[str]:
        """The command that answers for an engine whose library is here."""
        if self.engine not in NODE:
            return [str(self.python), "-I", str(WORKER), engine]
        try:
            return npm.worker(self.folder, engine)
        except Refused as why:
            raise EngineError(f"engine {engine!r} cannot run: {why}", why.hint) from None

    @property
    def bytes(self) -> int:
        """What it takes on the disk."""
        return sum(path.lstat().st_size for path in self.folder.rglob("*") if path.is_file())
