"""The regression analysis of one finding, as Markdown that can be pasted into an issue.

Its shape: summary, what a user notices, root cause, token ids side by side, fix, how sure, reproduce, prevent, links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokparity.difference import PROMPTS
from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding, Failure
from tokparity.questions import Question, Render, Spans
from tokparity.questions.json_text import literal, plain
from tokparity.questions.shell import command_line
from tokparity.report import votes
from tokparity.report.model import Report
from tokparity.report.render.causes import Reason, alternatives, headline, parts, told
from tokparity.report.render.command import reproduce
from tokparity.report.render.implications import noticed
from tokparity.report.render.markup import cell, code, coded, indented
from tokparity.report.render.proof import proof, reserve
from tokparity.report.render.pseudocode import both
from tokparity.report.render.severity import severity
from tokparity.report.render.symptoms import Symptoms, symptoms
from tokparity.report.render.visible import clip, spelled
from tokparity.report.render.window import answers

_ROWS = 40  # of the side-by-side table
_AROUND = 8  # rows before the first difference
_TEXT_BYTES = 400
_WORDS = re.compile(rb"[A-Za-z]+(?: [A-Za-z]+){2,9}")


def analysis(report: Report, finding: Finding, level: int = 1, examples: Sequence[Mismatch] = ()) -> Iterator[str]:
    """The lines of the analysis; headings begin at `level`. Without `examples` the most telling texts are shown."""
    known = parts(finding)
    seen = symptoms(report, finding)
    shown = list(examples) or telling(report, finding)
    head = "#" * level
    yield from (f"{head} {cell(finding.engine)} on {cell(finding.model)}: {cell(headline(finding))}", "")
    for heading, lines in (
        ("Summary", _summary(report, finding, seen)),
        ("What a user notices", noticed(finding, known, seen)),
        ("Root cause" if known else "What the failing texts have in common", _cause(finding, known)),
        ("Token ids side by side", _side_by_side(shown)),
        ("Fix", _fix(finding, known)),
        ("How sure", _how_sure(finding)),
        ("Reproduce", _reproduce(report, shown[-1])),
        ("Prevent", _prevent(report, finding)),
        ("Links", _links(known)),
    ):
        found = list(lines)
        if found:
            yield from (f"{head}# {heading}", "", *found, "")


def telling(report: Report, finding: Finding) -> list[Mismatch]:
    """The smallest mismatch, and the shortest of a few plain words if there is one."""
    members = [report.mismatches[i] for i in report.members.get((finding.model, finding.name), ())]
    plain = [m for m in members if _WORDS.fullmatch(m.case.question.shown)]
    shortest = min(plain, key=lambda m: m.case.question.order, default=finding.smallest)
    return list(dict.fromkeys([finding.smallest, shortest]))


def _members(report: Report, finding: Finding) -> Sequence[Mismatch]:
    return [report.mismatches[i] for i in report.members.get((finding.model, finding.name), ())]


def _summary(report: Report, finding: Finding, seen: Symptoms) -> Iterator[str]:
    least = "at least " if finding.unexamined else ""
    whole = f" of {seen.compared:,}" if seen.compared and not finding.smallest.difference.law else ""
    engine = cell(finding.engine)
    is_prompt = isinstance(finding.smallest.case.question, Render)
    asked = "conversations" if is_prompt else f"texts{_judge(finding, seen)}"
    yield f"{_what(finding, engine)} {least}{finding.mismatches:,}{whole} {asked}."
    if finding.quirks:
        names = " + ".join(f"`{name}`" for name in finding.quirks)
        with_it = (
            f"with it, the reference {'renderer' if is_prompt else 'tokenizer'} returns exactly what {engine} returns"
        )
        yield f"The cause is {names}: {with_it} ({finding.status})."
    elif finding.why_unexplained:
        yield cell(finding.why_unexplained) + "."
    else:
        rule = f" A rule does: {cell(finding.instead)}." if finding.is_predicted else ""
        yield f"No known quirk, and no set of quirks that was tried, predicts these answers.{rule}"
    touched = severity(_members(report, finding))
    yield from [f"The finding {touched}."] if touched else []
    if said := votes.told(finding):
        yield f"On the smallest text: {cell(said)}."
    if finding.known:
        yield f"{engine} does this on every model that has what the cause needs: {cell(finding.known)}."
    if finding.accepted:
        yield f"This finding is accepted for this model: {cell(finding.reason)}."


def _what(finding: Finding, engine: str) -> str:
    if isinstance(finding.smallest.actual, Failure):
        return f"{engine} fails on"
    if finding.smallest.difference.aspect in PROMPTS:
        return f"{engine} makes the wrong prompt of"
    if finding.smallest.difference.law:
        is_spans = isinstance(finding.smallest.case.question, Spans)
        return f"{engine} gives wrong spans on" if is_spans else f"{engine} streams the wrong text on"
    decoding = finding.smallest.difference.is_of_decoding
    return f"{engine} decodes ids to the wrong text on" if decoding else f"{engine} returns wrong ids on"


def _judge(finding: Finding, seen: Symptoms) -> str:
    if seen.oracle in ("", finding.oracle) or finding.smallest.difference.law:
        return ""
    return f" ({cell(seen.oracle)}, the oracle, cannot take these texts, so {cell(finding.oracle)} was the judge)"


def _reserved(finding: Finding) -> Iterator[str]:
    """How far the cause may be relied on, before anything is built on it."""
    if reserve(finding):
        yield from (f"This cause is {cell(reserve(finding))}.", "")


def _cause(finding: Finding, known: Sequence[Reason]) -> Iterator[str]:
    yield from _reserved(finding)
    for part in known:
        flip = f" (`{part.quirk}`)" if part.quirk else ""
        yield f"**{cell(part.title)}**{flip}. {cell(part.cause)}"
        if not part.quirk and not finding.wrong_keys:
            yield "`tokparity lint` lists where the two files differ."
        yield ""
    lines = both(known)
    if lines is not None:
        for name, code in zip(("What the engine does", "What is right"), lines, strict=True):
            yield from (f"{name}:", "", *indented("\n".join(code)), "")
    if not finding.quirks and finding.nearest:
        yield f"The nearest explanation: {cell(finding.nearest)}."
    yield from (f"- {cell(sentence)}" for sentence in told(finding))
    if finding.context:
        is_prompt = isinstance(finding.smallest.case.question, Render)
        yield "What it takes to see it:" if is_prompt else "What the model's file says:"
        yield ""
        yield "| key | value |"
        yield "|---|---|"
        yield from (f"| {cell(key)} | {cell(value)} |" for key, value in finding.context)


def _side_by_side(examples: Sequence[Mismatch]) -> Iterator[str]:
    for mismatch in examples:
        question = mismatch.case.question
        yield f"Text ({', '.join([cell(str(mismatch.case.origin)), *question.remarks])}):"
        yield from ("", *indented(spelled(question, _TEXT_BYTES)), "")
        given = answers(mismatch, 2 * _ROWS, _TEXT_BYTES)
        for name, lines in zip((mismatch.oracle, mismatch.engine), given, strict=True):
            yield from indented(f"{plain(name)}: {lines[0]}")
            yield from (line for more in lines[1:] for line in indented(f"  {more}"))
        yield from ("", *_table(mismatch))


def _table(mismatch: Mismatch) -> Iterator[str]:
    """The ids with their pieces, from shortly before the first difference."""
    expected, actual = mismatch.expected, mismatch.actual
    if mismatch.difference.aspect != "ids" or not isinstance(expected, Encoding) or not isinstance(actual, Encoding):
        return
    first = mismatch.difference.place
    begin = max(first - _AROUND, 0)
    end = min(max(len(expected.ids), len(actual.ids)), begin + _ROWS)
    yield "| | expected id | piece | engine's id | piece |"
    yield "|---|---|---|---|---|"
    for i in range(begin, end):
        left, right = _entry(expected, mismatch.expected_pieces, i), _entry(actual, mismatch.actual_pieces, i)
        mark = f"**{i}: first difference**" if i == first else str(i)
        yield f"| {mark} | {left} | {right} |"
    yield ""


def _entry(encoding: Encoding, pieces: Sequence[bytes], i: int) -> str:
    if i >= len(encoding.ids):
        return " | "
    spelled = cell(literal(clip(pieces[i], 80)[0])) if i < len(pieces) else ""
    return f"{encoding.ids[i]} | {spelled}"


def _how_sure(finding: Finding) -> Iterator[str]:
    if finding.quirks:
        sentences = (cell(one) for one in proof(finding) if one != reserve(finding))
        yield f"{finding.status.capitalize()}: {'; '.join(sentences)}."
    else:
        yield f"Unexplained: {finding.cases}."
    yield ""
    yield from (f"- Fits as well: `{entry}`" for entry in alternatives(finding))
    if finding.separating is not None:
        yield f"- A text on which these causes differ: `{_quoted(finding.separating)}`"
    for ruled_out in finding.ruled_out:
        names = " + ".join(f"`{name}`" for name in ruled_out.quirks)
        predicts = f"predicts {ruled_out.explains} of {ruled_out.tried} wrong answers"
        yield f"- Ruled out: {names} {predicts}, and fails on `{_quoted(ruled_out.question)}`"


def _fix(finding: Finding, known: Sequence[Reason]) -> Iterator[str]:
    if known:
        yield from _reserved(finding)
    steps = [coded(part.fix, "tokparity doctor") for part in known]
    flags = [f"{code(key)} is {value.lower()}" for key, value in finding.context if value in ("True", "False")]
    if known and flags:
        steps.append(f"Obey what the model's file says: {', '.join(flags)}.")
    yield from (f"{number}. {step}" for number, step in enumerate(steps, 1))


def _reproduce(report: Report, example: Mismatch) -> Iterator[str]:
    yield from indented(reproduce(report, example))


_GIVEN = {".gguf": "{gguf}", ".json": "{tokenizer_json}", ".model": "{sentencepiece}", ".tiktoken": "{tiktoken}"}
"""The placeholder of a model's file in the command of an engine, by the end of the file's name."""


def _prevent(report: Report, finding: Finding) -> Iterator[str]:
    """The command for CI that fails while the finding is there; one that is known or accepted fails nothing."""
    if finding.engine in report.header.recordings:
        yield "A recording cannot be checked again. Check the engine itself in CI:"
        suffixes = {Path(name).suffix for name in report.header.models.get(finding.model, ())}
        engine = f"exec:./your-engine {next((_GIVEN[one] for one in _GIVEN if one in suffixes), '{gguf}')}"
    else:
        settled = f"The finding is {finding.standing}, so this command passes in CI. It fails for any other finding:"
        is_settled = finding.standing in ("known", "accepted")
        yield settled if is_settled else "This command fails in CI while the finding is there:"
        engine = finding.engine
    words = report.header.arguments.get(finding.model, (finding.model,))
    asked = (finding.smallest.case.question.KIND,) if finding.smallest.difference.law else report.header.asked
    kinds = f" --ask {','.join(asked)}" if {*asked} - {"encode", "decode"} else ""
    yield from ("", *indented(f"tokparity check {command_line(words)} --engine {command_line([engine])}{kinds}"))


def _links(known: Sequence[Reason]) -> Iterator[str]:
    yield from (f"- {link}" for link in dict.fromkeys(link for part in known for link in part.links))


def _quoted(question: Question) -> str:
    """A question as a JSON literal, between back-quotes."""
    return spelled(question, 80).replace("`", "\\u0060")
