"""The command that shows a mismatch again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from tokparity.finding import Mismatch
from tokparity.questions.json_text import literal
from tokparity.report.model import Report

_PRINTABLE_ASCII = re.compile(rb"[\x20-\x7e]*")
_LONGEST = 2000  # bytes of text that are still worth pasting into a shell


def reproduce(report: Report, mismatch: Mismatch) -> str:
    """A command for a POSIX shell (bash or zsh where the text needs $'...') that puts the case to the same engines."""
    case = mismatch.case
    model = command_line(report.header.arguments.get(mismatch.model, (mismatch.model,)))
    flags = f" --engine {shlex.quote(mismatch.engine)}"
    if len(case.text) > _LONGEST:
        corpus, colon, line = case.origin.rpartition(":")
        if colon and line.isdigit() and ":" not in corpus:
            return f"tokparity run {model}{flags} --corpus {shlex.quote(corpus)} --cases 0"
        return f"tokparity run {model}{flags} --seed {report.header.seed}"
    flags += "" if case.add_special else " --no-special"
    flags += " --parse-special" if case.parse_special else ""
    if b"\0" in case.text:  # no argument of a process can hold a NUL
        return f"printf '%s\\n' {shlex.quote(literal(case.text))} | tokparity diff {model}{flags} -"
    separator = " --" if case.text.startswith(b"-") else ""
    return f"tokparity diff {model}{flags}{separator} {quote(case.text)}"


def command_line(words: Sequence[str]) -> str:
    """The words of a command as a shell takes them."""
    return " ".join(quote(word.encode("utf-8", "surrogateescape")) for word in words)


def quote(text: bytes) -> str:
    """The text as one word of bash, exactly, and without a character that does not print."""
    if _PRINTABLE_ASCII.fullmatch(text):
        return shlex.quote(text.decode("ascii"))
    return "$'" + "".join(map(_escape, text.decode("utf-8", "surrogateescape"))) + "'"


def _escape(character: str) -> str:
    if character in "\\'":
        return "\\" + character
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))
