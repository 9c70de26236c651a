"""Text inside Markdown: whatever a model, an engine or a text holds, it stays text."""

from __future__ import annotations

from tokparity.questions.json_text import literal, plain

_HTML = {"<": "&lt;", ">": "&gt;"}


def cell(text: str) -> str:
    """Text that starts no markup, no HTML and no table cell, on one line."""
    text = plain(text)
    for character in "\\`*_[]<>|#":
        text = text.replace(character, _HTML.get(character, "\\" + character))
    return text


def code(text: str) -> str:
    """Text between back-quotes; it must have none itself."""
    return literal(text)[1:-1].replace('\\"', '"').replace("`", "'").replace("|", "\\|")


def indented(text: str) -> list[str]:
    """A code block; by indentation, which no back-quote in a text can end."""
    return ["    " + line for line in text.splitlines()]
