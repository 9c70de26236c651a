"""The report as one self-contained HTML file: no request to anywhere, a script of its own only, everything escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokparity.finding import Mismatch
from tokparity.questions.shell import command_line
from tokparity.report import oracles
from tokparity.report.keys import mismatch_key, pair_key
from tokparity.report.model import Report
from tokparity.report.render import again as encoded_again
from tokparity.report.render.causes import Cause, causes, unsettled
from tokparity.report.render.command import reproduce
from tokparity.report.render.page import digest, filled, short, template_text
from tokparity.report.render.plots import Bar, Scatter, bars, scatter
from tokparity.report.render.rows import rows
from tokparity.report.render.scores import about, legend, unavailable
from tokparity.report.render.strip import Strip, strip, text
from tokparity.report.render.symptoms import Symptoms, symptoms_of
from tokparity.report.render.visible import Run, code_points
from tokparity.report.rule import count
from tokparity.report.verdict import verdict

NAME = "html"
FILES = ("index.html",)
_PER_CAUSE = 4
_CARDS = 160  # in all
_GROUPS = {
    "new": "New",
    "undiagnosed": "Not diagnosed: cut short before the cause was found",
    "known": "Known deviations of engines",
    "accepted": "Accepted for a model",
}


@dataclass(frozen=True)
class Card:
    """One mismatch, with everything that the HTML page shows of it."""

    mismatch: Mismatch
    key: str
    text: Sequence[Run]
    hidden_bytes: int
    code_points: str
    strip: Strip
    command: str


@dataclass(frozen=True)
class Section:
    """The part of the HTML page about one cause; `stored` of its cases are in the report, `cards` are some of them."""

    cause: Cause
    smallest: Sequence[Run]
    seen: Symptoms
    scatter: Scatter | None
    scripts: Sequence[Bar]
    corpora: Sequence[Bar]
    cards: Sequence[Card]
    stored: int


def render(report: Report, path: Path) -> None:
    """Write one HTML file."""
    found, said = causes(report), verdict(report)
    script = template_text("report.js")
    room = max(1, min(_PER_CAUSE, _CARDS // max(len(found), 1)))
    taken: set[str] = set()
    sections = [_section(report, cause, room, taken) for cause in found]
    page = filled(
        "report.html",
        report=report,
        command=command_line(report.header.command),
        sections=sections,
        groups=list(_groups(sections)),
        rows=rows(report, found),
        numbers={cause.key: number for number, cause in enumerate(found)},
        of_pair=_of_pair(found),
        pairs={(pair.model, pair.engine): pair for pair in report.pairs},
        keys={(pair.model, pair.engine): pair_key(pair.model, pair.engine) for pair in report.pairs},
        verdict=said,
        again=_again(report, said.command),
        unsettled=unsettled(report),
        oracles=list(oracles.sentences(report)),
        about=about(report),
        legend=list(legend(report)),
        unavailable=list(unavailable(report)),
        encoded_again=encoded_again,
        again_rows=[(row, encoded_again.command(report, pair)) for row, pair in encoded_again.rows_and_pairs(report)],
        script=script,
        script_hash=digest(script),
    )
    path.write_bytes(page)


def _groups(sections: Sequence[Section]) -> Iterator[tuple[str, str, Sequence[Section], str]]:
    """Causes of one standing: its name and title, the causes, and how many deviations or findings these are."""
    for standing, title in _GROUPS.items():
        group = [section for section in sections if section.cause.standing == standing]
        of = [one.finding for section in group for one in section.cause.found]
        known = {(one.engine, quirk) for one in of for quirk in one.quirks}
        yield (
            standing,
            title,
            group,
            f"{len(known):,}, alone or together" if standing == "known" else count(len(of), "finding"),
        )


def _again(report: Report, repair: str) -> str:
    """The command that checks the file that a repair writes; empty where no command repairs."""
    sources = [fault.against for fault in report.faults if fault.repair == repair]
    return command_line(["tokparity", "check", "fixed.gguf", "--against", sources[0]]) if repair and sources else ""


def _of_pair(found: Sequence[Cause]) -> Mapping[tuple[str, str], Sequence[Cause]]:
    """The causes that each model before each engine has."""
    of_pair: dict[tuple[str, str], list[Cause]] = {}
    for cause in found:
        for model in cause.models:
            of_pair.setdefault((model, cause.engine), []).append(cause)
    return of_pair


def _section(report: Report, cause: Cause, room: int, taken: set[str]) -> Section:
    """One cause, with its shortest mismatches: that of each model first. `taken` are keys that have a card already."""
    places = [i for one in cause.found for i in report.members.get((one.finding.model, one.finding.name), ())]
    members = [report.mismatches[i] for i in places]
    # Where an engine keeps state, no command shows the others.
    comes_again = [mismatch for mismatch in members if mismatch.after or mismatch.beside] or members
    smallest = sorted((one.finding.smallest for one in cause.found), key=lambda m: m.case.question.order)
    # One card per text: the same text with other flags, or from another corpus, shows nothing new.
    shown = {mismatch.case.question.shown: mismatch for mismatch in reversed(smallest)}
    for mismatch in sorted(comes_again, key=lambda m: m.case.question.order)[: room * 8]:
        shown.setdefault(mismatch.case.question.shown, mismatch)
    chosen = sorted(shown.values(), key=lambda m: m.case.question.order)[:room]
    cards = [_card(report, mismatch) for mismatch in chosen if mismatch_key(mismatch) not in taken]
    taken.update(card.key for card in cards)
    seen = symptoms_of(members)
    return Section(
        cause,
        short(cause.smallest.case.question),
        seen,
        scatter(members),
        bars(seen.scripts),
        bars(seen.origins),
        cards,
        sum(not mismatch.case.origin.shrunk for mismatch in members),
    )


def _card(report: Report, mismatch: Mismatch) -> Card:
    shown, hidden = text(mismatch)
    return Card(
        mismatch,
        mismatch_key(mismatch),
        shown,
        hidden,
        code_points(mismatch.case.question.shown),
        strip(mismatch),
        reproduce(report, mismatch),
    )
