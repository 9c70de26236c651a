"""What is put to an engine (Case) and what comes back (Outcome: an Encoding or a Failure)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FailureKind = Literal["crash", "timeout", "memory", "error", "unavailable", "unsupported"]


@dataclass(frozen=True, slots=True)
class Case:
    """One text put to every engine.

    `text` is bytes, whatever they are. `add_special` asks for BOS, EOS and the like; `parse_special` asks that
    special tokens spelled in the text are recognised. `origin` is "file:line" or "generator:seed:index".
    """

    text: bytes
    add_special: bool = True
    parse_special: bool = False
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The ids an engine gave for a case, and the bytes it decodes these ids to (None if not asked)."""

    ids: tuple[int, ...]
    decoded: bytes | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an engine gave no ids.

    `crash` died (see `signal`), `timeout` hung, `memory` ran out of it, `error` said so itself,
    `unavailable` is not installed or cannot open the model, `unsupported` cannot be asked this
    (a str-only engine and invalid UTF-8, say): the last two are never mismatches.
    """

    kind: FailureKind
    message: str
    signal: int | None = None


Outcome = Encoding | Failure
