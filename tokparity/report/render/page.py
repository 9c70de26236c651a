"""What every HTML page uses: the templates, the format of numbers and texts, the style."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from tokparity.finding import only_counted
from tokparity.questions import Question
from tokparity.questions.json_text import inert
from tokparity.report.model import Pair
from tokparity.report.render.causes import in_words, told
from tokparity.report.render.proof import fix, proof
from tokparity.report.render.scores import counts, share
from tokparity.report.render.visible import Run, clip, runs

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_SHORT_BYTES = 40
_BREAK_BEFORE = re.compile(r"(?=[+@_/:\[])")


def filled(name: str, **values: Any) -> bytes:
    """The page that a template makes of these values, in UTF-8, with its style and the style's hash."""
    style = template_text("report.css")
    page = _environment().get_template(name).render(style=style, style_hash=digest(style), **values)
    return inert(page).encode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("tokparity.report.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for spell in (
        share,
        counts,
        heat,
        grouped,
        per_cent,
        short,
        breakable,
        proof,
        fix,
        only_counted,
        in_words,
        told,
        with_code,
    ):
        environment.filters[spell.__name__] = spell
    return environment


def template_text(name: str) -> str:
    """A file that lies beside the templates."""
    return resources.files("tokparity.report.render").joinpath("templates", name).read_text("utf-8")


def digest(text: str) -> str:
    """What a content security policy knows a style or a script by: its SHA-256 in base 64."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def short(question: Question) -> Sequence[Run]:
    """A question on one line, cut."""
    shown, hidden = clip(question.shown, _SHORT_BYTES)
    return [*runs(shown), *([Run("plain", " …")] if hidden else [])] or [Run("plain", "(empty)")]


def with_code(sentence: str) -> Markup:
    """Turn a sentence of our own into HTML, with the words between back-quotes as code."""
    from markupsafe import Markup, escape

    parts = map(escape, sentence.split("`"))
    return Markup("").join(Markup("<code>{}</code>").format(part) if i % 2 else part for i, part in enumerate(parts))


def breakable(name: str) -> Markup:
    """A name that may be broken before a sign, so that a long one makes no wide column."""
    from markupsafe import Markup

    return Markup("<wbr>").join(_BREAK_BEFORE.split(name))


def grouped(number: int) -> str:
    """A number with commas between its thousands."""
    return f"{number:,}"


def per_cent(share: float | None) -> str:
    """A share in per cent, with as many digits as tell it from nothing."""
    if share is None:
        return "–"
    return f"{100 * share:.1f} %" if share >= 0.01 or not share else f"{100 * share:.2g} %"


def heat(pair: Pair) -> int:
    """Return the color of a share of wrong ids: 0 if all ids are right, else 1 to 5 by its order of magnitude."""
    wrong = pair.mismatches + pair.failures
    if not wrong or not pair.compared:
        return int(bool(pair.found))
    return max(1, min(5, 5 + math.floor(math.log10(wrong / pair.compared)) + 1))
