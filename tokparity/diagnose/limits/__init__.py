"""Every number that limits a diagnosis or decides what it believes, with its unit."""

from __future__ import annotations

from tokparity.diagnose.limits.catalogue import DEFAULT, Limits

__all__ = ["DEFAULT", "Limits"]
