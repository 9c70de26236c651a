"""How sure a cause is, in sentences that the terminal, Markdown and HTML share."""

from __future__ import annotations

from collections.abc import Iterator

from tokparity import quirks
from tokparity.finding import Attacked, Finding
from tokparity.questions.json_text import plain
from tokparity.report.rule import count

_TEXT = 100  # characters of a text that is quoted


def attacked(found: Attacked, what: str) -> str:
    """Say what the engine was run on to refute a cause, texts or streams; empty if it was not run."""
    if not found.asked:
        return ""
    as_predicted = found.asked - found.otherwise
    others = found.asked - found.changes - found.edge
    of = (
        (found.changes, "that the cause changes"),
        (found.edge, "similar ones that it does not"),
        (others, "others"),
    )
    sorts = ", ".join(f"{number:,} {sort}" for number, sort in of if number > 0)
    fresh = ", in a fresh process," if found.fresh else ""
    asked = count(found.asked, f"new {what}")
    return f"the engine{fresh} answered {as_predicted:,} of {asked} as predicted: {sorts}"


def reserve(finding: Finding) -> str:
    """Why a fix may not be all that is to be done; empty where the cause is verified, and where there is none."""
    if not finding.quirks or finding.status == "verified":
        return ""
    if finding.status == "in part":
        return "in part: something is left that this cause does not explain"
    if finding.status == "ambiguous":
        return "ambiguous: other causes predict the same answers"
    return "reproduced, not verified: too few new texts could be put to the engine"


def proof(finding: Finding) -> Iterator[str]:
    """The sentences on a cause, without a point at the end."""
    if not finding.quirks:
        return
    of = f"{finding.verified:,} of {finding.verified:,} wrong answer{'' if finding.verified == 1 else 's'}"
    shortened = " (shortened texts included)" if finding.verified > finding.mismatches else ""
    yield f"the cause predicts {of}{shortened}, and changes none of {count(finding.controls, 'right answer')}"
    of_streams = not {quirk.name for quirk in quirks.of_streams()}.isdisjoint(finding.quirks)
    told = attacked(finding.attacked, "stream" if of_streams else "text")
    if told:
        otherwise = finding.attacked.otherwise if finding.status == "verified" else 0
        yield f"{told}; other findings predict the other {otherwise:,}" if otherwise else told
    if finding.rest is not None:
        text = plain(finding.rest.question.literal)[:_TEXT]
        if finding.rest.mismatches:
            more = count(finding.rest.mismatches, "similar wrong answer")
            yield f"in part: the cause does not predict {more}; the shortest text is {text}"
        else:
            yield f"in part: on similar texts the engine answers otherwise; the shortest is {text}"
    elif but := reserve(finding):
        yield but


def fix(finding: Finding, told: str) -> str:
    """A fix with its reserve."""
    but = reserve(finding)
    return f"{told} ({but})" if but and told else told
