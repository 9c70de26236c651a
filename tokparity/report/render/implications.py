"""What a user notices of a finding: observations, each with its implication."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokparity.behaviour import Stage, stages
from tokparity.finding import Finding
from tokparity.outcome import Failure
from tokparity.questions import Render
from tokparity.report.render.causes import Reason
from tokparity.report.render.markup import cell
from tokparity.report.render.pseudocode import STAGES
from tokparity.report.render.symptoms import Symptoms


def _affected(finding: Finding, seen: Symptoms) -> str:
    """The share of texts, with what it may be at most where mismatches of the same kinds were only counted."""
    least, most = (_per_cent(n / seen.compared) for n in (finding.mismatches, finding.mismatches + finding.unexamined))
    return f"at least {least}, at most {most}" if finding.unexamined else least


def noticed(finding: Finding, known: Sequence[Reason], seen: Symptoms) -> Iterator[str]:
    """A table of observations and what each implies."""
    rows = [*_observations(finding, known, seen)]
    if rows:
        yield from ("| observation | implication |", "|---|---|")
        yield from (f"| {observation} | {implication} |" for observation, implication in rows)


def _observations(finding: Finding, known: Sequence[Reason], seen: Symptoms) -> Iterator[tuple[str, str]]:
    where = "Where this is the cause: " if finding.status == "in part" else ""
    for number, part in enumerate(known):
        if part.symptom:
            yield f"{where}{cell(part.symptom)}", _implication(part, number == 0)
    if isinstance(finding.smallest.actual, Failure):
        yield f"No answer: {cell(finding.smallest.actual.message)}", "Whoever sends such a text stops the engine."
        return
    if seen.texts and seen.sides_differ:
        tokens = f"{seen.tokens_actual:.1f} tokens for each affected text, {seen.tokens_expected:.1f} are right"
        yield tokens, "The model reads other tokens than those that it was trained with, and no error is raised."
        if seen.bytes_expected != seen.bytes_actual:
            share = f"{_per_cent(seen.bytes_actual)} are byte tokens, {_per_cent(seen.bytes_expected)} is right"
            yield share, "Pieces that the vocabulary has are not found."
    if seen.compared and not finding.smallest.difference.law:
        yield (
            f"{_affected(finding, seen)} of all compared texts are affected",
            "Many of these texts are made to break tokenizers; the share in your texts differs.",
        )
    if isinstance(finding.smallest.case.question, Render):
        return  # the scripts are those of the names of fields
    for heading, counts in (("script", seen.scripts), ("corpus or generator", seen.origins)):
        if len(counts) > 1 or (counts and heading == "script"):
            listed = ", ".join(f"{cell(name)} {count:,}" for name, count in counts[:10])
            dots = " ..." if len(counts) > 10 else ""
            yield f"Affected texts by {heading}: {listed}{dots}", _spread(heading, len(counts))


def _spread(heading: str, kinds: int) -> str:
    if kinds == 1:
        return f"Texts of one {heading} show it."
    several = {"script": "scripts", "corpus or generator": "corpora and generators"}[heading]
    return f"Texts of {kinds} {several} show it: no single {heading} is to blame."


def _implication(part: Reason, first: bool) -> str:
    """What the stage that a quirk belongs to says about where to look."""
    stage = stages().get(part.field)
    if stage is None:
        return "The engine's file is wrong, not its code."
    of_weights = first and stage not in (Stage.PROMPTS, Stage.SPANS, Stage.STREAMING)
    weights = "The weights are sound: wrong weights give garbage. " if of_weights else ""
    return f"{weights}Look at {STAGES[stage]}."


def _per_cent(share: float) -> str:
    return f"{100 * share:.1f} %"
