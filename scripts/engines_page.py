"""Writes docs/engines.md from reports of `tokparity run`: how the engines from wheels and npm differ.

tokparity run --engine kitoken --engine tokie ... --out DIR
python scripts/engines_alone.py DIR/report.jsonl ... > alone.jsonl
python scripts/engines_page.py alone.jsonl DIR/report.jsonl ...

The section of an engine that no report is about stays as it is.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tokparity.engines.environment.released import RELEASED
from tokparity.finding import Finding
from tokparity.questions.json_text import plain
from tokparity.report.file import read
from tokparity.report.model import Pair, Report
from tokparity.report.render.markup import cell
from tokparity.report.render.visible import spelled

PAGE = Path(__file__).parent.parent / "docs" / "engines.md"
HEAD = """# Engines from wheels and from npm

Each engine runs in an environment of its own. The environment is made when you name the engine (`--engine kitoken`, or
another version: `--engine kitoken@0.10.1`). Nothing is installed unless you name it. Questions that an engine cannot
answer are unsupported and are not counted. An engine that always recognizes special tokens is run only on texts that
contain none. If an engine does not open a model, the page quotes its message.

`scripts/engines_page.py` writes this page from reports of `tokparity run`; nobody edits it. A run of a wheel had every
model that was known then, all corpora and 4,000 random texts per model. The engines of npm had 19 models and 200 random
texts per model. On gpt-2, gpt-4o, llama-spm, bert-bge, small-unigram and small-wordpiece they had all corpora. On the
other models a run ended after 60 seconds, so fewer cases were compared. bpe-qwen had qwen2 alone, for it has Qwen's
pattern. [Faults of released engines](found.md) has more of them. *Equal* models have no case that differs.

A cause has a name if the reference tokenizer with exactly this change returns what the engine returns. Its status is
one of three:

- *verified*: it also predicted the answers to new texts that were made to refute it,
- *reproduced*: there was too little to make such texts from,
- *in part*: it explains some of the cases that look alike.

