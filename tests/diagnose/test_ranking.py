"""Causes that predict the same answers: the likely one is first, and those that are alike are one entry."""

from __future__ import annotations

from dataclasses import replace

from test_diagnose import toy_evidence

from tokparity import quirks
from tokparity.diagnose import Base, diagnose, findings
from tokparity.quirks import flip_all, toys
from tokparity.reference import pretokenisers
from tokparity.report.render.causes import alternatives

CLIP = toys.byte_bpe(
    "f+o fo+x fo+x</w> c+a ca+t ca+t</w>",
    words=(),
    word_suffix="</w>",
    pretokenise=pretokenisers.by_name("llama3").stage,
)


def test_a_suffix_that_never_comes_is_named_first() -> None:
    """An engine of GPT-2's kind gives no piece with </w>: that it omits the suffix is in the first cause."""
    flips = [quirks.get(name) for name in ("omits_word_suffix", "uses_pre_gpt_2")]
    mismatches, controls, _ = toy_evidence(CLIP, flip_all(flips, CLIP.behaviour), ["fox cat", "cat fox 12"])
    base = Base(CLIP.vocabulary, CLIP.behaviour)
    (found,) = findings(mismatches, diagnose([base], mismatches, controls, quirks.all_quirks()))
    assert "omits_word_suffix" in found.finding.quirks
    explains = ["omits_word_suffix" in names for names in found.finding.alternatives]
    assert sorted(explains, reverse=True) == explains


def test_patterns_are_one_entry_and_three_entries_are_shown() -> None:
    """Fourteen patterns that cut the text in the same way are one entry, whatever stands between them."""
    flips = [quirks.get("omits_bos")]
    toy = toys.spm("a b")
    toy = replace(toy, behaviour=replace(toy.behaviour, prefix_ids=(1,)))
    mismatches, controls, _ = toy_evidence(toy, flip_all(flips, toy.behaviour), ["a"])
    (found,) = findings(mismatches, diagnose([Base(toy.vocabulary, toy.behaviour)], mismatches, controls, flips))
    patterns = [(f"uses_pre_{i}", "y") for i in range(14)]
    many = [patterns[0], ("x",), *patterns[1:], ("z",), ("w",)]
    told = list(alternatives(replace(found.finding, alternatives=tuple(many))))
    assert ["uses_pre_0 + y (or one of 13 more patterns)", "x", "z", "one of 1 less likely cause"] == [
        entry.partition(":")[0] for entry in told
    ]
