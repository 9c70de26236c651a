"""What a path that does not exist may have been meant to be."""

from __future__ import annotations

import difflib
import os
from pathlib import Path


def nearest(path: Path) -> Path:
    """The existing path that is nearest: each part as it is, or the one entry that is spelled most like it."""
    here = Path(path.anchor) if path.is_absolute() else Path()
    for part in path.parts[1 if path.is_absolute() else 0 :]:
        found = here / part if os.path.exists(here / part) else _alike(here, part)
        if found is None:
            break
        here = found
    return here


def _alike(folder: Path, name: str) -> Path | None:
    """The entry of a folder whose name is most like this one; None where none is, or nothing can be listed."""
    try:
        entries = [entry.name for entry in folder.iterdir()]
    except OSError:
        return None
    close = difflib.get_close_matches(name, entries, n=1)
    return folder / close[0] if close else None
