"""A quirk changes one rule: what another quirk is about stays as it is, so that the two can be told apart."""

from __future__ import annotations

import pytest

from tokparity import quirks
from tokparity.behaviour import MatchAdded
from tokparity.quirks import toys
from tokparity.quirks.matches_first_special_added import first_added
from tokparity.quirks.matches_longest_special_first import longest_first
from tokparity.quirks.reads_specials_as_expressions import as_expressions
from tokparity.reference.normalise import Bert, UnicodeForm


@pytest.mark.parametrize("way", [first_added, longest_first, as_expressions])
def test_other_ways_to_find_tokens_obey_single_word(way: MatchAdded) -> None:
    """A token that is only found as a word of its own is not found inside one."""
    toy = toys.spm("a b", added=(toys.special("ab", 9, single_word=True),))
    match = way(toy.vocabulary, toy.behaviour, False)
    assert ["xab ", 9] == match("xab ab", True)


@pytest.mark.parametrize("form", ["nfc", "nfd", "nfkc", "nfkd"])
def test_a_form_that_the_model_has_is_not_applied_again(form: str) -> None:
    """Newer tables have a quirk of their own."""
    quirk, newer = quirks.get(f"applies_{form}"), quirks.get("takes_forms_of_newer_unicode")
    own = toys.spm("a", normalise=UnicodeForm(form.upper())).behaviour  # type: ignore[arg-type]
    other = toys.spm("a", normalise=Bert()).behaviour
    assert own == quirk.flip(own) != newer.flip(own)
    assert other != quirk.flip(other)


def test_newer_tables_and_the_compatibility_form_go_together() -> None:
    """In BERT's normalizer as well: a mathematical letter of Unicode 13 becomes a digit under both alone."""
    own = toys.wordpiece("1", normalise=Bert()).behaviour
    compatible, newer = quirks.get("takes_compatibility_form"), quirks.get("takes_forms_of_newer_unicode")
    told = [flipped.normalise("\U0001fbf1") for flipped in (own, compatible.flip(own), newer.flip(own))]  # type: ignore[misc]
    assert ["\U0001fbf1"] * 3 == told
    both = quirks.flip_all((compatible, newer), own)
    assert both.normalise is not None
    assert both.normalise("\U0001fbf1") == "1"
