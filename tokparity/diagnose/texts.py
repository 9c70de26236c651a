"""Texts on which two explanations may differ.

Neighbours of the mismatches, pieces side by side, lines of corpora, and probes: what shows one quirk or another on its
toy, and characters of all classes side by side.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from tokparity import quirks
from tokparity.case import Origin, TextCase, text_case
from tokparity.diagnose.evidence import Observation, size
from tokparity.questions import Encode
from tokparity.sources import corpus
from tokparity.vocabulary import Vocabulary

_NEIGHBOURS_OF = 40
_CORPORA = ("whitespace", "special_tokens", "normalisation", "letter_case", "punctuation", "invalid_utf8", "code")
_LINES = 40  # of each corpus
_CHARACTERS = " \n\t▁'.,!é0Aß½ﬁ👍ｱั\u0301\u200d\ufe0f\u3000"
_CLASSES = (
    *("a", "B", "é", "ж", "世", "か", "ก", "한", "👍", "1", "٣", "\u0301", "\u0abc", "\ufe0f", "\u200b", "\u200d"),
    *("'", "’", "'s", "'m", "'LL", ".", "!", "/", "_", "€", "▁"),
    *(" ", "  ", "\n", "\r\n", "\t", "\xa0", "\u3000"),
)
"""Of each class of characters that pre-tokenisers and normalisers tell apart, some."""
_MOST = 8  # of these in a row
PROBE = "probe"
"""Origin of the texts that may show some quirk, whatever the evidence is."""


def texts(vocabulary: Vocabulary, evidence: Sequence[Observation], count: int, seed: int = 0) -> Iterator[TextCase]:
    """Up to `count` cases that are not in the evidence, each once; the same ones every time."""
    seen = {o.case.question for o in evidence}
    for case in _mixed(vocabulary, evidence, random.Random(seed)):
        key = case.question
        if key not in seen:
            seen.add(key)
            yield case
            count -= 1
            if count <= 0:
                return


def _mixed(vocabulary: Vocabulary, evidence: Sequence[Observation], rng: random.Random) -> Iterator[TextCase]:
    """Neighbours, a line, probes and some pieces in turn, until the others have run out."""
    near, lines, shown = _neighbours(evidence, rng), _lines(), _witnesses()
    asked = [o.case.question for o in evidence if isinstance(o.case.question, Encode)]
    flags = [(question.add_special, question.parse_special) for question in asked] or [(True, False)]
    for _ in range(4000):
        yield from islice(near, 2)
        yield from islice(lines, 1)
        yield from islice(shown, 1)
        add_special, parse_special = rng.choice(flags)
        yield text_case(_classes(rng), add_special, parse_special, Origin("diagnosis", PROBE))
        yield text_case(_pieces(vocabulary, rng), add_special, parse_special, Origin("diagnosis"))


def _neighbours(evidence: Sequence[Observation], rng: random.Random) -> Iterator[TextCase]:
    """The shortest mismatches, changed a little."""
    wrong = sorted((o for o in evidence if not o.is_control), key=size)
    near = [o.case.question for o in wrong if isinstance(o.case.question, Encode)][:_NEIGHBOURS_OF]
    for _ in range(100):
        for question in near:
            text = question.text[:400].decode("utf-8", "surrogateescape")
            changed = _changed(text, rng, rng.choice(near).text[:400].decode("utf-8", "surrogateescape"))
            yield text_case(
                changed.encode("utf-8", "surrogateescape"),
                question.add_special if rng.random() < 0.8 else not question.add_special,
                question.parse_special if rng.random() < 0.8 else not question.parse_special,
                Origin("diagnosis"),
            )


def _changed(text: str, rng: random.Random, other: str) -> str:
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


def _lines() -> Iterator[TextCase]:
    for name in _CORPORA:
        if name in corpus.names():
            for case in islice(corpus.load(name), _LINES):
                if len(case.question.text) <= 500:
                    yield case


def _witnesses() -> Iterator[TextCase]:
    for quirk in quirks.all_quirks():
        if quirk.witness is not None:
            witness = quirk.witness()
            yield text_case(witness.text, witness.add_special, witness.parse_special, Origin("diagnosis", PROBE))


def _classes(rng: random.Random) -> bytes:
    return "".join(rng.choice(_CLASSES) for _ in range(rng.randint(2, _MOST))).encode()


def _pieces(vocabulary: Vocabulary, rng: random.Random) -> bytes:
    """A few pieces side by side, with spaces where the model's file spells them."""
    spelled = b"".join(vocabulary.pieces[rng.randrange(len(vocabulary))] for _ in range(rng.randint(1, 6)))
    text = spelled.decode("utf-8", "surrogateescape")
    return text.replace("▁", " ").replace("Ġ", " ").replace("Ċ", "\n").encode("utf-8", "surrogateescape")
