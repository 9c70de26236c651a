"""What a cause was held against, in sentences: the same in the terminal, in Markdown and on the page."""

from __future__ import annotations

from collections.abc import Iterator

from tokparity.finding import Attacked, Finding
from tokparity.questions.json_text import plain
from tokparity.report.rule import count

_TEXT = 100  # characters of a text that is quoted


def attacked(found: Attacked) -> str:
    """What was put to the engine to refute a cause; empty if nothing was."""
    if not found.asked:
        return ""
    others = found.asked - found.changes - found.edge
    more = f", and on {count(others, 'other')}" if others > 0 else ""
    asked = f"asked on {count(found.changes, 'text')} that this changes, and on {found.edge} next to its edge{more}"
    said = f"on {found.otherwise} of these the engine does otherwise" if found.otherwise else "all are as this says"
    return f"{asked}{', in a fresh process' if found.fresh else ''}: {said}"


def reserve(finding: Finding) -> str:
    """Why a fix may not be all that is to be done; empty where the cause is verified, and where there is none."""
    if not finding.quirks or finding.status == "verified":
        return ""
    if finding.status == "in part":
        return "this fits in part: what is left has another cause, which may be that of all"
    if finding.status == "ambiguous":
        return "this is one of several causes that fit"
    return "this fits what is known, and was not attacked with enough that was made to refute it"


def proof(finding: Finding) -> Iterator[str]:
    """The sentences on a cause, without a point at the end."""
    if not finding.quirks:
        return
    reproduced = count(finding.verified, "mismatch", "mismatches")
    yield f"reproduces {reproduced}, and leaves {count(finding.controls, 'right case')} alone"
    told = attacked(finding.attacked)
    if told:
        yield told
    if finding.rest is not None:
        text = plain(finding.rest.question.literal)[:_TEXT]
        if finding.rest.mismatches:
            like = count(finding.rest.mismatches, "more mismatch", "more mismatches")
            yield f"fits in part: it does not explain {like} like these, the shortest {text}"
        else:
            yield f"fits in part: the engine does otherwise on texts like these, the shortest {text}"
    elif reserve(finding):
        yield reserve(finding)


def fix(finding: Finding, told: str) -> str:
    """A fix with its reserve."""
    but = reserve(finding)
    return f"{told} ({but})" if but and told else told
