"""The header of a report: versions, files, seed, command line."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tokparity import __version__
from tokparity.cli.arguments import Named
from tokparity.errors import TokparityError

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.report.model import Header


def header(
    named: Sequence[Named], engines: Sequence[str], seed: int, command: tuple[str, ...], asked: Sequence[str] = ()
) -> Header:
    """The header of a report."""
    from tokparity.engines.environment.pinned import installed
    from tokparity.report.model import Header

    return Header(
        tokparity=__version__,
        unicode=unicodedata.unidata_version,
        engines=_versions(engines),
        models={name.model.name: hashes(name.model) for name in named},
        seed=seed,
        command=command,
        started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        arguments={name.model.name: name.words for name in named},
        places={name.model.name: place for name in named if (place := _place(name)) is not None},
        origins={name.model.name: found for name in named if (found := origins(name.model))},
        environments={name: lines for name in engines if (lines := installed(name))},
        demanded=tuple(engines),
        asked=tuple(asked),
    )


def hashes(model: Model) -> dict[str, str]:
    """SHA-256 of each of a model's files, by the file's name."""
    from tokparity.models.cache import sha256

    return {path.name: sha256(path) for path in model.sources.values() if path.is_file()}


def origins(model: Model) -> dict[str, str]:
    """Where anybody gets each of a known model's files that came from elsewhere, by the file's name."""
    from tokparity.models.pull import origin

    ours = {path.name for path in model.sources.values()}
    return {file.name: origin(file) for file in model.pulled if file.name in ours}


def _place(named: Named) -> tuple[str, int] | None:
    """Where a remark about the model belongs: its entry in a tokparity.toml, else its first file.

    None for a known model, whose files are none of the user's.
    """
    if named.own is not None:
        return named.own.path.as_posix(), named.own.line(named.model.name)
    if named.model.pinned:
        return None
    return next(iter(named.model.sources.values())).as_posix(), 1


def _versions(names: Sequence[str]) -> dict[str, str]:
    from tokparity import engines

    versions = {}
    for name in names or engines.names():
        try:
            versions[name] = engines.get(name).version()
        except TokparityError:
            versions[name] = ""  # its pairs say why
    return versions
