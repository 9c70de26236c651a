"""The texts of the known deviations of a session's engines; every run includes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from tokparity.case import Origin, TextCase, text_case
from tokparity.engines.deviations import known
from tokparity.questions.json_text import parse


def known_cases(engines: Iterable[str]) -> Iterator[TextCase]:
    """The texts that show the engines' known deviations, so that it is not left to chance whether they are met."""
    deviations = (deviation for engine in engines for deviation in known(engine))
    for text, quirk in {text: deviation.quirk for deviation in deviations for text in deviation.texts}.items():
        for add_special, parse_special in product((True, False), repeat=2):
            yield text_case(parse(text), add_special, parse_special, Origin("known", quirk))
