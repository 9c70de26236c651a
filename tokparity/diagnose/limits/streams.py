"""How many faults, streams, texts and ids the search for the cause of wrong streams and spans examines."""

from __future__ import annotations

MOST_FLIPS = 3
"""Faults at most that one explanation of a stream has."""
SEARCHED = 150
"""Mismatches on which all sets of faults are run, the smallest first; what fits them is run on all."""
FEW = 10
"""Of these, those that refute most sets at once."""
LONGEST = 64
"""Ids of a stream of which a cause is looked for: the work grows with their square."""
LONG = 2_100
"""Ids of a stream that may have a cause that was found on others: each of its beginnings is decoded once."""
ATTACKS = 200
"""New streams that are put to a new process."""
CLEARLY = 0.1
"""Share of the mismatches that must be explained beyond the others before an engine is taken to know bytes."""
PER_SPOILED = 50
"""Wrong spans that must be explained for each right answer that a cause would spoil; another cause may act there."""
SHORT = 2_000
"""Bytes of a text whose wrong spans are explained."""
