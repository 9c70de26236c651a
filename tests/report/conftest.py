"""The report that every renderer must survive."""

from __future__ import annotations

import pytest

from reports import nasty_report
from tokparity.report.model import Report


@pytest.fixture(scope="session")
def report() -> Report:
    """Everything that has ever been hard to show."""
    return nasty_report()
