"""Keys: what they depend on, and what they do not."""

from __future__ import annotations

from dataclasses import replace

from reports import GEMMA, mismatch
from tokparity.case import Origin, text_case
from tokparity.finding import Finding
from tokparity.report.keys import cause_key, finding_key, finding_keys, mismatch_key
from tokparity.report.model import Report

KEY_OF_FINDING, KEY_OF_MISMATCH = "291cd578fb55", "8dfde23baaa1"


def finding_of(text: bytes = b"a", **changes: object) -> Finding:
    """An explained finding."""
    found = Finding("x", "nai-t5", "tokenizers", "o", "verified", mismatch(text), 1, quirks=("strips_text",))
    return replace(found, **changes)  # type: ignore[arg-type]


def test_keys_stay() -> None:
    """They are written down here, because links that were sent lead nowhere if they change."""
    assert (KEY_OF_FINDING, KEY_OF_MISMATCH) == (finding_key(finding_of()), mismatch_key(mismatch(b"a")))


def test_a_finding_is_model_engine_and_cause() -> None:
    """Its smallest text, its name and its counts are of one run; an explained one is not told by its kind."""
    other = finding_of(b"another", name="y", mismatches=7, controls=3)
    assert finding_key(finding_of()) == finding_key(other)
    for changes in ({"model": GEMMA}, {"engine": "llama.cpp"}, {"quirks": ("collapses_spaces",)}):
        assert finding_key(finding_of()) != finding_key(finding_of(**changes))


def test_a_cause_is_the_same_on_all_models() -> None:
    """It is the engine's."""
    assert cause_key(finding_of()) == cause_key(finding_of(model=GEMMA))
    assert cause_key(finding_of()) != cause_key(finding_of(engine="llama.cpp"))


def test_a_mismatch_is_model_engine_and_question() -> None:
    """Where the text came from and what was answered are of one run."""
    one = mismatch(b"a")
    assert mismatch_key(one) == mismatch_key(replace(one, case=text_case(b"a", origin=Origin("corpus", "x", 1))))
    assert mismatch_key(one) != mismatch_key(replace(one, case=text_case(b"a", parse_special=True)))
    assert mismatch_key(one) != mismatch_key(mismatch(b"a", model=GEMMA))


def test_no_two_findings_of_a_report_share_a_key(report: Report) -> None:
    """What nothing tells apart is numbered."""
    found = [*report.findings, *report.findings]
    assert len(found) == len(set(finding_keys(found)))
    assert f"{finding_key(found[0])}-2" in finding_keys(found)