*Alone* says whether a short script with only the engine's library shows the same. `scripts/engines_alone.py` ran these
scripts; there are none for engines of npm. Where no cause has a name, the page says what the failing texts or the
answers have in common. If nothing was found, it says what the first difference looks like.
"""
_SHOWN = 60  # bytes of a text
_NAME = re.compile(r"\b[a-z0-9]+(?:\\_[a-z0-9]+)+\b")
_ORDER = ("verified", "reproduced", "in part")

Found = tuple[Finding, Pair]


def main(alone: str, paths: Sequence[str]) -> None:
    """Write the page anew."""
    reports = [read(Path(path)) for path in paths]
    lines = [json.loads(line) for line in Path(alone).read_text(encoding="utf-8").splitlines()]
    shown = {(line["engine"], line["model"], *line["quirks"]): line["alone"] for line in lines}
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), reports, shown), encoding="utf-8")


def page(old: str, reports: Sequence[Report], alone: Mapping[tuple[str, ...], str]) -> str:
    """The page: a section of each engine from the reports, else the old one."""
    known = {text.partition(":")[0]: f"## {text.rstrip()}\n\n" for text in old.split("\n## ")[1:]}
    made = {engine: "".join(f"{line}\n" for line in section(engine, reports, alone)) for engine in RELEASED}
    sections = (made[engine] or known.get(engine, "") for engine in RELEASED)
    return f"{HEAD}\n{''.join(sections)}".rstrip() + "\n"


def section(engine: str, reports: Sequence[Report], alone: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """What the reports say of one engine."""
    last = {pair.model: (pair, report) for report in reports for pair in report.pairs if pair.engine == engine}
    if not last:
        return
    pairs = [pair for pair, _ in last.values()]
    yield f"## {engine}: {cell(next((pair.version for pair in pairs if pair.version), 'not opened'))}\n"
    equal = sorted(pair.model for pair in pairs if pair.compared and not pair.found)
    yield f"Equal on {len(equal)} of {len(pairs)} models{': ' if equal else ''}{_code(', '.join(equal))}.\n"
    yield from _refused(pairs)
    found = [(one, pair) for pair, report in last.values() for one in report.findings_of(pair.model, engine)]
    yield from _causes([(one, pair) for one, pair in found if one.quirks], alone)
    yield from _unexplained([(one, pair) for one, pair in found if not one.quirks])


def _refused(pairs: Sequence[Pair]) -> Iterator[str]:
    """The models that were not opened, by the reason."""
    reasons: defaultdict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        if pair.unavailable:
            reasons[_clear(pair.unavailable)].append(pair.model)
    for reason, models in reasons.items():
        yield f"- Not opened: {_code(', '.join(sorted(models)))}. The message: {_code(reason)}"
    if reasons:
        yield ""


def _clear(words: str) -> str:
    """Why it was not opened: how its words begin, and how they end."""
    words = words.partition(": it cannot open the model: ")[2] or words
    return plain(words if len(words) <= 240 else f"{words[:100]} ... {words[-130:]}")


def _code(words: str) -> str:
    """Words as code, in which Markdown changes nothing; empty words stay empty."""
    return f"`{words.replace('`', chr(39))}`" if words else ""


def _sentences(said: str) -> str:
    """Each part of what is said as a sentence, and names of quirks as code."""
    parts = (part[:1].upper() + part[1:] for part in said.split("; "))
    return _NAME.sub(lambda name: _code(name[0].replace(chr(92), "")), cell(". ".join(parts) + "."))


def _causes(found: Sequence[Found], alone: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    """A row for each cause, with all models that show it."""
    causes: defaultdict[tuple[str, tuple[str, ...]], list[Found]] = defaultdict(list)
    for finding, pair in found:
        causes[finding.status, finding.quirks].append((finding, pair))
    if causes:
        yield "| cause | status | models, with failing/compared cases | shortest text | alone |"
        yield "|---|---|---|---|---|"
    for (status, names), members in sorted(causes.items(), key=lambda item: (_ORDER.index(item[0][0]), item[0][1])):
        linked = " + ".join(f"[{_code(name)}](../tokparity/quirks/README.md#{name})" for name in names)
        models = ", ".join(_code(f"{pair.model} {_cases(one, pair, '/')}") for one, pair in members)
        said = {alone.get((one.engine, one.model, *names), "not run") for one, _ in members}
        shown = "yes" if said <= {"same", "same inside"} else cell("; ".join(sorted(said - {"same", "same inside"})))
        yield f"| {linked} | {status} | {models} | {_shortest([one for one, _ in members])} | {shown} |"
    if causes:
        yield ""


def _unexplained(found: Sequence[Found]) -> Iterator[str]:
    """A row for each of those of which something can be said, and one for each model's others."""
    if found:
        yield "| not explained | model | cases | shortest text |"
        yield "|---|---|---|---|"
    others: defaultdict[str, list[Found]] = defaultdict(list)
    for one, pair in found:
        said = "; ".join(trait.sentence for trait in one.character)
        if said:
            yield f"| {_sentences(said)} | {one.model} | {_cases(one, pair)} | {_shortest([one])} |"
        else:
            others[one.model].append((one, pair))
    for model, members in others.items():
        kinds = ", ".join(_code(f"{one.smallest.kind} ({one.mismatches})") for one, _ in members)
        total, text = sum(one.mismatches for one, _ in members), _shortest([one for one, _ in members])
        yield f"| {kinds} | {model} | {total} of {members[0][1].compared} | {text} |"
    if found:
        yield ""


def _cases(finding: Finding, pair: Pair, of: str = " of ") -> str:
    """The number of cases in a finding, and of all that were compared."""
    return f"{finding.mismatches}{of}{pair.compared}" if finding.mismatches else "(in shortened texts only)"


def _shortest(found: Sequence[Finding]) -> str:
    """The shortest text of all, as code in a table."""
    question = min((one.smallest.case.question for one in found), key=lambda question: question.size)
    return _code(spelled(question, _SHOWN)).replace("|", r"\|")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
