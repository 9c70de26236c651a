"""What wrong ids have in common with those that were expected."""

from __future__ import annotations

import pytest

from tokparity.case import text_case
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.answers.relations import relation
from tokparity.outcome import Encoding


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ([((5, 70, 6), (5, 129, 6)), ((70,), (129,)), ((8, 70), (8, 129))], "where the id 70 is expected, 129 comes"),
        ([((5, 70), (5, 71)), ((9, 30), (9, 31))], "ids are wrong by +1"),
        ([((5, 70), (5, 70 + 1024)), ((9, 70), (9, 70 + 1024))], "where the id 70 is expected, 1094 comes"),
        ([((5, 70), (5, 70 + 1024)), ((9, 30), (9, 30 + 1024))], "ids are wrong by multiples of 2^10 = 1,024"),
    ],
    ids=["one id", "two ids", "one id, a power of two away", "two ids, a power of two away"],
)
def test_one_wrong_id_is_no_distance(answers: list[tuple[tuple[int, ...], tuple[int, ...]]], says: str) -> None:
    """What two ids have in common may be a rule; one alone has nothing in common with another."""
    seen = [Observation(text_case(b"a"), Encoding(expected), Encoding(actual)) for expected, actual in answers]
    assert [says] == [found.says for found, _, _ in relation(seen)]
