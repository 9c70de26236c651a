"""Who can write to the folders that programs are started from: nobody but the user and the system."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IWGRP, S_IWOTH

from tokparity.errors import EngineError


def hold_private(folder: Path) -> None:
    """Raise EngineError if another user can write to a folder of environments, its parents, or the cache."""
    for path in (folder.parent.parent, folder.parent, folder):
        try:
            found = path.stat()
        except FileNotFoundError:
            return
        hint = "set TOKPARITY_CACHE to a folder of your own"
        if found.st_uid not in (os.geteuid(), 0):
            message = f"the folder {str(path)!r} belongs to the user {found.st_uid}, and its programs would run as you"
            raise EngineError(message, hint)
        if found.st_mode & S_IWOTH or (found.st_mode & S_IWGRP and not _is_private(found.st_gid)):
            message = f"other users can write to the folder {str(path)!r}, and its programs would run as you"
            raise EngineError(
                message, f"run `tokparity engines prune`, then remove their permission to write; or {hint}"
            )


def _is_private(group: int) -> bool:
    """Whether the group is that of one user alone, as many systems make one for each user."""
    import grp
    import pwd

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return found.gr_name == user.pw_name and {*found.gr_mem} <= {user.pw_name}
