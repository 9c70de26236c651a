"""What the name of an engine says: the one place where names are taken apart and put together.

A name is BASE[@VERSION][[OPTION=VALUE,...]][+QUIRK...], or belongs to an engine outside the package: "module:name",
"./file.py:name", "exec:COMMAND", "replay:FILE", "http:URL" (an URL that begins so is one already).
"stream:NAME/ENGINE" is another engine with the way in which a server streams.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tokparity.errors import UsageError

COMMAND = "exec"
"""The scheme of an engine that is a command of the user's own."""

REPLAY = "replay"
"""The scheme of an engine that is a file of recorded outcomes."""

STREAM = "stream"
"""The scheme of the way in which a server decodes ids one after another, over another engine."""

SERVERS = ("http", "https")
"""The schemes of an engine that is a server."""

MAX_VERSION = 64
"""Characters of a version behind the "@", which becomes part of a folder's name; a path there may be longer."""

_SCHEMES = (COMMAND, REPLAY, STREAM, *SERVERS)

_FORM = re.compile(
    r"(?P<base>[^@\[\]+]*)(?:@(?P<version>[^\[\]+]+))?(?:\[(?P<options>.*)\])?(?P<quirks>(?:\+[^+\[\]]+)*)"
)
_OUTSIDE = re.compile(r"[^@\[]*:")


@dataclass(frozen=True)
class EngineName:
    """A name, taken apart. Of an engine outside the package all that follows the scheme is `place`.

    `version` is a version or the path of a Python; `options` are in the order in which they were given.
    """

    base: str
    version: str = ""
    options: tuple[tuple[str, object], ...] = ()
    quirks: tuple[str, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        if self.place:
            return f"{self.base}:{self.place}"
        options = ",".join(f"{name}={_spelled(value)}" for name, value in self.options)
        version = f"@{self.version}" if self.version else ""
        return "+".join((f"{self.base}{version}{f'[{options}]' if options else ''}", *self.quirks))

    @property
    def is_outside(self) -> bool:
        """Whether it is an engine of the user's own: a command, or something in a module."""
        return bool(self.place)

    @property
    def is_command(self) -> bool:
        """Whether it is a command that speaks the exec protocol."""
        return self.is_outside and self.base == COMMAND

    @property
    def is_replay(self) -> bool:
        """Whether the name is that of a recording, which can answer only what it contains."""
        return self.is_outside and self.base == REPLAY

    @property
    def is_stream(self) -> bool:
        """Whether it is the way in which a server streams, over another engine's decoding."""
        return self.is_outside and self.base == STREAM

    @property
    def url(self) -> str:
        """The address of a server; empty for any other engine."""
        if not self.is_outside or self.base not in SERVERS:
            return ""
        return f"{self.base}:{self.place}" if self.place.startswith("//") else self.place


def parse(name: str) -> EngineName:
    """The parts of a name; raises UsageError where it has none of the known forms."""
    if _OUTSIDE.match(name):
        base, place = name.split(":", 1) if name.partition(":")[0] in _SCHEMES else name.rsplit(":", 1)
        if not base or not place.strip():
            message = f"engine {name!r} has nothing {'behind' if base else 'before'} its colon"
            raise UsageError(message, "write it as module:Class, ./file.py:name, exec:COMMAND, replay:FILE or http:URL")
        return EngineName(base, place=place)
    found = _FORM.fullmatch(name)
    if found is None:
        raise UsageError(f"engine {name!r} cannot be read", "write it as NAME@VERSION[option=value]+quirk")
    version = found["version"] or ""
    if len(version) > MAX_VERSION and "/" not in version:
        message = f"engine {name!r:.80} names a version of {len(version)} characters"
        raise UsageError(message, f"write a version of at most {MAX_VERSION} characters, or the path of a Python")
    quirks = tuple(found["quirks"].split("+")[1:])
    return EngineName(found["base"], version, tuple(_options(name, found["options"] or "")), quirks)


def _options(name: str, words: str) -> Iterator[tuple[str, object]]:
    """The options between the brackets, in order; one that is given twice is a mistake."""
    seen: set[str] = set()
    for word in filter(None, (word.strip() for word in words.split(","))):
        key, equals, value = word.partition("=")
        if not equals or not key.isidentifier():
            raise UsageError(f"engine {name!r} has {word!r} where an option belongs", "write it as NAME[option=value]")
        if key in seen:
            raise UsageError(f"engine {name!r} has the option {key!r} twice", "write it once")
        seen.add(key)
        yield key, _value(value)


def _value(word: str) -> object:
    """true, false, null, a number; any other word is itself."""
    try:
        value = json.loads(word)
    except ValueError:
        return word
    return word if isinstance(value, list | dict) else value


def _spelled(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
