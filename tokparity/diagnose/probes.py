"""Short texts that show whether a hypothesis holds: a few parts, combined by chance with a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tokparity.diagnose.limits.families import PARTS, PROBES


def mixed(*groups: Sequence[str], least: int = 1, most: int = PARTS) -> list[str]:
    """Texts of `least` to `most` parts. Each part comes from one group, and each group is drawn equally often."""
    rng, some = random.Random(0), [group for group in groups if group]
    return ["".join(rng.choice(rng.choice(some)) for _ in range(rng.randint(least, most))) for _ in range(PROBES)]
