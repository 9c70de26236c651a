"""Many templates, each on conversations that it asks for, by several renderers: what differs from the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tokparity.chat.compare import Answer, alike
from tokparity.chat.grouping import Reason, reasons, shrunk
from tokparity.chat.naming import Compared, Predictions
from tokparity.chat.reasons import Finding, findings
from tokparity.chat.renderer import Renderer
from tokparity.engines.renderers import engine_of
from tokparity.errors import TokparityError
from tokparity.generators.conversations import conversations
from tokparity.outcome import DEADLY, NOT_ASKED, Failure, Rendering
from tokparity.questions.render import Render, Template

EQUAL, DIFFERS, FAILS, ONLY_IT, NEITHER, UNSUPPORTED = (
    *("equal", "differs", "fails", "only it renders", "neither renders", "cannot be asked"),
)
KINDS = (EQUAL, DIFFERS, FAILS, ONLY_IT, NEITHER, UNSUPPORTED)
"""What a renderer does on one conversation, beside the reference."""


@dataclass(frozen=True)
class Subject:
    """A chat template, by the name of its file or model, and its variables for special tokens."""

    name: str
    template: Template
    tokens: Mapping[str, str]


@dataclass(frozen=True)
class Row:
    """One renderer on one template: how many conversations of each kind, and what differs, each with its reason."""

    template: str
    renderer: str
    counts: Mapping[str, int]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Sweep:
    """What was compared: the version of each renderer (or why it could not run), and a row for each template of it."""

    versions: Mapping[str, str]
    unavailable: Mapping[str, str]
    rows: tuple[Row, ...]
    reasons: tuple[Reason, ...]


def sweep(
    subjects: Sequence[Subject],
    names: Sequence[str],
    count: int,
    progress: Callable[[str], None] = lambda line: None,
) -> Sweep:
    """Every subject on `count` conversations by every renderer; each difference has a cause, or what it goes with."""
    with Renderer() as reference:
        versions = {"jinja2": reference.version()}
        questions = [_questions(reference, subject, count) for subject in subjects]
    with ThreadPoolExecutor(len(names) + 1) as pool:
        asked = {name: pool.submit(_all, name, questions) for name in ("jinja2", *names)}
        told = {name: future.result() for name, future in asked.items()}
    unavailable = {name: one.why for name, one in told.items() if one.why}
    rows: list[Row] = []
    with Renderer() as reference:
        predictions = Predictions(reference)
        for i, subject in enumerate(subjects):
            progress(f"{i + 1} of {len(subjects)}: {subject.name}")
            right = told["jinja2"].answers[i]
            for name in names:
                if name not in unavailable:
                    its = told[name].answers[i]
                    rows.append(_row(subject, name, questions[i], right, its, predictions))
    versions |= {name: one.version for name, one in told.items() if not one.why}
    progress("the smallest conversations")
    grouped = reasons((row.renderer, row.template, finding) for row in rows for finding in row.findings)
    return Sweep(versions, unavailable, tuple(rows), tuple(shrunk(grouped)))


def _questions(reference: Renderer, subject: Subject, count: int) -> list[Render]:
    """As many of the conversations that the template asks for, spread over all of them."""
    given = [one for one in conversations(reference.words(subject.template.text)) if one.messages]
    picked = [given[i * len(given) // count] for i in range(min(count, len(given)))]
    return [Render(subject.template, one, subject.tokens) for one in picked]


@dataclass(frozen=True)
class _Told:
    """A renderer's version and its answers for each template; `why` it cannot run, instead of these."""

    version: str = ""
    answers: Sequence[Sequence[Answer]] = ()
    why: str = ""


def _all(name: str, questions: Sequence[Sequence[Render]]) -> _Told:
    found: list[list[Answer]] = []
    version = ""
    try:
        while len(found) < len(questions):  # what hung on one template is asked for the next one all the same
            with Renderer(engine_of(name)) as renderer:
                version = renderer.version()
                for few in questions[len(found) :]:
                    found.append(renderer.render(few))
                    if any(isinstance(one, Failure) and one.kind in DEADLY for one in found[-1]):
                        break
    except TokparityError as error:
        return _Told(why=error.message)
    return _Told(version, found)


def kind_of(right: Answer, its: Answer) -> str:
    """What a renderer does beside the reference."""
    if isinstance(its, Failure) and its.kind in NOT_ASKED:
        return UNSUPPORTED
    writes, right_writes = (isinstance(one, Rendering) and one.prompt is not None for one in (its, right))
    if writes and right_writes:
        return EQUAL if alike(right, its) else DIFFERS
    return FAILS if right_writes else ONLY_IT if writes else NEITHER


def _row(
    subject: Subject,
    name: str,
    questions: Sequence[Render],
    right: Sequence[Answer],
    its: Sequence[Answer],
    predictions: Predictions,
) -> Row:
    kinds = [kind_of(*pair) for pair in zip(right, its, strict=True)]
    counts = {kind: kinds.count(kind) for kind in KINDS}
    wrong = [i for i, kind in enumerate(kinds) if kind in (DIFFERS, FAILS, ONLY_IT)]
    same = [i for i, kind in enumerate(kinds) if kind == EQUAL]
    found = tuple(findings(Compared(questions, right, its, wrong, same, predictions))) if wrong else ()
    return Row(subject.name, name, counts, found)
