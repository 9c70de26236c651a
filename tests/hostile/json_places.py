"""Every place in a JSON value, and the value with something else there: what a file holds is tampered with."""

from __future__ import annotations

import json
from typing import Any

Place = tuple[Any, ...]

GONE = object()
"""What is put where a key is to be missing."""

ODD = (GONE, None, True, -1, 1 << 70, "x\x1b", [], {}, [-1], [1 << 40], {"x": -1}, {"x": "y"}, ["a:0:0" * 400], 9e999)
"""Values of every type, none of which is right in many places."""


def places(value: Any, place: Place = ()) -> list[Place]:
    """Every place in a JSON value; of lists only the first entry."""
    inner = value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ()
    own = [place] if place else []
    return [*own, *(found for key, one in inner for found in places(one, (*place, key)))]


def put(content: Any, place: Place, value: object) -> Any:
    """A copy of the content with something else at a place; without the place where that is GONE."""
    changed = at = json.loads(json.dumps(content))
    for key in place[:-1]:
        at = at[key]
    if value is GONE:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return changed


def at(content: Any, place: Place) -> Any:
    """What stands at a place."""
    for key in place:
        content = content[key]
    return content
