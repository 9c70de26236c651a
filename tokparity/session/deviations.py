"""Known deviations of the engines of one session: their texts are always put, and one that is gone is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from tokparity import quirks
from tokparity.case import Origin, TextCase, text_case
from tokparity.engines.deviations import Deviation, known
from tokparity.errors import AbortedError
from tokparity.finding import Finding
from tokparity.formats import Source
from tokparity.questions.json_text import parse
from tokparity.reference.tokenizer import Tokenizer


def known_cases(engines: Iterable[str]) -> Iterator[TextCase]:
    """The texts that show the engines' known deviations, so that it is not left to chance whether they are met."""
    deviations = (deviation for engine in engines for deviation in known(engine))
    for text, quirk in {deviation.text: deviation.quirk for deviation in deviations}.items():
        for add_special, parse_special in product((True, False), repeat=2):
            yield text_case(parse(text), add_special, parse_special, Origin("known", quirk))


def gone(source: Source, engines: Sequence[str], findings: Sequence[Finding]) -> list[Deviation]:
    """The known deviations that change something about their own text on this model, and are in no finding."""
    missing = [
        deviation
        for engine in engines
        for deviation in known(engine)
        if not any(deviation.quirk in names for f in findings if f.engine == engine for names in _sets(f))
    ]
    if not missing:
        return []
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    return [deviation for deviation in missing if _applies(deviation, tokenizer)]


def _sets(finding: Finding) -> Iterator[tuple[str, ...]]:
    return iter((finding.quirks, *finding.alternatives))


def _applies(deviation: Deviation, tokenizer: Tokenizer) -> bool:
    """Whether an engine with this deviation gives something else than the reference on the deviation's own text."""
    text = parse(deviation.text)
    flipped = quirks.get(deviation.quirk).flip(tokenizer.behaviour)
    if flipped == tokenizer.behaviour:
        return False
    try:
        like = tokenizer.with_behaviour(flipped)
    except Exception:
        return False  # a flip that does not fit the model may raise anything
    flags = product((True, False), repeat=2)
    return any(_given(tokenizer, text, add, parse_) != _given(like, text, add, parse_) for add, parse_ in flags)


def _given(tokenizer: Tokenizer, text: bytes, add_special: bool, parse_special: bool) -> object:
    try:
        ids = tokenizer.encode(text, add_special, parse_special)
        return ids, tokenizer.decode(ids, skip_special=True)
    except AbortedError:
        return "aborted"
