"""Whom a finding hurts is said by the sort of its texts."""

from __future__ import annotations

from dataclasses import replace

from reports import mismatch
from tokparity.case import Origin
from tokparity.finding import Mismatch
from tokparity.report.render import severity
from tokparity.sources.corpus import names


def of(text: bytes, corpus: str) -> Mismatch:
    """A mismatch on a text of a corpus."""
    found = mismatch(text)
    return replace(found, case=replace(found.case, origin=Origin("corpus", corpus, 1)))


def test_the_most_common_sort_stands_first() -> None:
    """One ordinary sentence weighs more than many texts made to break tokenizers."""
    members = [of(b"a", "languages/de-Latn"), of(b"b", "zero_width"), of(b"c", "zero_width")]
    said = severity.severity(members)
    assert "affects ordinary text: 1 of 3 failing texts that were looked at" in said
    assert said.endswith("the others: 2 texts made to break tokenizers")


def test_malformed_input_alone_is_said() -> None:
    """Bytes that are not UTF-8 come from nobody who types."""
    assert severity.severity([of(b"\xff", "languages/de-Latn")]).startswith(f"affects {severity.MALFORMED}")


def test_texts_of_a_file_are_the_users_own() -> None:
    """A corpus that does not come with tokparity is the user's."""
    assert severity.OWN == severity.sort_of(of(b"a", "recording.jsonl"))


def test_every_corpus_has_a_sort() -> None:
    """A new corpus is placed on purpose."""
    assert [] == [name for name in names() if severity.sort_of(of(b"a", name)) == severity.OWN]
