"""The known deviations of engines: each can be understood, and checked, by who reads it."""

from __future__ import annotations

import pytest

from tokparity import models, quirks
from tokparity.engines import deviations
from tokparity.questions.json_text import parse


@pytest.mark.parametrize("engine", ["llama.cpp", "tokenizers", "transformers"])
def test_a_deviation_says_what_why_and_where(engine: str) -> None:
    """Known quirks that are written down once each, texts that can be read, known models, and a reason."""
    known = deviations.known(engine)
    assert 5 <= len(known)
    assert len(known) == len({(deviation.quirk, deviation.text) for deviation in known})
    for deviation in known:
        assert deviation.quirk in quirks.names()
        assert deviation.reason.strip()
        assert parse(deviation.text)
        assert set(deviation.on) <= set(models.names())


@pytest.mark.parametrize("engine", ["reference", "llama.cpp+greedy_longest_match", "./mine.py:Engine"])
def test_nothing_is_known_of_an_engine_nobody_wrote_of(engine: str) -> None:
    """What llama.cpp is known for excuses neither it with a planted quirk nor an engine of the user's."""
    assert () == deviations.known(engine)
