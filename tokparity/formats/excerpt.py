"""Values of files that nobody has checked, as messages show them: short, on one line, what doesn't print escaped."""

from __future__ import annotations

from reprlib import Repr

_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxdict, _SHORT.maxarray = 2, 4, 4, 4
_SHORT.maxlong = _SHORT.maxother = 60

_NAME = 80  # characters of a name


def excerpt(value: object, limit: int = 60) -> str:
    """The value's repr, cut to about `limit` characters; however large the value is, little of it is looked at."""
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) <= limit else repr(value[:limit]) + "..."
    found = _SHORT.repr(value)
    return found if len(found) <= limit else found[:limit] + "..."


def printable(name: str) -> str:
    """A name as it is if it is short and prints, else its excerpt."""
    return name if name.isprintable() and len(name) <= _NAME else excerpt(name, _NAME)
