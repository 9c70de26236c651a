"""Puts the fake engines on sys.path, which workers inherit, and finds the real models where they are at hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared_models import REASON, SHARED_MODELS

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _fakes_importable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make "fakes:Class" importable here and in workers."""
    monkeypatch.syspath_prepend(str(HERE))
    yield
    sys.modules.pop("fakes", None)


@pytest.fixture
def shared_models() -> Path:
    """The folder of published tokenizers; a test that needs it is skipped where there is none."""
    if not SHARED_MODELS.is_dir():
        pytest.skip(f"{REASON}: {SHARED_MODELS}")
    return SHARED_MODELS
