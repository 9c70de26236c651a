"""The regression analysis of one finding, as Markdown that can be pasted into an issue.

Its shape: summary, symptoms, root cause, token ids side by side, evidence, fix, how to check, links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tokparity.finding import Finding, Mismatch
from tokparity.outcome import Encoding, Failure
from tokparity.questions import Question
from tokparity.questions.json_text import literal
from tokparity.questions.shell import command_line
from tokparity.report import votes
from tokparity.report.model import Report
from tokparity.report.render.causes import Part, parts, title, told
from tokparity.report.render.command import reproduce
from tokparity.report.render.markup import cell, coded, indented
from tokparity.report.render.proof import fix, proof
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
    yield from (f"{head} {cell(finding.engine)} on {cell(finding.model)}: {cell(title(finding))}", "")
    for heading, lines in (
        ("Summary", _summary(finding, known, seen)),
        ("Symptoms", _symptoms(finding, known, seen)),
        ("Root cause", _cause(finding, known)),
        ("Token ids side by side", _side_by_side(shown)),
        ("Evidence", _evidence(finding)),
        ("Fix", _fix(finding, known)),
        ("How to check", _check(report, finding, shown[-1])),
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


def _summary(finding: Finding, known: Sequence[Part], seen: Symptoms) -> Iterator[str]:
    affected = f"{seen.affected} of {seen.compared} texts" if seen.compared else f"{finding.mismatches} texts"
    least = "at least " if finding.unexamined else ""
    yield (
        f"On {least}{affected} that were put to both, {cell(finding.engine)} does not give what "
        f"{cell(_judge(finding, seen))}, gives."
    )
    if finding.quirks:
        names = " + ".join(f"`{name}`" for name in finding.quirks)
        yield (
            f"The reference tokenizer with {names} gives exactly what the engine gives, on all {finding.verified} "
            f"mismatches it was run on{_smaller(seen)}, and changes none of {finding.controls} cases that were right. "
            f"Status: {finding.status}."
        )
    elif finding.why_unexplained:
        yield cell(finding.why_unexplained) + "."
    else:
        yield "No known quirk, and no set of them that was tried, gives what the engine gives."
    if finding.votes:
        yield f"On the smallest text: {cell(votes.told(finding))}."
    if finding.known:
        engine = cell(finding.engine)
        yield f"{engine} itself differs here, as it does for every model of this kind: {cell(finding.known)}."
    if finding.accepted:
        yield f"This is accepted for this model: {cell(finding.reason)}."


def _judge(finding: Finding, seen: Symptoms) -> str:
    if seen.oracle in ("", finding.oracle):
        return f"{finding.oracle}, the oracle of {finding.model}"
    return f"{finding.oracle}, which judges what {seen.oracle}, the oracle of {finding.model}, is not asked"


def _smaller(seen: Symptoms) -> str:
    return f" ({seen.smaller} of them texts that were made smaller)" if seen.smaller else ""


def _affected(finding: Finding, seen: Symptoms) -> str:
    """The share of texts, with what it may be at most where mismatches of the same kinds were only counted."""
    least, most = (_per_cent(n / seen.compared) for n in (seen.affected, seen.affected + finding.unexamined))
    return f"at least {least}, at most {most}" if finding.unexamined else least


def _symptoms(finding: Finding, known: Sequence[Part], seen: Symptoms) -> Iterator[str]:
    where = "Where this is the cause: " if finding.status == "in part" else ""
    yield from (f"- {where}{cell(part.symptom)}" for part in known if part.symptom)
    if isinstance(finding.smallest.actual, Failure):
        yield f"- The engine gives no ids: {cell(finding.smallest.actual.message)}"
        return
    if seen.texts:
        tokens = f"{seen.tokens_expected:.1f} expected, {seen.tokens_actual:.1f} from the engine"
        yield f"- Tokens per affected text: {tokens}"
        yield (
            f"- Share of byte tokens: {_per_cent(seen.bytes_expected)} expected, "
            f"{_per_cent(seen.bytes_actual)} from the engine"
        )
    if seen.compared:
        yield f"- Texts affected: {_affected(finding, seen)}"
    for heading, counts in (("script", seen.scripts), ("corpus or generator", seen.origins)):
        if counts:
            shown = ", ".join(f"{cell(name)} {count}" for name, count in counts[:10])
            yield f"- Affected texts by {heading}: {shown}" + (" ..." if len(counts) > 10 else "")


def _cause(finding: Finding, known: Sequence[Part]) -> Iterator[str]:
    for part in known:
        flip = f" (`{part.quirk}`, the field `{part.field}` of the behaviour)" if part.quirk else ""
        yield f"**{cell(part.title)}**{flip}. {cell(fix(finding, part.cause))}"
        if not part.quirk and not finding.wrong_keys:
            yield (
                "`tokparity lint` lists where the two differ; what is told below sets the smallest text right alone, "
                "or, if nothing does, is everything."
            )
        yield ""
    if not finding.quirks:
        yield f"Unexplained. The nearest explanation: {cell(finding.nearest)}." if finding.nearest else "Unexplained."
    yield from (f"- {cell(sentence)}" for sentence in told(finding))
    if finding.context:
        yield "What the model's file says about it:"
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
            yield from indented(f"{literal(name)[1:-1]}: {lines[0]}")
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


def _evidence(finding: Finding) -> Iterator[str]:
    if finding.quirks:
        yield (
            f"- {finding.verified} of {finding.verified} mismatches reproduced, id by id"
            f"; {finding.controls} controls unchanged. Status: {finding.status}, {finding.cases}."
        )
        yield from (f"- {cell(sentence[0].upper() + sentence[1:])}." for sentence in list(proof(finding))[1:])
    else:
        yield f"- Status: {finding.status}, {finding.cases}."
    for alternative in finding.alternatives:
        yield f"- Fits as well: {' + '.join(f'`{name}`' for name in alternative)}"
    if finding.separating is not None:
        yield f"- A text that would tell them apart: `{_quoted(finding.separating)}`"
    for ruled_out in finding.ruled_out:
        names = " + ".join(f"`{name}`" for name in ruled_out.quirks)
        gives = f"gives {ruled_out.explains} of {ruled_out.tried} mismatches"
        yield f"- Ruled out: {names} {gives}, but fails on `{_quoted(ruled_out.question)}`"


def _fix(finding: Finding, known: Sequence[Part]) -> Iterator[str]:
    yield from (f"- {coded(fix(finding, part.fix), 'tokparity doctor')}" for part in known)


def _check(report: Report, finding: Finding, example: Mismatch) -> Iterator[str]:
    yield from indented(reproduce(report, example))
    if finding.engine in report.header.recordings:
        return
    words = report.header.arguments.get(finding.model, (finding.model,))
    yield from indented(f"tokparity check {command_line(words)} --engine {command_line([finding.engine])}")


def _links(known: Sequence[Part]) -> Iterator[str]:
    yield from (f"- {link}" for link in dict.fromkeys(link for part in known for link in part.links))


def _quoted(question: Question) -> str:
    """A question as a JSON literal, between back-quotes."""
    return spelled(question, 80).replace("`", "\\u0060")


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"
