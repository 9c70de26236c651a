"""Escapes text for Markdown: whatever a model, an engine or a text contains, it stays text."""

from __future__ import annotations

import re

from tokparity.questions.json_text import plain

_BACK_QUOTES = re.compile("`+")
_LINK = re.compile(r"://|(?<=www)\.")
"""Where Markdown takes an address for a link by itself."""
_MENTION = re.compile(r"(?<!\w)@(?=\w)")
"""Where GitHub takes a name for somebody to be told; a backslash does not stop that, a comment in between does."""
_HTML = {"<": "&lt;", ">": "&gt;"}


def cell(text: str) -> str:
    """Text that starts no markup, no HTML, no link and no table cell, on one line."""
    text = plain(text)
    for character in "\\`*_[]<>|#":
        text = text.replace(character, _HTML.get(character, "\\" + character))
    return _MENTION.sub("@<!-- -->", _LINK.sub(r"\\\g<0>", text))


def code(text: str) -> str:
    """Text as code, to be copied as it is: between more back-quotes than it has in a row itself."""
    text = plain(text)
    fence = "`" * (max(map(len, _BACK_QUOTES.findall(text)), default=0) + 1)
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def coded(sentence: str, command: str) -> str:
    """A sentence as text, with the command in it as code."""
    before, quoted, after = sentence.partition(f"`{command}`") if command else (sentence, "", "")
    return cell(before) + (code(command) if quoted else "") + cell(after)


def indented(text: str) -> list[str]:
    """A code block; by indentation, which no back-quote in a text can end."""
    return ["    " + line for line in text.splitlines()]
