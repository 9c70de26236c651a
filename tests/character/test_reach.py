"""Kinds of faults that once stayed silent: by the number of ids, by what is missing, strings for others."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from faulty_panel import characterised
from unlisted_faults import Faithful

from tokparity.diagnose.families.texts.replaced import _replaced
from tokparity.diagnose.families.texts.rewritings import Rewriting, with_these
from tokparity.diagnose.separate.features import Feature
from tokparity.diagnose.separate.neighbors import neighbors, where


class LosesEachFourth(Faithful):
    """A loop that is unrolled four times loses the last id of each round."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The others."""
        return [i for n, i in enumerate(self.right(text, add, parse)) if n % 4 != 3]


class DropsPlus(Faithful):
    """A plus is lost where no letter follows."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if it were not there."""
        return self.right(re.sub(rb"\+(?![A-Za-z])", b"", text), add, parse)


@pytest.mark.parametrize(
    ("engine", "says"),
    [
        (LosesEachFourth, "of each 4 ids the last is lost"),
        (DropsPlus, "U+002B (PLUS SIGN) where it does not stand before an ASCII letter"),
    ],
)
def test_what_was_silent_is_told(engine: type[Faithful], says: str) -> None:
    """All of it is one group, and says what comes."""
    mismatches, groups = characterised("small-bpe", engine)
    assert [len(mismatches)] == [len(group.members) for group in groups]
    assert any(says in trait.says for trait in groups[0].traits), groups[0].traits


def test_what_stands_beside_may_be_missing() -> None:
    """Letters behind the one sort of places, none behind the other."""
    yes = Counter({("", c): 2 for c in "1.! "})
    no = Counter({("", c): 2 for c in "aBzé世"})
    told = [where(one) for one in neighbors(yes, no)]
    assert "where it does not stand before a letter (L)" in told, told


def test_a_rewriting_may_be_done_beside_something_only() -> None:
    """Other places are left as they are."""
    without = next(one for one in with_these("+") if one.clause == "without {0}")
    beside: Feature[tuple[str, str]] = Feature("before a digit", lambda places: places[1].isdigit())
    narrow = Rewriting(without.clause, without.sort, without.rewrite, where=beside)
    assert (("a+b1",), ("ab1",)) == (narrow.parts("a+b+1"), without.parts("a+b+1"))


def test_strings_that_are_read_as_others() -> None:
    """One after another, wherever they stand."""
    assert ("a & b < c",) == _replaced({"&amp;": "&", "&lt;": "<"}, "a &amp; b &lt; c")
