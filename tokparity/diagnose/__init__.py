"""Diagnosis: from what a deviant engine gave to the fewest flips of the reference that give the very same.

It sees no engine, only outcomes, and a callable that asks for more where there is an engine; so a stored report will
do. Nothing is guessed: an explanation was run on every mismatch and left every control alone. What nothing explains
stays unexplained.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokparity.diagnose.budget import SECONDS, WORK, Budget
from tokparity.diagnose.dossier import Dossier
from tokparity.diagnose.evidence import Ask, Aspect, Base, observations
from tokparity.diagnose.explain import Explanation, Investigation
from tokparity.diagnose.findings import Found, findings, owners
from tokparity.diagnose.trials import SOURCE_DIFFERS
from tokparity.finding import Control, Mismatch
from tokparity.quirk import Quirk

__all__ = ["SECONDS", "SOURCE_DIFFERS", "WORK", "Ask", "Base", "Explanation", "Found", "diagnose", "findings", "owners"]

_ASPECTS: tuple[Aspect, ...] = ("ids", "decode", "failure")


def diagnose(
    bases: Sequence[Base],
    mismatches: Sequence[Mismatch],
    controls: Sequence[Control],
    quirks: Sequence[Quirk],
    ask: Ask | None = None,
    seconds: float = SECONDS,
    work: int = WORK,
) -> list[Explanation]:
    """Explanations of one engine's mismatches on one model; each mismatch is a member of at most one.

    `bases` are what the oracle reads and, if it is another file, what the engine read. `work` and `seconds` limit the
    search for each aspect; what is not found by then is unexplained.
    """
    found: list[Explanation] = []
    for aspect in _ASPECTS:
        evidence = observations(aspect, mismatches, controls)
        if any(observation.index is not None for observation in evidence):
            dossier = Dossier(aspect, bases, quirks, evidence, ask, Budget(work, seconds))
            found += Investigation(dossier).explanations()
    return found
