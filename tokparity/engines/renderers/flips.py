"""What other renderers do otherwise than Jinja as transformers sets it up, each as a change of its environment."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import jinja2.ext
import jinja2.filters
import jinja2.tests
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment

from tokparity.engines.renderers import RETURN

_BEFORE_COMMENT = re.compile(r"(?<=[%}#]\})[^{}\n]+(?=\{#)|^[^{}\n]+(?=\{#)", re.MULTILINE)
_TRIMMED = re.compile(r"(?<=[%#]\})\r\n|\r\n\Z")
_HTML = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&'"}


class AsciiTrimming(ImmutableSandboxedEnvironment):
    """Jinja in which strings are trimmed of ASCII white space alone."""

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function for a template."""
        if not args and getattr(__obj, "__name__", "") in ("strip", "lstrip", "rstrip"):
            args = (string.whitespace,)
        return super().call(__context, __obj, *args, **kwargs)


class WithoutTextBeforeComments(jinja2.ext.Extension):
    """A template loses what stands before a comment in its line."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source as the lexer then sees it."""
        return _BEFORE_COMMENT.sub("", source)


class WithCarriageReturns(jinja2.ext.Extension):
    """A template keeps the carriage returns that Jinja takes out."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source as the lexer then sees it."""
        return source.replace("\r", RETURN)


class WithCarriageReturnsInLines(WithCarriageReturns):
    """The same, but a block trims the line end after it, and the last line end is left out."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source as the lexer then sees it."""
        return super().preprocess(_TRIMMED.sub("\n", source), name, filename)


KINDS: Mapping[str, type[SandboxedEnvironment]] = {
    "trims_ascii_only": AsciiTrimming,
    "sandbox_refuses": SandboxedEnvironment,
}
"""Flips that need a class of their own."""


def _trim_ascii(made: SandboxedEnvironment) -> None:
    made.filters["trim"] = lambda text, chars=string.whitespace: str(text).strip(chars)


def _count_bytes(made: SandboxedEnvironment) -> None:
    def length(value: Any) -> int:
        return len(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else len(value)

    made.filters |= {"length": length, "count": length}


def _indent_first(made: SandboxedEnvironment) -> None:
    def indent(text: str, width: int | str = 4, first: bool = True, blank: bool = False) -> str:
        return jinja2.filters.do_indent(text, width, first, blank)

    made.filters["indent"] = indent


def _read_clock(made: SandboxedEnvironment) -> None:
    made.globals["strftime_now"] = datetime.now().strftime


def _iterate_none(made: SandboxedEnvironment) -> None:
    made.tests["iterable"] = lambda value: value is None or jinja2.tests.test_iterable(value)


def _escape_json(made: SandboxedEnvironment) -> None:
    made.filters["tojson"] = jinja2.filters.FILTERS["tojson"]


def _escape_json_in_order(made: SandboxedEnvironment) -> None:
    plain: Callable[..., str] = made.filters["tojson"]
    made.filters["tojson"] = lambda *args, **kwargs: plain(*args, **kwargs).translate(_HTML)


def _write_none_as_nothing(made: SandboxedEnvironment) -> None:
    made.finalize = lambda value: "" if value is None else value


def _write_as_json(made: SandboxedEnvironment) -> None:
    def written(value: Any) -> Any:
        if value is None:
            return ""
        return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | list | dict) else value

    made.finalize = written


def _keep_line_ends(made: SandboxedEnvironment) -> None:
    made.trim_blocks = False


def _keep_indents(made: SandboxedEnvironment) -> None:
    made.lstrip_blocks = False


def _drop_before_comments(made: SandboxedEnvironment) -> None:
    made.add_extension(WithoutTextBeforeComments)


FLIPS: Mapping[str, Callable[[SandboxedEnvironment], None]] = {
    "trims_ascii_only": _trim_ascii,
    "sandbox_refuses": lambda made: None,
    "keeps_none_fields": lambda made: None,  # it is of the messages, not of the environment
    "counts_bytes": _count_bytes,
    "indent_first_line": _indent_first,
    "reads_clock": _read_clock,
    "none_is_iterable": _iterate_none,
    "escapes_json": _escape_json,
    "escapes_json_in_order": _escape_json_in_order,
    "none_is_empty": _write_none_as_nothing,
    "writes_values_as_json": _write_as_json,
    "keeps_line_ends": _keep_line_ends,
    "keeps_indents": _keep_indents,
    "drops_text_before_comment": _drop_before_comments,
    "keeps_carriage_returns": lambda made: made.add_extension(WithCarriageReturnsInLines),
    "keeps_carriage_returns_after_blocks": lambda made: made.add_extension(WithCarriageReturns),
}
"""By the name of the cause (see `chat.causes`), what it changes in an environment of the reference."""
