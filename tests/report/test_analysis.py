"""The regression analysis: its sections, both rows of ids, and nothing in it that acts."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from reports import GEMMA, RIGHT, WRONG, mismatch
from tokparity.finding import Finding, RuledOut
from tokparity.outcome import Encoding
from tokparity.questions import Encode
from tokparity.report.model import Report
from tokparity.report.render.analysis import analysis
from tokparity.report.render.symptoms import script, symptoms, symptoms_of

PAGE = Path(__file__).parents[2] / "reports" / "gemma-3-regression.md"
SECTIONS = (
    "Summary",
    "What a user notices",
    "Root cause",
    "Token ids side by side",
    "Fix",
    "How sure",
    "Reproduce",
    "Prevent",
    "Links",
)


def explained(report: Report) -> Finding:
    """A finding with everything that an analysis shows."""
    found = next(f for f in report.findings if f.engine == "tokenizers")
    return replace(
        found,
        status="ambiguous",
        quirks=("omits_space_prefix",),
        alternatives=(("strips_text",),),
        controls=200,
        verified=19,
        ruled_out=(RuledOut(("collapses_spaces",), 3, 41, Encode(b"`a`|\xff")),),
        separating=Encode(b"<b>\n`"),
        context=(("tokenizer.ggml.pre", "<i>`x`|y"),),
    )


def test_it_has_all_sections(report: Report) -> None:
    """In their order, with the quirk's words."""
    lines = list(analysis(report, explained(report)))
    assert list(SECTIONS) == [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    text = "\n".join(lines)
    assert (
        "the cause predicts 19 of 19 wrong answers (shortened texts included), and changes none of 200 right answers"
        in text
    )
    assert "Fits as well: `strips_text`" in text
    assert "Ruled out: `collapses_spaces` predicts 3 of 41 wrong answers" in text


def test_the_fix_names_the_flags_of_the_file(report: Report) -> None:
    """A flag that the file has about the cause is the last step of the fix, with its value."""
    context = (("tokenizer.ggml.pre", "gpt-2"), ("tokenizer.ggml.add_space_prefix", "False"))
    text = "\n".join(analysis(report, replace(explained(report), context=context)))
    assert "2. Obey what the model's file says: `tokenizer.ggml.add_space_prefix` is false." in text
    assert "Obey what" not in "\n".join(analysis(report, explained(report)))


def test_what_is_known_or_accepted_fails_nothing_in_ci(report: Report) -> None:
    """`check` passes while such a finding is there, and the page does not say that it fails."""
    new = replace(explained(report), known="", accepted=False)
    fails = "This command fails in CI while the finding is there:"
    assert fails in "\n".join(analysis(report, new))
    for word, settled in (("known", replace(new, known="why")), ("accepted", replace(new, accepted=True))):
        text = "\n".join(analysis(report, settled))
        assert f"The finding is {word}, so this command passes in CI. It fails for any other finding:" in text
        assert fails not in text


def test_ids_are_side_by_side(report: Report) -> None:
    """Both rows whole, and a table that marks the first difference."""
    text = "\n".join(analysis(report, explained(report)))
    assert f"sentencepiece: {list(RIGHT.ids)} (5 ids)" in text
    assert f"tokenizers: {list(WRONG.ids)} (4 ids)" in text
    assert "| **4: first difference** | 2 | " in text


def test_nothing_in_it_acts(report: Report) -> None:
    """Names, texts and metadata are text in Markdown as well as in HTML."""
    odd = replace(explained(report), model=GEMMA, engine="=evil*x*")
    for finding in (explained(report), odd, *report.findings):
        for line in analysis(report, finding, examples=[mismatch(b"<script>alert(1)</script>\n# x `y` |z|")]):
            if not line.startswith("    "):
                assert "<" not in re.sub("`[^`]*`", "", line)
                assert line.isprintable()


def test_an_unexplained_finding_says_so(report: Report) -> None:
    """With its nearest miss, without a fix."""
    found = replace(report.findings[0], nearest="omits_bos explains 37 of 41")
    text = "\n".join(analysis(report, found))
    assert "The nearest explanation: omits\\_bos explains 37 of 41." in text
    assert "## Fix" not in text


def test_symptoms_are_counted(report: Report) -> None:
    """Tokens per text and bytes among them, over the members of the finding."""
    both = mismatch(b"ab", expected=Encoding((1, 2)), actual=Encoding((1, 3, 4)), pieces=())
    both = replace(both, expected_pieces=(b"a", b"b"), actual_pieces=(b"a", b"<0x62>", b"<0x63>"))
    finding = replace(report.findings[0], name="x", model=both.model, engine=both.engine, mismatches=1)
    found = symptoms(replace(report, mismatches=(both,), members={(both.model, "x"): (0,)}), finding)
    assert (2.0, 3.0) == (found.tokens_expected, found.tokens_actual)
    assert (0.0, 2 / 3) == (found.bytes_expected, found.bytes_actual)
    assert [("Latin", 1)] == list(found.scripts)


@pytest.mark.parametrize(
    ("text", "name"),
    [("hello", "Latin"), ("привет a", "Cyrillic"), ("日本", "Cjk"), ("123 !", "no letters"), ("", "no letters")],
)
def test_scripts(text: str, name: str) -> None:
    """The script most letters belong to."""
    assert name == script(text.encode())


def test_the_gemma_3_page_says_what_it_must() -> None:
    """Both rows of ids, 10 against 6, what 669 is, the quirks, whose ids they are and how many are reproduced."""
    text = PAGE.read_text(encoding="utf-8")
    assert "[2, 669, 270, 5279, 270, 529, 270, 7001, 270, 563] (10 ids)" in text
    assert "[2, 818, 5279, 529, 7001, 563] (6 ids)" in text
    assert '669 is "▁The"' in text
    assert "10 tokens instead of 6" in text
    assert (
        "The cause is `greedy_longest_match_with_marker` + `hides_added_tokens` + `skips_preprocessing`: with it, the "
        "reference tokenizer returns exactly what" in text
    )
    assert "the Rust GGUF tokenizer of the published Gemma 3 regression analysis" in text
    assert "| gemma3-engine.gemma-4.jsonl.gz | 3000 | 827 | 2999 | 3000 | 1191 |" in text
    assert "| gemma3-engine.llama-spm.jsonl.gz | 3000 | 311 | 3000 | 3000 | 604 |" in text


def test_the_gemma_3_script_says_what_it_needs() -> None:
    """Without the recordings it writes nothing and names them."""
    script = PAGE.parents[1] / "scripts" / "gemma_3_regression.py"
    before = PAGE.read_bytes()
    found = subprocess.run([sys.executable, str(script), "."], capture_output=True, text=True, check=False)
    assert 1 == found.returncode
    assert "gemma3-engine.gemma-4.jsonl.gz and gemma3-engine.llama-spm.jsonl.gz" in found.stderr
    assert before == PAGE.read_bytes()


def test_what_was_only_counted_may_be_affected_as_well(report: Report) -> None:
    """The share of the stored mismatches alone would say that hardly anything is wrong."""
    compared = symptoms(report, report.findings[0]).compared
    finding = replace(report.findings[0], mismatches=1, unexamined=compared // 2)
    text = "\n".join(analysis(report, finding))
    least, most = (f"{100 * cases / compared:.1f} %" for cases in (1, 1 + compared // 2))
    assert f"| at least {least}, at most {most} of all compared texts are affected |" in text


def test_a_cause_in_part_is_said_with_its_reserve(report: Report) -> None:
    """Not only its fix: what is left unexplained may be what all comes from."""
    found = replace(report.findings[0], quirks=("keeps_case",), status="in part")
    text = "\n".join(analysis(report, found))
    assert 2 == text.count("This cause is in part: something is left that this cause does not explain.")
    assert "| Where this is the cause: " in text
    assert "in part: something is left" not in "\n".join(analysis(report, replace(found, status="verified")))


def test_texts_that_were_made_smaller_are_not_counted_as_found() -> None:
    """The figures by corpus add up to the texts that the run put, and the proof says which others it was run on."""
    given = mismatch(b"Dear Sir")
    small = replace(given, case=replace(given.case, origin=given.case.origin.smaller()))
    seen = symptoms_of([given, given, small])
    assert ([("unicode-marks", 2)], 1, 2) == (list(seen.origins), seen.smaller, seen.texts)
    assert 1 == symptoms_of([small]).texts


def test_who_judged_is_said_where_it_was_not_the_oracle(report: Report) -> None:
    """The reference judges what the model's oracle cannot express."""
    found = explained(report)
    (pair,) = [pair for pair in report.pairs if (pair.model, pair.engine) == (found.model, found.engine)]
    text = "\n".join(analysis(report, replace(found, oracle="reference")))
    assert f"({pair.oracle}, the oracle, cannot take these texts, so reference was the judge)" in text
