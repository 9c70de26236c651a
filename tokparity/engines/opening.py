"""How an adapter of the exec protocol is started, and opens a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from tokparity.engines.answers import WrongAnswerError
from tokparity.engines.lines import AdapterEnded, Lines
from tokparity.engines.reply import PROTOCOL
from tokparity.errors import EngineError

_SAID = ("name", "version", "vocabulary_size", "capabilities")
"""What the reply to hello says; where it depends on the model, the reply to open says it."""


@dataclass(frozen=True)
class Opening:
    """How an adapter is started: its command and the request that opens the model."""

    name: str
    words: list[str]
    request: dict[str, Any]

    def opened(self) -> tuple[Lines, dict[str, Any]]:
        """A running adapter with the model open, and its hello; EngineError where it cannot."""
        try:
            lines = Lines(self.words)
        except OSError as error:
            raise EngineError(
                f"{self.words[0]!r} cannot be started: {error.strerror}", "correct the command"
            ) from error
        try:
            said = lines.ask({"op": "hello", "protocol": PROTOCOL})
            reply = lines.ask(self.request)
        except (WrongAnswerError, AdapterEnded) as error:
            self._refuse(lines, str(error))
        if "error" in reply:
            self._refuse(lines, f"it cannot open the model: {reply['error']}"[:2000])
        told = {key: reply[key] for key in _SAID if key in reply}
        return lines, told if "error" in said else {**said, **told}

    def _refuse(self, lines: Lines, why: str) -> NoReturn:
        told = lines.said()
        lines.close()
        raise EngineError(f"engine {self.name!r}: {why}", "" if told in why else told)
