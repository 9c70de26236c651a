"""The verdict on a report: one sentence and an exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tokparity.finding import Finding
from tokparity.questions import Encode, Render, Spans, Stream
from tokparity.questions.json_text import plain
from tokparity.report.compared_files import compared, unopened
from tokparity.report.extent import Put
from tokparity.report.model import FileFault, Pair, Report
from tokparity.report.rule import Facts, Progress, count, judge

Result = Literal["equal", "known", "new", "none"]

_KEYS = 3  # of accepted ones that are named in the sentence


@dataclass(frozen=True)
class Verdict:
    """`result` is "equal", "known" (all that differs is known or accepted), "new" (something is not, or has vanished),
    or "none": nobody can say. `sentence` tells it to somebody who has never seen a report; where something is known or
    accepted, it ends with `known`, which says what. It names `command`, if there is one, between back-quotes."""

    result: Result
    sentence: str
    known: str = ""
    command: str = ""

    @property
    def exit_code(self) -> int:
        """The exit code of `check`: 0, 1, or 3 if there is no verdict."""
        return {"equal": 0, "known": 0, "new": 1, "none": 3}[self.result]


def verdict(report: Report) -> Verdict:
    """What the report comes to, as the rule has it: what is wrong is said also where not all could be compared."""
    findings = _new(report, [finding for finding in report.findings if finding.is_new])
    known = _known(report.findings, report.faults)
    found = judge(_facts(report, findings, known))
    if found.answer == "wrong":
        command = findings.command if found.sentence == findings.sentence else found.command
        return Verdict("new", found.sentence, command=command)
    if found.answer != "right":
        return Verdict("none", found.sentence)
    return Verdict("known" if known else "equal", found.sentence, known)


def _facts(report: Report, findings: Findings, known: str) -> Facts:
    """What the report holds that the rule asks for."""
    undiagnosed = _undiagnosed(report.findings)
    if report.footer is None or report.footer.ended == "interrupted":
        how = "the run was cut short" if report.footer is None else "the run was interrupted"
        away = [f"{how}{undiagnosed}; what was found until then is in the report"]
    else:
        away = [*why_none(report), *([f"time was up{undiagnosed}"] if undiagnosed else [])]
    asked = report.header.asked
    is_asked = (not asked or Encode.KIND in asked) and not any(fault.reason for fault in report.faults)
    files, cases = compared(report) if is_asked else ((), 0)
    is_late = report.footer is not None and report.footer.ended == "time"
    return Facts(
        keys=(*report.faults, *report.unsaid),
        findings=(findings.sentence,) if findings.sentence else (),
        away=away,
        files=files,
        cases=count(cases, "case"),
        unopened=unopened(report) if is_asked else (),
        known=known,
        is_late=is_late,
        by_laws=_judges_itself(report),
        probes=_progress(report, lambda put: (put.probes, put.of_probes)),
        texts=_progress(report, lambda put: (put.texts, put.of)) if is_late else None,
    )


def _progress(report: Report, counts: Callable[[Put], tuple[int, int | None]]) -> Progress | None:
    """How much of something was put to all models together; None where the report does not count it."""
    if not report.puts:
        return None
    put, of = zip(*map(counts, report.puts), strict=True)
    return Progress(sum(put), None if None in of else sum(of))


@dataclass(frozen=True)
class Findings:
    """What is new or has vanished, in a sentence, or nothing; `command` brings the user's list up to date."""

    sentence: str = ""
    command: str = ""


def _new(report: Report, new: Sequence[Finding]) -> Findings:
    parts, vanished = [], report.vanished
    if not new and not vanished:
        return Findings()
    if new:
        parts.append(f"{count(len(new), 'new finding')}: {_pairs(new)}")
    if vanished:
        were = "was" if len(vanished) == 1 else "were"
        parts.append(f"{count(len(vanished), 'finding')} that {were} known or accepted did not occur")
    # A known model has a list of its own, which is not for the user to change, and no place in the header.
    listed = any(one.entry is not None and one.model in report.header.places for one in vanished)
    command = "tokparity check --update" if listed else ""
    end = f"; if that is as it should be, `{command}` brings the list up to date." if listed else "."
    sentence = plain("; ".join(parts) + end).replace(parts[0][0], parts[0][0].upper(), 1)
    return Findings(sentence + ("" if vanished else _inexpressible(new)), command)


def _inexpressible(new: Sequence[Finding]) -> str:
    """That no file of its format could do better, where all that is new comes from that."""
    told = list(dict.fromkeys(finding.inexpressible for finding in new))
    if not told or not all(told):
        return ""
    part = "Part of this, if not all, no change of the file can mend"  # another fault may hide behind it
    other = " If the model has a .model file, compare with that (--sentencepiece)." if _could_have_scores(new) else ""
    return f" {part}: {plain('; '.join(told))}.{other}"


