"""What a report says first: versions, files, seed, command line."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence

from tokparity import __version__
from tokparity.cli.arguments import Named
from tokparity.errors import TokparityError
from tokparity.report.model import Header


def header(named: Sequence[Named], engines: Sequence[str], seed: int, command: tuple[str, ...]) -> Header:
    """What the report says first."""
    from tokparity.models.cache import sha256

    return Header(
        tokparity=__version__,
        unicode=unicodedata.unidata_version,
        engines=_versions(engines),
        models={
            name.model.name: {path.name: sha256(path) for path in name.model.sources.values() if path.is_file()}
            for name in named
        },
        seed=seed,
        command=command,
        started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        arguments={name.model.name: name.words for name in named},
    )


def _versions(names: Sequence[str]) -> dict[str, str]:
    from tokparity import engines

    versions = {}
    for name in names or engines.names():
        try:
            versions[name] = engines.get(name).version()
        except TokparityError:
            versions[name] = ""  # its pairs say why
    return versions
