"""How a process is kept from opening anything, before it renders a template.

The worker runs this file in each environment's Python, 3.8 or later: it imports nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import resource


def shut() -> None:
    """Let this process open no file, write none and start no other process, whatever happens in it from now on."""
    for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_NPROC"):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # a system may lack one of them
            resource.setrlimit(getattr(resource, name), (0, 0))
