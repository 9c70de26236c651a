"""Classes of all characters except certain ones, as patterns of pre-tokenizers have them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from itertools import combinations

from tokparity.diagnose.limits.texts import ATOMS
from tokparity.diagnose.separate.classes import IS_TOKEN, CharacterClass

_ATOMS: Mapping[str, Callable[[str], bool]] = {
    "White_Space": str.isspace,
    "a letter": lambda c: unicodedata.category(c)[0] == "L",
    "a number": lambda c: unicodedata.category(c)[0] == "N",
    "a mark": lambda c: unicodedata.category(c)[0] == "M",
    "U+0020 (SPACE)": " ".__eq__,
    "U+000A or U+000D": "\n\r".__contains__,
    "punctuation": lambda c: unicodedata.category(c)[0] == "P",
    "a symbol": lambda c: unicodedata.category(c)[0] == "S",
    "an unassigned code point": lambda c: unicodedata.category(c) == "Cn",
    "another of category C": lambda c: unicodedata.category(c) in ("Cc", "Cf", "Co"),
    "an ideograph": lambda c: "CJK" in unicodedata.name(c, ""),
    "an added token": IS_TOKEN.holds,
}


def _is_none(atoms: Collection[Callable[[str], bool]], character: str) -> bool:
    return not any(holds(character) for holds in atoms)


def excluding(failing: Collection[str], right: Collection[str]) -> Iterator[CharacterClass]:
    """The classes of all characters except some sorts that contain all failing characters and no right one, fewest
    sorts first."""
    wanted = [name for name, holds in _ATOMS.items() if not any(map(holds, failing))]
    left_out = {name: {c for c in right if _ATOMS[name](c)} for name in wanted}
    for size in range(1, ATOMS + 1):
        for names in combinations(wanted, size):
            if len(set().union(*(left_out[name] for name in names))) == len({*right}):
                atoms = [_ATOMS[name] for name in names]
                says = f"a character that is not {' nor '.join(names)}"
                yield CharacterClass(says, partial(_is_none, atoms))
