"""Checks with ten texts whether a server has opened the model under test, before all other texts are sent."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from tokparity import models
from tokparity.case import text_case
from tokparity.engines import engine_name
from tokparity.errors import EngineError, TokparityError
from tokparity.outcome import Encoding
from tokparity.session.panel import EnginePanel, ask
from tokparity.session.slowness import ordinary

if TYPE_CHECKING:
    from tokparity.formats import Source
    from tokparity.models import Model

_TEXTS, _BYTES = 10, 40
_TRIED = 6
"""Known models at most whose vocabulary is tried, those called like what the server says first."""

Rows = Sequence[tuple[bytes, tuple[int, ...]]]
"""Texts, and the ids that the server gave for each."""


def turn_away(panel: EnginePanel, source: Source, model: Model) -> Iterator[str]:
    """Lose each server whose ids do not belong to the model, and say why: nothing else is put to it."""
    for engine in [engine for engine in panel.versions if engine_name.parse(engine).url]:
        rows = _rows(panel, engine)
        if len(rows) < _TEXTS or _belong(source, rows):
            continue
        said = panel.versions[engine]
        fits = next(_fitting(rows, said, model.name), "")
        known = f"they are those of {fits}" if fits else "no known model that was tried has such ids"
        why = (
            f"the server's ids do not belong to this model: none of {_TEXTS} texts is in them. It says: {said}; {known}"
        )
        error = EngineError(f"engine {engine!r}: {why}", f"start the server with the model {model.name}")
        panel.lose(engine, error)
        yield f"{engine}: {why}"


def _rows(panel: EnginePanel, engine: str) -> Rows:
    texts = ordinary(_BYTES, _TEXTS)
    able = panel.capabilities(engine)
    cases = [text_case(text, able.add_special[0], able.parse_special[-1]) for text in texts]
    answered = zip(texts, ask(panel, engine, cases), strict=True)
    return [(text, outcome.ids) for text, outcome in answered if isinstance(outcome, Encoding)]


def _belong(source: Source, rows: Rows) -> bool:
    """Whether the ids of one text at least represent it in a vocabulary, whatever is done with spaces and case."""
    return any(_letters(_decoded(source, ids)) == _letters(text) for text, ids in rows)


def _decoded(source: Source, ids: Sequence[int]) -> bytes:
    vocabulary, behaviour = source.vocabulary, source.behaviour
    special = set(behaviour.prefix_ids) | set(behaviour.suffix_ids) | set(vocabulary.special.values())
    kept = [i for i in ids if i not in special]
    if any(not 0 <= i < len(vocabulary) for i in kept):
        return b""
    decoded: bytes = behaviour.decode(vocabulary, behaviour, kept)
    return decoded


def _letters(text: bytes) -> str:
    return "".join(c for c in text.decode("utf-8", "replace").casefold() if c.isalnum())


def _fitting(rows: Rows, said: str, own: str) -> Iterator[str]:
    """Known models, whose files are here, to which the ids belong."""
    near = sorted(models.names(), key=lambda name: -difflib.SequenceMatcher(None, name, said.casefold()).ratio())
    here = (model for name in near if name != own and not (model := models.load(name)).missing)
    for model in islice(here, _TRIED):
        try:
            if _belong(models.primary_source(model), rows):
                yield model.name
        except TokparityError:
            continue  # its files are damaged, which is told where it is run
