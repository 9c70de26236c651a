"""The page of a site about test vectors: each file, to be downloaded, with what it shows."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from tokparity.errors import FormatError, UsageError
from tokparity.report.render.page import filled
from tokparity.report.site.build import VECTORS
from tokparity.vectors.file import SUFFIX, counts, read

_FOLDER = "vectors"


def files(folder: Path) -> list[Path]:
    """The vectors files in a folder; FormatError where there is none, or where one cannot be read."""
    found = sorted(folder.glob(f"*{SUFFIX}"))
    if not found:
        raise FormatError(
            f"there is no file *{SUFFIX} in {str(folder)!r}", "`tokparity vectors MODEL -o DIR` writes one"
        )
    for path in found:
        read(path)
    return found


def write(paths: Sequence[Path], out: Path) -> None:
    """Copy the files into the site, and write the page about them."""
    try:
        (out / _FOLDER).mkdir(parents=True, exist_ok=True)
        for path in paths:
            shutil.copyfile(path, out / _FOLDER / path.name)
        vectors = [(f"{_FOLDER}/{path.name}", path.stat().st_size, read(path)) for path in paths]
        rows = [(link, size, one, counts(one)) for link, size, one in vectors]
        (out / VECTORS).write_bytes(filled("site_vectors.html", rows=rows))
    except OSError as error:
        raise UsageError(f"cannot write to {str(out)!r}: {error.strerror}", "choose another -o") from error
