"""Known deviations of the engines of one session: their texts are always put, and one that is gone is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tokparity.case import Origin, TextCase, text_case
from tokparity.engines.deviations import Deviation, known
from tokparity.finding import Finding
from tokparity.questions.json_text import parse


def known_cases(engines: Iterable[str]) -> Iterator[TextCase]:
    """The texts that show the engines' known deviations, so that it is not left to chance whether they are met."""
    deviations = (deviation for engine in engines for deviation in known(engine))
    for text, quirk in {text: deviation.quirk for deviation in deviations for text in deviation.texts}.items():
        for add_special, parse_special in product((True, False), repeat=2):
            yield text_case(parse(text), add_special, parse_special, Origin("known", quirk))


def expected(model: str, engines: Iterable[str]) -> list[Deviation]:
    """The known deviations that these engines are known to show on a model."""
    return [deviation for engine in engines for deviation in known(engine) if model in deviation.on]


def shown(findings: Sequence[Finding]) -> set[tuple[str, str]]:
    """(engine, quirk) of all that findings are about."""
    return {(f.engine, quirk) for f in findings for names in (f.quirks, *f.alternatives) for quirk in names}
