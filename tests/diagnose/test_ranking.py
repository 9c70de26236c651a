"""Causes that predict the same answers: the likely one is first, and those that are alike are one entry."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from test_diagnose import toy_evidence

from tokparity import quirks
from tokparity.diagnose import Base, diagnose, findings
from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.families.catalogue.ranking import likelihood
from tokparity.finding import Finding
from tokparity.quirks import flip_all, toys
from tokparity.reference import pretokenisers
from tokparity.report.render.causes import alternatives

CLIP = toys.byte_bpe(
    "f+o fo+x fo+x</w> c+a ca+t ca+t</w>",
    words=(),
    word_suffix="</w>",
    pretokenise=pretokenisers.by_name("llama3").stage,
)


@cache
def clip() -> Finding:
    """What is found where an engine of GPT-2's kind runs CLIP's vocabulary."""
    flips = [quirks.get(name) for name in ("omits_word_suffix", "uses_pre_gpt_2")]
    mismatches, controls, _ = toy_evidence(CLIP, flip_all(flips, CLIP.behaviour), ["fox cat", "cat fox 12"])
    base = Base(CLIP.vocabulary, CLIP.behaviour)
    (found,) = findings(mismatches, diagnose([base], mismatches, controls, quirks.all_quirks()))
    return found.finding


def test_a_suffix_that_never_comes_is_named_first() -> None:
    """That the engine omits the suffix, which stands in none of its pieces, is in the first causes."""
    assert "omits_word_suffix" in clip().quirks
    explains = ["omits_word_suffix" in names for names in clip().alternatives]
    assert sorted(explains, reverse=True) == explains


def test_patterns_are_one_entry_and_three_entries_are_shown() -> None:
    """Fourteen patterns that fit are one entry, whatever stands between them."""
    patterns = [(f"uses_pre_{i}", "y") for i in range(14)]
    many = (patterns[0], ("x",), *patterns[1:], ("z",), ("w",))
    told = list(alternatives(replace(clip(), quirks=("v",), alternatives=many)))
    assert ["uses_pre_0 + y (or one of 13 more patterns)", "x", "z"] == told[:3]
    assert ["one of 1 less likely cause: findings.csv lists them"] == told[3:]
    own = list(alternatives(replace(clip(), quirks=patterns[0], alternatives=tuple(patterns[1:]))))
    assert ["the same with uses_pre_1, or one of 12 more patterns"] == own


def test_a_cause_that_was_reported_goes_before_one_that_nobody_reported() -> None:
    """A template whose special tokens are cut apart was not parsed; kinds that were misread are less likely."""
    key = likelihood(Base(CLIP.vocabulary, CLIP.behaviour), [])
    assert key(("never_parses_specials",)) < key(("cuts_out_unknown_and_user_defined",))


def test_a_cause_that_changes_words_is_less_likely_where_only_signs_are_wrong() -> None:
    """Whoever lost all merges would have shown a word: that each sign is cut apart explains as much, and is nearer."""
    toy = toys.byte_bpe("-+> h+e", pretokenise=pretokenisers.by_name("qwen2").stage)
    base = Base(toy.vocabulary, toy.behaviour)
    both = [("loses_merges",), ("uses_pre_chameleon",)]
    rows = []
    for texts in (["->"], ["->", "he->"]):
        mismatches, _, _ = toy_evidence(toy, quirks.get("loses_merges").flip(toy.behaviour), texts)
        key = likelihood(base, [Observation(one.case, one.expected, one.actual, index=0) for one in mismatches])
        rows.append(sorted(both, key=key)[0])
    assert [("uses_pre_chameleon",), ("loses_merges",)] == rows
