"""The current directory as a file descriptor, which a worker is given to go there."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

_PLACE = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
"""How a directory is opened to be gone to: where the system can, it need not be readable."""


@contextlib.contextmanager
def current_directory() -> Iterator[tuple[int, ...]]:
    """A file descriptor of it; none where it may not be gone to, from where a worker stays where its server is."""
    try:
        place = os.open(".", _PLACE)
    except OSError:
        yield ()
        return
    try:
        yield (place,)
    finally:
        os.close(place)