def _could_have_scores(new: Sequence[Finding]) -> bool:
    """Whether a GGUF was held against a tokenizer.json; SentencePiece's own file is nearer to what a GGUF can say."""
    return {(finding.engine, finding.oracle) for finding in new} == {("llama.cpp", "tokenizers")}


def _undiagnosed(findings: Sequence[Finding]) -> str:
    """Of which mismatches nobody can say whether they are new; empty where there are none."""
    left = [finding for finding in findings if finding.is_open]
    mismatches = sum(finding.mismatches for finding in left)
    least = "at least " if any(finding.unexamined for finding in left) else ""
    told = least + count(mismatches, "mismatch", "mismatches")
    return plain(f" before the cause of {told} was found ({_pairs(left)})") if left else ""


def _pairs(findings: Sequence[Finding]) -> str:
    """Whom the findings are about."""
    pairs = sorted({f"{finding.engine} on {finding.model}" for finding in findings})
    return ", ".join(pairs[:3]) + (f" and {len(pairs) - 3} more" if len(pairs) > 3 else "")


def why_none(report: Report) -> list[str]:
    """Why nobody can say whether anything is right; empty where somebody can."""
    return list(_no_verdict(report))


def no_source(model: str) -> str:
    """That there is nothing to hold a model's file against, and what to do about it."""
    return (
        f"no independent source: all that is known of {model} comes from the file itself, so this can't tell whether "
        "the file is right; add --tokenizer-json or --sentencepiece"
    )


def _no_verdict(report: Report) -> Iterator[str]:
    for model in report.models():
        pairs = [pair for pair in report.pairs if pair.model == model]
        oracle = next((pair for pair in pairs if pair.engine == pair.oracle), None)
        needed = [pair for pair in pairs if pair.compared or pair.rows_put or pair.engine in report.header.demanded]
        away = [pair for pair in needed if pair.unavailable and not pair.is_oracle]
        if oracle is not None and oracle.unavailable:
            yield f"{oracle.engine}, the oracle of {model}, could not be run ({oracle.unavailable})"
        elif away:
            yield from (f"{pair.engine} could not be run on {model} ({pair.unavailable})" for pair in away)
        elif not any(pair.compared or pair.rows_put for pair in pairs if _is_judged(report, pair)):
            yield f"nothing was compared on {model}"
        elif silent := [pair for pair in needed if not (pair.compared or pair.rows_put)]:
            yield from (f"{pair.engine} can answer nothing that was asked on {model}" for pair in silent)
        elif not any(pair.independent for pair in pairs) and not _judges_itself(report):
            yield no_source(model)
        yield from _not_compared([pair for pair in pairs if pair not in away])
    if not report.pairs:
        yield "; ".join(map(str, report.refused)) or "nothing was compared"


def _judges_itself(report: Report) -> bool:
    """Whether nothing was asked that the oracle judges: the reference judges spans and prompts, laws judge streams."""
    return bool(report.header.asked) and {*report.header.asked} <= {Stream.KIND, Spans.KIND, Render.KIND}


def _is_judged(report: Report, pair: Pair) -> bool:
    """Whether an engine could be wrong: the oracle is right by definition, but for its streams and spans."""
    return not pair.is_oracle or _judges_itself(report)


def _not_compared(pairs: Sequence[Pair]) -> Iterator[str]:
    """The files of which nobody can say whether they are right, because no engine answered with them."""
    files = [pair for pair in pairs if pair.compares_files]
    for source in dict.fromkeys(pair.source for pair in files):
        own = [pair for pair in files if pair.source == source]
        if any(pair.compared or pair.rows_put for pair in own):
            continue
        lost = next((pair for pair in own if pair.unavailable), None)
        if lost is None:
            yield f"{source} was not compared"
        else:
            yield f"{lost.engine} could not be run with {source} ({lost.unavailable})"


def _known(findings: Sequence[Finding], faults: Sequence[FileFault]) -> str:
    """What differs all the same: keys of files, then engine by engine. Empty where nothing does."""
    parts = []
    for file in dict.fromkeys(fault.file for fault in faults):
        keys = [fault.key for fault in faults if fault.file == file]
        parts.append(
            f"{count(len(keys), 'wrong key')} of {file} {_are(len(keys))} accepted ({', '.join(keys[:_KEYS])})"
        )
    for engine in dict.fromkeys(finding.engine for finding in findings):
        own = [finding for finding in findings if finding.engine == engine]
        known = len({quirk for finding in own if finding.known for quirk in finding.quirks})
        accepted = sum(finding.accepted and not finding.is_of_file for finding in own)
        others = sum(not finding.counts and not finding.is_settled for finding in own)
        if known:
            parts.append(f"{engine} has {count(known, 'known deviation')}")
        if accepted:
            parts.append(f"{count(accepted, 'finding')} about {engine} {_are(accepted)} accepted")
        if others:
            told = count(others, "finding")
            parts.append(f"{told} about {engine} {_are(others)} told below, and no fault of the file")
    return plain("; ".join(parts) + ".") if parts else ""


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
