"""Environments in the cache: made under a temporary name, renamed when complete, never used before.

An environment is found by engine, version, Python and platform. `environment.json` in it, which is written last, says
what was installed: without it a folder is not an environment.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import shutil
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.version import Version

from tokparity.engines.environment import npm
from tokparity.engines.environment.installer import Installer, Refused, installer
from tokparity.engines.environment.lean import BUILT
from tokparity.engines.environment.place import Environment
from tokparity.engines.environment.private import hold_private
from tokparity.engines.environment.python import Unanswered, freeze, installed_pythons, said
from tokparity.engines.environment.released import NODE, REQUIREMENTS, distribution
from tokparity.engines.environment.releases import Listing, listing
from tokparity.engines.environment.versions import nearest, pythons
from tokparity.errors import EngineError
from tokparity.models.cache import directory, location

ENVIRONMENTS = "environments"
RECORD = "environment.json"
LAYOUT = 3
_OWN = 0o755
"""Rights of an environment, whatever the umask is: nobody else writes there."""

_LOG = logging.getLogger(__name__)
_QUICK = "The quick way to llama.cpp of another date is a wheel: xllamacpp@VERSION."


class UnreachableError(EngineError):
    """A version that nobody can say anything of, because the package index did not answer."""


def environment(engine: str, version: str) -> Environment:
    """The environment of an engine at a version, made if there is none; EngineError says why it cannot be.

    Programs in a folder that others can write are not run, and none is put there.
    """
    folder = location(ENVIRONMENTS) / _key(engine, version)
    hold_private(folder)
    found = _read(folder)
    if found is not None:
        return found
    root = directory(ENVIRONMENTS)
    with _locked(root / f"{folder.name}.lock"):
        found = _read(folder)  # another process may have made it meanwhile
        if found is None:
            _make(folder, engine, version)
            found = _read(folder)
    if found is None:
        raise EngineError(f"the environment {str(folder)!r} vanished", "run again")
    return found


def installed() -> list[Environment]:
    """All complete environments in the cache, by name."""
    root = location(ENVIRONMENTS)
    folders = sorted(root.iterdir()) if root.is_dir() else []
    return [found for folder in folders if (found := _read(folder)) is not None]


def prune() -> tuple[int, int]:
    """Remove all environments and what is left of half made ones; how many environments, and how many bytes."""
    gone = installed()
    size = sum(found.bytes for found in gone)
    root = location(ENVIRONMENTS)
    for path in list(root.iterdir()) if root.is_dir() else []:
        if path.is_dir():
            (path / RECORD).unlink(missing_ok=True)  # first: half of it is none
            shutil.rmtree(path, ignore_errors=True)
    return len(gone), size


def _key(engine: str, version: str) -> str:
    """The folder's name: readable, and different for each Python or node, platform and list of requirements."""
    runtime = ("Node.js", _node(engine)) if engine in NODE else (sys.version, sys.executable)
    what = (LAYOUT, *runtime, sysconfig.get_platform(), _requirements(engine, version))
    return f"{engine}-{version}-{hashlib.sha256(repr(what).encode()).hexdigest()[:12]}"


def _node(engine: str) -> str:
    try:
        return npm.node_version()
    except Refused as why:
        raise EngineError(f"engine {engine!r} cannot run: {why}", why.hint) from None


def _requirements(engine: str, version: str) -> list[str]:
    return [requirement.format(version=version) for requirement in REQUIREMENTS[engine]]


