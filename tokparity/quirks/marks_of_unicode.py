"""Quirks of BERT's normalizer in a language that has the tables of one version of Unicode: marks that are stripped."""

from __future__ import annotations

from dataclasses import dataclass, replace

import regex

from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.quirks.bert_characters import strips, without
from tokparity.quirks.changed_stages import wraps_stages
from tokparity.reference.normalise import Bert
from tokparity.reference.unicode_versions import AsOf, lower

LANGUAGES = {13: "Python 3.9 and 3.10, Java 17", 14: "Python 3.11"}
"""Versions of Unicode, and languages that have their tables."""
LINKS = ("https://crates.io/crates/unicode_categories", "https://docs.python.org/3/library/unicodedata.html")
_MARKS = {13: "\U0001e2ec", 14: "\u0898"}
"""A nonspacing mark of these versions that is newer than Unicode 8."""

_NONSPACING, _NONSPACING_13 = map(regex.compile, (r"[\p{Mn}\U0001171e]", r"[\p{Mn}\u1734\U0001171e]"))
"""Nonspacing marks of Unicode 14 and 15, and of 13: two characters are none any more in the newest tables."""


@dataclass(frozen=True)
class WithMarksOf:
    """BERT's normalizer that strips the nonspacing marks of another version of Unicode."""

    inner: Bert
    version: int

    def __call__(self, text: str) -> str:
        marks = _NONSPACING if self.version > 13 else _NONSPACING_13
        text = replace(self.inner, strip_accents=False, lowercase=False)(text)
        text = without(marks, self.inner.form(text) if self.inner.form else text, AsOf(self.version))
        return lower(text) if self.inner.lowercase else text


def _marks(version: int) -> Quirk:
    mark = _MARKS[version]
    return Quirk(
        name=f"strips_marks_of_unicode_{version}",
        title=f"Strips the combining marks of Unicode {version}",
        symptom=f"Combining marks that Unicode added from 2016 on, up to version {version}, are stripped from words. "
        "The model's own tokenizer keeps them.",
        cause=f"The engine's table of nonspacing marks is of Unicode {version} ({LANGUAGES[version]}), that of "
        "tokenizers of Unicode 8.",
        fix="None, unless you need equal ids: the model saw these marks in training.",
        field="normalise",
        derive=wraps_stages(103 + version, strips, lambda inner: WithMarksOf(inner, version)),
        links=LINKS,
        witness=lambda: toys.wordpiece(f"a {mark} ##{mark}", normalise=Bert()).on(f"a{mark}"),
    )


QUIRKS = (
    *map(_marks, LANGUAGES),
    Quirk(
        name="strips_marks_newer_than_unicode_8",
        title="Strips combining marks that are newer than Unicode 8",
        symptom="Combining marks that Unicode added after 2015 (U+1CF00, U+1E000, U+0898) are stripped from words. "
        "The model's own tokenizer keeps them.",
        cause="The engine's table of nonspacing marks is of Unicode 14 or later, that of tokenizers of Unicode 8.",
        fix="None, unless you need equal ids: the model saw these marks in training.",
        field="normalise",
        derive=wraps_stages(115, strips, lambda inner: WithMarksOf(inner, 15)),
        links=("https://crates.io/crates/unicode_categories",),
        witness=lambda: toys.wordpiece("a \U0001cf00 ##\U0001cf00", normalise=Bert()).on("a\U0001cf00"),
    ),
)
