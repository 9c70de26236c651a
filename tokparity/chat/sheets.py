"""What a sweep over templates found, as CSV, Markdown and HTML: reasons, each with its smallest conversation."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Iterator, Mapping, Sequence

from tokparity.chat.compare import Answer, told
from tokparity.chat.place import around
from tokparity.chat.reasons import Finding
from tokparity.chat.sweep import KINDS, NEITHER, UNSUPPORTED, Sweep
from tokparity.outcome import Rendering
from tokparity.questions.json_text import inert, literal, plain

COLUMNS = (
    *("renderer", "template", "reason", "status", "conversations", "right", "tried"),
    *("smallest_conversation", "jinja2_prompt", "its_prompt"),
)
COMPARED = tuple(kind for kind in KINDS if kind not in (NEITHER, UNSUPPORTED))


def totals(found: Sweep) -> dict[str, dict[str, int]]:
    """How many conversations of each kind every renderer has."""
    counts: dict[str, dict[str, int]] = {}
    for row in found.rows:
        sums = counts.setdefault(row.renderer, dict.fromkeys(KINDS, 0))
        for kind, number in row.counts.items():
            sums[kind] += number
    return counts


def sides(finding: Finding) -> tuple[str, str]:
    """The prompts of the reference and of the renderer around their difference, or why there is none."""
    ours, its = (_prompt(one) for one in (finding.ours, finding.its))
    return around(ours, its) if ours is not None and its is not None else (told(finding.ours), told(finding.its))


def _prompt(answer: Answer) -> str | None:
    return answer.prompt if isinstance(answer, Rendering) else None


def to_csv(found: Sweep) -> str:
    """One line for each reason of each renderer and template."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in found.rows:
        for one in row.findings:
            said = (row.renderer, row.template, one.reason, one.status, len(one.places), one.right, one.tried)
            writer.writerow([*map(_cell, said), one.question.conversation.literal, *sides(one)])
    return file.getvalue()


def _cell(value: object) -> str:
    """A value that no table program takes for a formula."""
    said = plain(str(value))
    return f"'{said}" if said[:1] in "=+-@" else said


def tables(found: Sweep) -> Iterator[tuple[str, Sequence[str], list[list[str]]]]:
    """A title, the heads of the columns, and the rows."""
    counts = totals(found)
    heads = ["renderer", "version", "templates", *KINDS]
    rows = [
        [name, found.versions[name], str(sum(row.renderer == name for row in found.rows)), *map(str, sums.values())]
        for name, sums in counts.items()
    ]
    rows += [[name, why, *[""] * (len(heads) - 2)] for name, why in found.unavailable.items()]
    yield "Conversations", heads, rows
    for name in counts:
        mine = [one for one in found.reasons if one.renderer == name]
        heads = ["reason", "status", "templates", "conversations", "smallest conversation", "jinja2", name]
        heads.append("smallest template")
        rows = [
            [
                *(one.name, one.status, str(one.templates), str(one.conversations)),
                *(one.smallest.question.conversation.literal, *sides(one.smallest)),
                literal(one.smallest.template) if one.smallest.template else "",
            ]
            for one in mine
        ]
        if rows:
            yield f"Why {name} differs", heads, rows


def to_markdown(found: Sweep) -> str:
    """The tables for a page."""
    lines = [f"# {_TITLE}"]
    for title, heads, rows in tables(found):
        lines += ["", f"## {title}", "", _line(heads), _line(["---"] * len(heads)), *map(_line, rows)]
    return inert("\n".join(lines) + "\n")


def _line(cells: Sequence[str]) -> str:
    escaped = (plain(cell).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def to_html(found: Sweep) -> str:
    """The tables as one file that asks for nothing else."""
    body = ""
    for title, heads, rows in tables(found):
        head = "".join(f"<th>{html.escape(plain(one))}</th>" for one in heads)
        lines = "".join(f"<tr>{''.join(f'<td>{html.escape(plain(cell))}</td>' for cell in row)}</tr>\n" for row in rows)
        body += f"<h2>{html.escape(plain(title))}</h2>\n<table><thead><tr>{head}</tr></thead>\n"
        body += f"<tbody>{lines}</tbody></table>\n"
    return inert(
        f'<!doctype html>\n<html lang="en"><head>{_HEAD}</head>\n<body><h1>{_TITLE}</h1>\n{body}</body></html>\n'
    )


_TITLE = "Chat templates"
_PROPERTIES = {
    "body": ("font: 15px/1.5 sans-serif", "margin: 2em"),
    "table": ("border-collapse: collapse",),
    "td, th": ("border: 1px solid #999", "padding: .2em .5em", "text-align: left", "overflow-wrap: anywhere"),
}
_STYLE = "".join(f"{name} {{ {'; '.join(values)} }}\n" for name, values in _PROPERTIES.items())
_POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""
_HEAD = f'<meta charset="utf-8"><title>{_TITLE}</title>\n{_POLICY}\n<style>{_STYLE}</style>'

FILES: Mapping[str, Callable[[Sweep], str]] = {"differences.csv": to_csv, "chat.md": to_markdown, "index.html": to_html}
"""The files of a sweep."""