def _read(folder: Path) -> Environment | None:
    """The environment in a folder; None where it is not complete."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        told = [str(record[name]) for name in ("engine", "version", "python")]
        found = Environment(folder, told[0], told[1], told[2], tuple(record["pins"]), dict(record["hashes"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    runs = folder / npm.LOCK if found.engine in NODE else found.python
    return found if runs.exists() else None


def _make(folder: Path, engine: str, version: str) -> None:
    """Install under a temporary name; only what is complete gets the folder's own."""
    for left in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(left, ignore_errors=True)  # of one that was killed; we hold the lock
    shutil.rmtree(folder, ignore_errors=True)
    made = folder.parent / f".{folder.name}.{os.getpid()}"
    try:
        install: Installer = npm.Npm() if engine in NODE else installer()
        told, pins = _installed(install, made, engine, version)
        record = {
            "engine": engine,
            "version": version,
            "python": told,
            "platform": sysconfig.get_platform(),
            "installer": install.NAME,
            "pins": pins,
            "hashes": install.hashes(made, pins),
            "made": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        }
        (made / RECORD).write_text(json.dumps(record, indent=1), encoding="utf-8")
        made.chmod(_OWN)
        made.rename(folder)
    except Refused as refused:
        message = f"engine {f'{engine}@{version}'!r} cannot be installed: {refused}"
        kind = UnreachableError if refused.unreachable else EngineError
        raise kind(message, refused.hint) from None
    except OSError as error:
        raise EngineError(
            f"the environment {str(made)!r} can't be made: {error}", "make room, or set TOKPARITY_CACHE"
        ) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _installed(install: Installer, made: Path, engine: str, version: str) -> tuple[str, list[str]]:
    """Install; the version of what runs the library, and what there is then."""
    if engine in NODE:
        install.create(made, "")
        install.install(made, _requirements(engine, version))
        return npm.node_version(), npm.pins(made)
    _install(install, made, engine, version)
    python = str(made / "bin" / "python")
    return said(python, "python_version", engine), freeze(python)


def _install(install: Installer, made: Path, engine: str, version: str) -> None:
    """Install with this very Python, else with the nearest one that has a wheel and is installed here."""
    if distribution(engine) == BUILT:
        with contextlib.suppress(EngineError):  # the installer says that the index cannot be asked
            _listed(engine, version)
        _LOG.warning("%s@%s is built from its source once, which takes minutes. %s", engine, version, _QUICK)
    try:
        _install_with(sys.executable, install, made, engine, version)
    except Refused as refused:
        if not refused.lacks:
            raise
        able = _able(engine, version, refused)
        for python in installed_pythons(able):
            shutil.rmtree(made, ignore_errors=True)
            try:
                _install_with(python, install, made, engine, version)
            except Refused as other:
                if not other.lacks:  # what it needs may have no wheel there
                    raise
            else:
                return
        which = f"for Python {able[-1]} to {able[0]}" if len(able) > 1 else f"for Python {''.join(able)}"
        hint = "install one of these Pythons, or name one that has the library: ENGINE@/path/to/python"
        raise Refused(f"{refused}; the package index has wheels {which}", hint) if able else refused from None


def _able(engine: str, version: str, refused: Refused) -> Sequence[str]:
    """The other Pythons that have a wheel of the version, the newest first; Refused where there is no such version."""
    try:
        wheels = _listed(engine, version).wheels_of(version)
    except EngineError:
        raise refused from None
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    return [python for python in reversed(pythons(wheels)) if python != own]


def _listed(engine: str, version: str) -> Listing:
    """What the index has of the library; Refused where the version is not in it."""
    library = distribution(engine)
    found = listing(library)
    if Version(version) not in map(Version, found.versions) and not found.wheels_of(version):
        *some, last = nearest(version, found.versions)
        raise Refused(f"there is no {library} {version}", f"there are {', '.join(some)} and {last}")
    return found


def _install_with(python: str, install: Installer, made: Path, engine: str, version: str) -> None:
    """Install, import the library and hear its version; Refused where that is another one than was asked for."""
    install.create(made, python)
    install.install(made, _requirements(engine, version))
    try:
        heard = said(str(made / "bin" / "python"), "imported", engine)
    except Unanswered as why:
        raise Refused(
            f"the library was installed, but cannot be imported: {why}", f"name another version: {engine}@X.Y.Z"
        ) from None
    if Version(heard) != Version(version):
        raise Refused(
            f"the installed library says that its version is {heard}", "check which package index the installer uses"
        )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One at a time; the lock goes with the process that holds it."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
