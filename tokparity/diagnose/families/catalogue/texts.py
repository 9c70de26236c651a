"""Texts on which two hypotheses may differ.

Mismatches changed a little, adjacent pieces, lines of corpora, and probes. Probes show quirks on their toy models, or
have adjacent characters of all classes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from tokparity import quirks
from tokparity.case import Origin, TextCase, text_case
from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.limits import Limits
from tokparity.questions import Encode
from tokparity.sources import corpus
from tokparity.vocabulary import Vocabulary

_CORPORA = ("whitespace", "special_tokens", "normalisation", "letter_case", "punctuation", "invalid_utf8", "code")
CHARACTERS = " \n\t▁'.,!é0Aß½ﬁ👍ｱั\u0301\u200d\ufe0f\u3000"
_CLASSES = (
    *("a", "B", "é", "ж", "世", "か", "ก", "한", "👍", "1", "٣", "\u0301", "\u0abc", "\ufe0f", "\u200b", "\u200d"),
    *("'", "’", "'s", "'m", "'LL", ".", "!", "/", "_", "€", "▁"),
    *(" ", "  ", "\n", "\r\n", "\t", "\xa0", "\u3000"),
)
"""Some characters of each class that pre-tokenizers and normalizers tell apart."""

PROBE = "probe"
"""Origin of the texts that may show some quirk, whatever the evidence is."""


def texts(
    vocabulary: Vocabulary, evidence: Sequence[Observation], count: int, limits: Limits, seed: int = 0
) -> Iterator[TextCase]:
    """Up to `count` cases that are not in the evidence, each once; the same ones every time."""
    seen = {o.case.question for o in evidence}
    for case in _mixed(vocabulary, evidence, random.Random(seed), limits):
        if case.question not in seen:
            seen.add(case.question)
            yield case
            count -= 1
            if count <= 0:
                return


def _mixed(
    vocabulary: Vocabulary, evidence: Sequence[Observation], rng: random.Random, limits: Limits
) -> Iterator[TextCase]:
    """In turn two changed mismatches, a line of a corpus, two probes and some pieces."""
    changed, lines, witnesses = _changed_mismatches(evidence, rng, limits), _lines(limits), _witnesses()
    asked = (o.case.question for o in evidence)
    flags = [(q.add_special, q.parse_special) for q in asked if isinstance(q, Encode)] or [(True, False)]
    for _ in range(limits.text_rounds):
        yield from islice(changed, 2)
        yield from islice(lines, 1)
        yield from islice(witnesses, 1)
        add_special, parse_special = rng.choice(flags)
        yield text_case(
            _characters(rng, limits.character_classes), add_special, parse_special, Origin("diagnosis", PROBE)
        )
        yield text_case(_pieces(vocabulary, rng), add_special, parse_special, Origin("diagnosis"))


def _changed_mismatches(evidence: Sequence[Observation], rng: random.Random, limits: Limits) -> Iterator[TextCase]:
    """The shortest mismatches, changed a little."""
    wrong = sorted((o for o in evidence if o.wrong), key=size)
    near = [o.case.question for o in wrong if isinstance(o.case.question, Encode)][: limits.changed_mismatches]
    for _ in range(limits.changes_per_mismatch):
        for question in near:
            text, other = (_beginning(q, limits.changed_text_bytes) for q in (question, rng.choice(near)))
            changed = _changed(text, rng, other)
            yield text_case(
                changed.encode("utf-8", "surrogateescape"),
                question.add_special if rng.random() < 0.8 else not question.add_special,
                question.parse_special if rng.random() < 0.8 else not question.parse_special,
                Origin("diagnosis"),
            )


def _beginning(question: Encode, most_bytes: int) -> str:
    return question.text[:most_bytes].decode("utf-8", "surrogateescape")


def _changed(text: str, rng: random.Random, other: str) -> str:
    """The text with a part cut out, doubled or put beside another, or with other characters."""
    at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    return rng.choice(
        (
            text[:at] + text[to:],
            text[at:to],
            text[:at] + rng.choice(CHARACTERS) + text[at:],
            text + text[at:to],
            text[:at].swapcase() + text[at:],
            text + " " + other,
            other + text,
            text[::-1],
        )
    )


def _lines(limits: Limits) -> Iterator[TextCase]:
    for name in _CORPORA:
        if name in corpus.names():
            for case in islice(corpus.load(name), limits.corpus_lines):
                if len(case.question.text) <= limits.corpus_line_bytes:
                    yield case


def _witnesses() -> Iterator[TextCase]:
    for quirk in quirks.all_quirks():
        if (shown := quirk.shown) is not None:
            yield text_case(shown.text, shown.add_special, shown.parse_special, Origin("diagnosis", PROBE))


def _characters(rng: random.Random, most: int) -> bytes:
    """Some characters of all classes side by side."""
    return "".join(rng.choice(_CLASSES) for _ in range(rng.randint(2, most))).encode()


def _pieces(vocabulary: Vocabulary, rng: random.Random) -> bytes:
    """A few pieces side by side, with spaces where the model's file spells them."""
    spelled = b"".join(vocabulary.pieces[rng.randrange(len(vocabulary))] for _ in range(rng.randint(1, 6)))
    text = spelled.decode("utf-8", "surrogateescape")
    return text.replace("▁", " ").replace("Ġ", " ").replace("Ċ", "\n").encode("utf-8", "surrogateescape")
