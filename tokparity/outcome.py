"""What comes back from an engine: the answer to a question, or a Failure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

FailureKind = Literal["crash", "timeout", "memory", "slow", "error", "unavailable", "away", "unsupported", "unrecorded"]

DEADLY: tuple[FailureKind, ...] = ("crash", "timeout", "memory")
"""What no question may do to an engine, whatever it is."""

NOT_ASKED: tuple[FailureKind, ...] = ("unsupported", "unavailable", "away", "unrecorded")
"""Kinds of Failure that say nothing about the engine's answer."""

TIMEOUT = 20.0
"""Seconds that a small batch may take, where nobody says otherwise; then the engine hangs."""

LATE: tuple[FailureKind, ...] = ("timeout", "slow")
"""A process that is late may only be kept waiting by others on the machine."""


@dataclass(frozen=True, slots=True)
class Whole:
    """What ids or a text were of which only the beginning is kept: how many ids or bytes, and their SHA-256."""

    length: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Encoding:
    """The ids an engine gave for a text, and the bytes it decodes these ids to (None if not asked).

    A report holds only the beginning of very long ones, and then tells of the whole.
    """

    ids: tuple[int, ...]
    decoded: bytes | None = None
    whole_ids: Whole | None = None
    whole_decoded: Whole | None = None

    @property
    def length(self) -> int:
        """How many ids there were."""
        return len(self.ids) if self.whole_ids is None else self.whole_ids.length


@dataclass(frozen=True, slots=True)
class Decoding:
    """The bytes that an engine decoded a row of ids to."""

    decoded: bytes
    whole_decoded: Whole | None = None


@dataclass(frozen=True, slots=True)
class Streaming:
    """An engine's stream for a row of ids: a delta for each id, and a last one at the end.

    `law` is the law that the deltas break (see `laws`), and `place` the delta that breaks it; `right` are deltas that
    would not. All three say nothing where the stream is right.
    """

    deltas: tuple[bytes, ...]
    law: str = ""
    place: int = 0
    right: tuple[bytes, ...] = ()

    @property
    def decoded(self) -> bytes:
        """The deltas joined."""
        return b"".join(self.deltas)

    @property
    def whole_decoded(self) -> None:
        """A report never cuts a stream: a question has few ids."""
        return


Place = tuple[int, int]
"""The first character, counted from 0, and the one behind the last."""


@dataclass(frozen=True, slots=True)
class Spanning:
    """An engine's ids for a text, and the characters of the text that each id came from.

    `encoded` are the ids that it gives when it is not asked for spans, where these differ. `law` is the law that the
    spans break (see `span_laws`), `place` the id at which they do, and `right` are spans that break none. `reach` says
    how far the span of each id may go; only the reference knows.
    """

    ids: tuple[int, ...]
    spans: tuple[Place, ...]
    encoded: tuple[int, ...] | None = None
    reach: tuple[Place, ...] = ()
    law: str = ""
    place: int = 0
    right: tuple[Place, ...] = ()

    @property
    def decoded(self) -> None:
        """Nothing is decoded."""
        return

    @property
    def whole_decoded(self) -> None:
        """A report never cuts spans: a question has a short text."""
        return


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a chat template made of a conversation: a prompt, or None and the message of an error that it raised.

    `ids` are those of the prompt, by the model's own encoding; a report has them, a renderer gives none.
    """

    prompt: str | None
    raised: str = ""
    ids: tuple[int, ...] = ()
    today: str | None = field(default=None, compare=False)
    """The prompt with the time of now, where the reference writes a fixed time."""

    def allows(self, prompt: str | None) -> bool:
        """Whether another renderer's prompt is right where this one is; None is none."""
        return prompt == self.prompt or (prompt is not None and prompt == self.today)

    @property
    def decoded(self) -> bytes:
        """The prompt, or what is said in its place."""
        told = self.prompt if self.prompt is not None else f"raises: {self.raised}"
        return told.encode("utf-8", "surrogatepass")

    @property
    def whole_decoded(self) -> None:
        """A report never cuts a prompt: a renderer bounds its length."""
        return

    @property
    def length(self) -> int:
        """How many ids there are."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an engine gave no answer.

    `crash` died (see `signal`), `timeout` hung, `memory` ran out of it, `slow` took out of all proportion long (see
    `session.slowness`), `error` said so itself. The others are never mismatches: `unavailable` is not installed or
    cannot open the model, `away` is a server that is not there at the moment, `unsupported` cannot be asked this (a
    str-only engine and invalid UTF-8, say), `unrecorded` is not in the recording that represents the engine.
    """

    kind: FailureKind
    message: str
    signal: int | None = None


Answer = Encoding | Decoding | Streaming | Spanning | Rendering
Outcome = Answer | Failure


_WORDS = 2


def error_of(outcome: object) -> str:
    """Which error an engine told of, by how its message begins (the rest may be about the text); else empty."""
    if not isinstance(outcome, Failure) or outcome.kind != "error":
        return ""
    return " ".join(outcome.message.split()[:_WORDS])
