"""Which of the flips that were found together a mismatch is said to need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tokparity.diagnose.families.catalogue import attribution


@dataclass(frozen=True)
class Flips:
    """Flips by name, and the texts that they reproduce."""

    names: tuple[str, ...]
    base: int = 0

    @property
    def quirks(self) -> tuple[str, ...]:
        """The flips themselves."""
        return self.names


REPRODUCED = {
    "a": {"mismatch", "right 1"},  # spoils the second
    "ab": {"mismatch", "right 2"},  # spoils the first, which it did not alone
    "ac": {"right 1", "right 2"},
    "abc": {"mismatch", "right 1", "right 2"},
}


class Problem:
    """Makes hypotheses."""

    def hypothesis(self, base: int, quirks: tuple[str, ...]) -> Flips:
        """Those flips."""
        return Flips(quirks, base)


def test_a_flip_that_is_added_may_spoil_another_control(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flips of a part spoil no control that all together leave right, though the part alone did not spoil it."""
    monkeypatch.setattr(attribution, "foretells", lambda flips, seen: seen in REPRODUCED["".join(flips.names)])
    problem: Any = Problem()
    whole: Any = Flips(("a", "b", "c"))
    alone: Any = Flips(("a",))
    parts: Any = {alone: ["mismatch"]}
    controls: Any = ["right 1", "right 2"]
    assert {whole: ["mismatch"]} == attribution.with_what_controls_need(problem, whole, parts, controls)
