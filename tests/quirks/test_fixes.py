"""A fix fits the model that it is printed for: it names no part that the model lacks, on every kind of model."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest

from tests.rings import nightly_but
from tokparity import models, quirks
from tokparity.behaviour import Behaviour
from tokparity.errors import AbortedError, TokparityError
from tokparity.formats import Source
from tokparity.quirk import Quirk
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm

KINDS = ("small-bpe", "small-spm", "small-unigram", "small-wordpiece")
TEXTS = (
    "", " ", "Hello world", "  two  spaces\n", "don't stop, 1234567!", "na\u0131ve \u00e9t\u00e9 \ufb01",
    "\u4e2d\u6587 \ud55c\uae00", "<s>a</s> <unk>", "\u2581mark \u2581", "aaaa bbbb", "A.B , c ?", "\U0001f600\u200d",
    "x\u00a0y\u3000z", "\u0340\u00bd\u2167", "xqzj",
)  # fmt: skip

PARTS: dict[str, Callable[[Source], bool]] = {
    r"\u2581|\bmarker": lambda source: source.behaviour.space_marker == "\u2581",
    r"\bscores?\b": lambda source: bool(source.vocabulary.scores),
    r"byte pieces?": lambda source: any(i is not None for i in source.vocabulary.byte_ids),
    r"charsmap": lambda source: isinstance(source.behaviour.normalise, Charsmap),
    r"##": lambda source: bool(source.behaviour.continuing_prefix),
    r"\brank\b": lambda source: bool(source.vocabulary.merges),
    r"bytes_to_unicode|byte alphabet": lambda source: source.behaviour.byte_level,
    r"WordPiece|BERT": lambda source: bool(source.behaviour.continuing_prefix),
    r"unigram|Viterbi": lambda source: source.behaviour.segment is ugm,
    r"own pattern": lambda source: source.behaviour.pretokenise is not None,
}
"""What a fix may name, and whether a model has it."""

LEFT_OPEN = re.compile(
    r"where|\bas (the model|tokenizer\.ggml|said)|the model('s)? (says|spells|was|has)|[Ff]ollow the model|[Ll]eave|"
    r"\bor\b|\bonly\b|Nothing|model_type"
)
"""Words by which a fix says itself for which models it is, or names two ways."""


@cache
def source(kind: str) -> Source:
    """An embedded model."""
    return models.primary_source(models.load(kind))


@cache
def answers(kind: str, name: str) -> tuple[object, ...]:
    """What the model gives with a quirk, or without any."""
    said = source(kind)
    behaviour = quirks.get(name).flip(said.behaviour) if name else said.behaviour
    return tuple(_answers(said, behaviour))


def _answers(said: Source, behaviour: Behaviour) -> list[object]:
    found: list[object] = []
    tokenizer = Tokenizer(said.vocabulary, behaviour)
    for text in TEXTS:
        try:
            ids = tokenizer.encode(text.encode())
            found += [tuple(ids), tokenizer.decode(ids)]
        except (AbortedError, TokparityError) as error:
            found.append(str(error))
    return found


def fits(quirk: Quirk, kind: str) -> list[str]:
    """The parts that the fix names, and the model lacks; none where the fix says itself what it is for."""
    if LEFT_OPEN.search(quirk.fix):
        return []
    return [part for part, has in PARTS.items() if re.search(part, quirk.fix) and not has(source(kind))]


@pytest.mark.parametrize("kind", nightly_but(["small-unigram", "small-wordpiece"], KINDS))
def test_no_fix_names_what_the_model_lacks(kind: str) -> None:
    """Of all quirks that change something on this kind of model; more than a hundred do on each kind but WordPiece."""
    shown = [quirk for quirk in map(quirks.get, quirks.names()) if answers(kind, quirk.name) != answers(kind, "")]
    assert len(shown) > 40
    assert {} == {quirk.name: (lacks, quirk.fix) for quirk in shown if (lacks := fits(quirk, kind))}


def test_a_fix_that_names_what_the_model_lacks_is_found() -> None:
    """The test itself tells: a fix that speaks of scores fits SPM, and not byte-level BPE."""
    quirk = Quirk("x", "", "", "", "Merge the pair with the best score.", "segment", None)
    assert ([r"\bscores?\b"], []) == (fits(quirk, "small-bpe"), fits(quirk, "small-spm"))


@pytest.mark.parametrize("name", quirks.names())
def test_no_fix_is_for_a_kind_of_vocabulary(name: str) -> None:
    """A fix says what to do on the model at hand; "only for SentencePiece vocabularies" may be printed on one."""
    told = quirks.get(name).fix
    assert re.search(r"\bfor (a |all )?(SentencePiece|byte-level|unigram|SPM|BPE)( \w+)? vocabular", told) is None
