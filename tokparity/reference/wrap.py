"""What goes around the ids of a text: BOS, EOS, CLS, SEP."""

from __future__ import annotations

from tokparity.behaviour import Behaviour
from tokparity.vocabulary import Vocabulary


def wrap_once(vocabulary: Vocabulary, behaviour: Behaviour, ids: list[int]) -> list[int]:
    """The ids with the model's prefix and suffix, whatever the text itself begins with."""
    return [*behaviour.prefix_ids, *ids, *behaviour.suffix_ids]
