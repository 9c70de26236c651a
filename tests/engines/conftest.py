"""Puts the fake engines on sys.path, which workers inherit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _fakes_importable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make "fakes:Class" importable here and in workers."""
    monkeypatch.syspath_prepend(str(HERE))
    yield
    sys.modules.pop("fakes", None)
