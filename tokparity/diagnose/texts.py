"""Texts on which two hypotheses may differ.

Mismatches changed a little, pieces side by side, lines of corpora, and probes: what shows one quirk or another on its
toy, and characters of all classes side by side.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from tokparity import quirks
from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.limits import Limits
from tokparity.outcome import Case
from tokparity.sources import corpus
from tokparity.vocabulary import Vocabulary

_CORPORA = ("whitespace", "special_tokens", "normalisation", "letter_case", "punctuation", "invalid_utf8", "code")
_CHARACTERS = " \n\t▁'.,!é0Aß½ﬁ👍ｱั\u0301\u200d\ufe0f\u3000"
_CLASSES = (
    *("a", "B", "é", "ж", "世", "か", "ก", "한", "👍", "1", "٣", "\u0301", "\u0abc", "\ufe0f", "\u200b", "\u200d"),
    *("'", "’", "'s", "'m", "'LL", ".", "!", "/", "_", "€", "▁"),
    *(" ", "  ", "\n", "\r\n", "\t", "\xa0", "\u3000"),
)
"""Some characters of each class that pre-tokenisers and normalisers tell apart."""

_ORIGIN = "diagnosis"
PROBE = "probe"
"""Origin of the texts that may show some quirk, whatever the evidence is."""


def texts(
    vocabulary: Vocabulary, evidence: Sequence[Observation], count: int, limits: Limits, seed: int = 0
) -> Iterator[Case]:
    """Up to `count` cases that are not in the evidence, each once; the same ones every time."""
    seen = {(o.case.text, o.case.add_special, o.case.parse_special) for o in evidence}
    for case in _mixed(vocabulary, evidence, random.Random(seed), limits):
        key = case.text, case.add_special, case.parse_special
        if key not in seen:
            seen.add(key)
            yield case
            count -= 1
            if count <= 0:
                return


def _mixed(
    vocabulary: Vocabulary, evidence: Sequence[Observation], rng: random.Random, limits: Limits
) -> Iterator[Case]:
    """In turn two changed mismatches, a line of a corpus, two probes and some pieces."""
    changed, lines, witnesses = _changed_mismatches(evidence, rng, limits), _lines(limits), _witnesses()
    flags = [(o.case.add_special, o.case.parse_special) for o in evidence] or [(True, False)]
    for _ in range(limits.text_rounds):
        yield from islice(changed, 2)
        yield from islice(lines, 1)
        yield from islice(witnesses, 1)
        add_special, parse_special = rng.choice(flags)
        yield Case(_characters(rng, limits.character_classes), add_special, parse_special, PROBE)
        yield Case(_pieces(vocabulary, rng), add_special, parse_special, _ORIGIN)


def _changed_mismatches(evidence: Sequence[Observation], rng: random.Random, limits: Limits) -> Iterator[Case]:
    """The shortest mismatches, changed a little."""
    near = sorted((o for o in evidence if not o.is_control), key=size)[: limits.changed_mismatches]
    for _ in range(limits.changes_per_mismatch):
        for observation in near:
            case = observation.case
            text, other = (_beginning(o, limits.changed_text_bytes) for o in (observation, rng.choice(near)))
            changed = _changed(text, rng, other)
            yield Case(
                changed.encode("utf-8", "surrogateescape"),
                case.add_special if rng.random() < 0.8 else not case.add_special,
                case.parse_special if rng.random() < 0.8 else not case.parse_special,
                _ORIGIN,
            )


def _beginning(observation: Observation, most_bytes: int) -> str:
    return observation.case.text[:most_bytes].decode("utf-8", "surrogateescape")


def _changed(text: str, rng: random.Random, other: str) -> str:
    """The text with a part cut out, doubled or put beside another, or with other characters."""
    at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    return rng.choice(
        (
            text[:at] + text[to:],
            text[at:to],
            text[:at] + rng.choice(_CHARACTERS) + text[at:],
            text + text[at:to],
            text[:at].swapcase() + text[at:],
            text + " " + other,
            other + text,
            text[::-1],
        )
    )


def _lines(limits: Limits) -> Iterator[Case]:
    for name in _CORPORA:
        if name in corpus.names():
            for case in islice(corpus.load(name), limits.corpus_lines):
                if len(case.text) <= limits.corpus_line_bytes:
                    yield case


def _witnesses() -> Iterator[Case]:
    for quirk in quirks.all_quirks():
        if quirk.witness is not None:
            witness = quirk.witness()
            yield Case(witness.text, witness.add_special, witness.parse_special, PROBE)


def _characters(rng: random.Random, most: int) -> bytes:
    """Some characters of all classes side by side."""
    return "".join(rng.choice(_CLASSES) for _ in range(rng.randint(2, most))).encode()


def _pieces(vocabulary: Vocabulary, rng: random.Random) -> bytes:
    """A few pieces side by side, with spaces where the model's file spells them."""
    spelled = b"".join(vocabulary.pieces[rng.randrange(len(vocabulary))] for _ in range(rng.randint(1, 6)))
    text = spelled.decode("utf-8", "surrogateescape")
    return text.replace("▁", " ").replace("Ġ", " ").replace("Ċ", "\n").encode("utf-8", "surrogateescape")
