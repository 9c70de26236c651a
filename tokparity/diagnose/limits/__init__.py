"""Every number that bounds a diagnosis or what it believes, with its unit: of the catalog, and of the families."""

from __future__ import annotations

from tokparity.diagnose.limits.catalogue import DEFAULT, Limits

__all__ = ["DEFAULT", "Limits"]
