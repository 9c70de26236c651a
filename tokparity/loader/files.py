"""The table as files: one JSON object a line, a table for a spreadsheet, a page."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from tokparity.loader.table import Cell
from tokparity.outcome import Encoding, Failure, Outcome
from tokparity.questions.json_text import literal, plain
from tokparity.report.render.csv import write_table
from tokparity.report.render.inert import write_inert

FILES = ("loader.jsonl", "loader.csv", "index.html")

COLUMNS = (
    "model", "version", "configuration", "seen", "engine", "judge", "verdict", "compared", "different", "share",
    "smallest_text", "add_special", "parse_special", "expected", "actual", "causes", "rebuilt", "words",
)  # fmt: skip

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2em;max-width:80em}table{border-collapse:collapse}"
    "td,th{border:1px solid #8888;padding:.3em .6em;text-align:left;vertical-align:top}"
    ".differs{background:#d6452633}.refuses{background:#c9a00033}code{white-space:pre-wrap}"
)


def write(cells: Sequence[Cell], folder: Path) -> None:
    """All three files."""
    rows = [row(cell) for cell in cells]
    lines = "".join(literal(entry) + "\n" for entry in rows)
    (folder / FILES[0]).write_text(lines, encoding="utf-8")
    write_table(folder / FILES[1], COLUMNS, [[_text(entry[name]) for name in COLUMNS] for entry in rows])
    write_inert(folder / FILES[2], page(cells))


def row(cell: Cell) -> Mapping[str, object]:
    """One cell as a record."""
    found = cell.smallest
    flags = found.case.question.to_json() if found else {}
    return {
        "model": cell.model,
        "version": cell.version,
        "configuration": str(cell.configuration),
        "seen": cell.configuration.seen,
        "engine": cell.engine,
        "judge": cell.judge,
        "verdict": cell.verdict,
        "compared": cell.compared,
        "different": cell.different,
        "share": round(cell.share, 4),
        "smallest_text": found.case.question.literal if found else "",
        "add_special": flags.get("add_special", ""),
        "parse_special": flags.get("parse_special", ""),
        "expected": shown(found.expected) if found else "",
        "actual": shown(found.actual) if found else "",
        "causes": list(cell.causes),
        "rebuilt": list(cell.rebuilt.sentences) if found else [],
        "words": cell.words,
    }


def shown(outcome: Outcome, most: int = 40) -> str:
    """An answer in one line."""
    if isinstance(outcome, Failure):
        return f"{outcome.kind}: {outcome.message}"
    decoded = "" if outcome.decoded is None else f", decoded {outcome.decoded.decode('utf-8', 'replace')[:most]!r}"
    return f"{list(outcome.ids[:most])}{decoded}" if isinstance(outcome, Encoding) else decoded[2:]


def _text(value: object) -> str:
    return " | ".join(value) if isinstance(value, list) else str(value)


def page(cells: Sequence[Cell]) -> str:
    """A page without a script: one table for each model, and what differs below it."""
    models = list(dict.fromkeys(cell.model for cell in cells))
    body = "".join(_section(model, [cell for cell in cells if cell.model == model]) for model in models)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>tokparity loader</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
        f"<h1>What AutoTokenizer makes of a tokenizer.json</h1>{body}</html>\n"
    )


def _section(model: str, cells: Sequence[Cell]) -> str:
    versions = list(dict.fromkeys(cell.version for cell in cells))
    head = "".join(f'<th scope="col">{_inert(version)}</th>' for version in versions)
    lines = []
    for configuration in dict.fromkeys(cell.configuration for cell in cells):
        here = {cell.version: cell for cell in cells if cell.configuration == configuration}
        found = "".join(_entry(here.get(version)) for version in versions)
        name = f"{_inert(str(configuration))}<br><small>{_inert(configuration.seen)}</small>"
        lines.append(f'<tr><th scope="row">{name}</th>{found}</tr>')
    return f"<h2>{_inert(model)}</h2><table><tr><th>configuration</th>{head}</tr>{''.join(lines)}</table>"


def _entry(cell: Cell | None) -> str:
    if cell is None:
        return "<td></td>"
    told = [cell.verdict if cell.verdict != "differs" else f"differs: {cell.share:.1%}"]
    if cell.smallest:
        told += [f"<code>{_inert(cell.smallest.case.question.literal)}</code>"]
        told += [f"{_inert(shown(one))}" for one in (cell.smallest.expected, cell.smallest.actual)]
        told += [_inert(words) for words in (*cell.causes, *cell.rebuilt.sentences)]
    told += [_inert(cell.words)] if cell.words else []
    return f'<td class="{cell.verdict}">{"<br>".join(told)}</td>'


def _inert(text: str) -> str:
    return html.escape(plain(text))
