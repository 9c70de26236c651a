"""The site's Atom feed of new causes, and its badge: two small files of XML for other programs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as xml

from tokparity.questions.json_text import plain
from tokparity.report.site.history import ChangedCause, History, Run
from tokparity.report.verdict import verdict

_ATOM = "http://www.w3.org/2005/Atom"
_ENTRIES = 100
_LABEL = "token parity"
_COLOURS = {"equal": "#1d6f3b", "known": "#1d6f3b", "new": "#b3261e", "none": "#5a5f66"}
_LETTER = 6.6  # pixels, of Verdana at 11


def write_feed(history: History, path: Path, url: str) -> None:
    """Write the feed; its links are relative to `url`, or to the feed where that is empty."""
    xml.register_namespace("", _ATOM)
    feed = xml.Element(f"{{{_ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}base": url} if url else {})
    _texts(feed, title="tokparity: new findings", id=_id(url or "tokparity"), updated=_time(history.runs[-1]))
    xml.SubElement(feed, f"{{{_ATOM}}}link", href="index.html")
    xml.SubElement(xml.SubElement(feed, f"{{{_ATOM}}}author"), f"{{{_ATOM}}}name").text = "tokparity"
    for _, (run, change) in zip(range(_ENTRIES), _news(history), strict=False):
        entry = xml.SubElement(feed, f"{{{_ATOM}}}entry")
        before = "not asked before" if change.before is None else f"{change.before} before"
        _texts(
            entry,
            title=plain(f"{change.engine}: {change.title}"),
            id=_id(f"{change.key} {change.engine} {run.name}"),
            updated=_time(run),
            summary=plain(f"On {', '.join(change.models)}: {change.now} cases, {before}."),
        )
        xml.SubElement(entry, f"{{{_ATOM}}}link", href=f"causes/{change.key}.html")
    xml.ElementTree(feed).write(path, encoding="utf-8", xml_declaration=True)


def _news(history: History) -> Iterator[tuple[Run, ChangedCause]]:
    """What is new, the latest first."""
    for run in reversed(history.runs):
        news = [change for change in history.changes(run) if change.fate == "new"]
        yield from ((run, change) for change in (*news, *history.first_seen(run)))


def _texts(parent: xml.Element, **texts: str) -> None:
    for name, text in texts.items():
        xml.SubElement(parent, f"{{{_ATOM}}}{name}").text = text


def _id(name: str) -> str:
    """The same for the same name in every build."""
    return uuid.uuid5(uuid.NAMESPACE_OID, plain(f"tokparity {name}")).urn


def _time(run: Run) -> str:
    return run.started.isoformat(timespec="seconds")


def write_badge(run: Run, path: Path) -> None:
    """Write what the latest run comes to as a picture of two words."""
    found = verdict(run.report)
    new = sum(finding.is_new for finding in run.report.findings) + len(run.report.vanished)
    says = {"equal": "equal", "known": "nothing new", "none": "no verdict"}.get(found.result, f"{new or 'file'} new")
    if found.result == "new" and not new:
        says = "wrong file"
    left, right = (round(len(words) * _LETTER) + 10 for words in (_LABEL, says))
    svg = xml.Element("svg", xmlns="http://www.w3.org/2000/svg", width=str(left + right), height="20", role="img")
    svg.set("aria-label", f"{_LABEL}: {says}")
    xml.SubElement(svg, "title").text = f"{_LABEL}: {says}"
    for start, width, colour, words in ((0, left, "#3b3f45", _LABEL), (left, right, _COLOURS[found.result], says)):
        xml.SubElement(svg, "rect", x=str(start), width=str(width), height="20", fill=colour)
        text = xml.SubElement(svg, "text", x=str(start + width / 2), y="14", fill="#fff", textLength=str(width - 10))
        text.attrib |= {"text-anchor": "middle", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": "11"}
        text.text = words
    xml.ElementTree(svg).write(path, encoding="utf-8", xml_declaration=False)
