"""The report as one self-contained HTML file: no script, no request to anywhere, everything escaped."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from tokparity import quirks
from tokparity.finding import Finding, Mismatch
from tokparity.questions.shell import command_line
from tokparity.quirk import Quirk
from tokparity.report.model import Pair, Report
from tokparity.report.render.command import reproduce
from tokparity.report.render.markdown import share
from tokparity.report.render.strip import Strip, strips, text
from tokparity.report.render.symptoms import Symptoms, symptoms
from tokparity.report.render.visible import Run, code_points
from tokparity.report.verdict import verdict

NAME = "html"
FILES = ("index.html",)
_PER_FINDING = 5
_PER_PAIR = 40
_CODE_POINTS = 16  # of a longer text nobody reads them


@dataclass(frozen=True)
class Card:
    """One mismatch, ready to be shown."""

    mismatch: Mismatch
    text: Sequence[Run]
    hidden_bytes: int
    code_points: str
    expected: Strip
    actual: Strip
    command: str


@dataclass(frozen=True)
class Block:
    """One finding with some of its mismatches."""

    finding: Finding
    causes: Sequence[Quirk]
    seen: Symptoms
    cards: Sequence[Card]
    more: int


@dataclass(frozen=True)
class Section:
    """All that is to be said of one model before one engine."""

    pair: Pair
    anchor: str
    blocks: Sequence[Block]


def render(report: Report, path: Path) -> None:
    """Write one HTML file."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("tokparity.report.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"share": share, "heat": heat, "grouped": lambda n: f"{n:,}".replace(",", "\u202f")}
    style = resources.files("tokparity.report.render").joinpath("templates/report.css").read_text("utf-8")
    page = environment.get_template("report.html").render(
        report=report,
        header=report.header,
        footer=report.footer,
        command=command_line(report.header.command),
        sections=_sections(report),
        pairs={(pair.model, pair.engine): pair for pair in report.pairs},
        anchors=_anchors(report),
        verdict=verdict(report),
        style=style,
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii"),
    )
    # A lone surrogate can only come from an engine's message; it must not keep the report from being written.
    path.write_bytes(page.encode("utf-8", "backslashreplace"))


def heat(pair: Pair) -> int:
    """0 where all is equal, else 1 to 5 by the order of magnitude of the share of wrong ids."""
    wrong = pair.mismatches + pair.failures
    if not wrong or not pair.compared:
        return int(pair.differs)
    return max(1, min(5, 5 + math.floor(math.log10(wrong / pair.compared)) + 1))


def _anchors(report: Report) -> Mapping[tuple[str, str], str]:
    return {(pair.model, pair.engine): f"pair-{number}" for number, pair in enumerate(report.pairs, 1)}


def _sections(report: Report) -> list[Section]:
    anchors = _anchors(report)
    found = []
    for pair in report.pairs:
        findings = [f for f in report.findings if (f.model, f.engine) == (pair.model, pair.engine)]
        if findings:
            found.append(Section(pair, anchors[pair.model, pair.engine], _blocks(report, findings)))
    return found


def _blocks(report: Report, findings: Sequence[Finding]) -> list[Block]:
    """Every finding with its shortest mismatches; all of a pair's findings share the room there is."""
    room = max(1, min(_PER_FINDING, _PER_PAIR // len(findings)))
    blocks = []
    for finding in findings:
        members = [report.mismatches[i] for i in report.members.get((finding.model, finding.name), ())]
        # One card per text: the same text with other flags, or from another corpus, shows nothing new.
        shown = list(
            {mismatch.case.question.shown: mismatch for mismatch in (*reversed(members), finding.smallest)}.values()
        )
        shown = sorted(shown, key=lambda mismatch: mismatch.case.question.order)[:room]
        cards = [_card(report, mismatch) for mismatch in shown]
        causes = [quirks.get(name) for name in finding.quirks if name in quirks.names()]
        blocks.append(Block(finding, causes, symptoms(report, finding), cards, finding.mismatches - len(shown)))
    return blocks


def _card(report: Report, mismatch: Mismatch) -> Card:
    shown, hidden = text(mismatch)
    expected, actual = strips(mismatch)
    return Card(
        mismatch,
        shown,
        hidden,
        code_points(mismatch.case.question.shown, _CODE_POINTS),
        expected,
        actual,
        reproduce(report, mismatch),
    )
