"""Every generator: the same texts from the same seed, on any machine, and each text again from its origin."""

from __future__ import annotations

import hashlib
import random
import weakref
from dataclasses import replace
from itertools import islice
from operator import attrgetter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokparity import generators, strategies
from tokparity.case import Origin
from tokparity.errors import UsageError
from tokparity.generators import id_sequences, prepared
from tokparity.generators.characters import permuted
from tokparity.generators.mutations import mutate
from tokparity.generators.origins import grow, grown, text_of
from tokparity.generators.subject import Subject
from tokparity.quirks import toys
from tokparity.reference.tokenizer import Tokenizer

SUBJECT = Subject(*attrgetter("vocabulary", "behaviour")(toys.spm("▁ a b ab ▁ab é 世 !! !!! ba", byte_pieces=True)))

DIGESTS = {
    "apostrophes": "7c19ded994605403",
    "ascii_spaces": "2372733c82398728",
    "charsmap_keys": "cfe9c141c1dab6e1",
    "code_points": "f638672b43eee8da",
    "contractions": "2b802bf8b2e98c97",
    "custom_texts": "4c65ca6e694be6b7",
    "fallbacks": "7abe4a682438da5d",
    "graphemes": "72a81f6fe8a67025",
    "joints": "23714bd9e97840ab",
    "overlaps": "be39365c21d76a6a",
    "pretokeniser_samples": "725bd28f36befff5",
    "random_unicode": "e252c1f27be65dc5",
    "random_words": "edc1c050b26a3396",
    "repeats": "25f128a9fedaaeac",
    "special_tokens": "ee532c1eb7adc327",
    "ties": "eb5cf5a37f321d33",
    "vocabulary_words": "85caa61dd45be943",
}
"""Made with Python 3.11. A version that made other texts would break every stored origin."""

MUTATED = "675e96f2c29a8e3b"


@pytest.mark.parametrize("name", [name for name in generators.names() if name != "mutations"])
def test_same_seed_same_texts(name: str) -> None:
    """The first 640 texts of seed 7 are what they were when this was written."""
    texts = islice(generators.texts(name, 7, SUBJECT), 640)
    assert DIGESTS[name] == hashlib.sha256(b"\xff\xfe".join(texts)).hexdigest()[:16]


def test_same_seed_same_mutations() -> None:
    """The corpora may grow, and then mutations of them are others; what is done to a text stays the same."""
    rng = random.Random("mutate")
    found = [mutate(rng, "Grüße 世界, don't!".encode(), SUBJECT.words) for _ in range(640)]
    assert MUTATED == hashlib.sha256(b"\xff\xfe".join(found)).hexdigest()[:16]


@pytest.mark.parametrize("name", generators.names())
def test_streams_can_be_entered_anywhere(name: str) -> None:
    """The text at an index is the same whether the stream was read from the start or not."""
    whole = list(islice(generators.texts(name, 3, SUBJECT), 200))
    assert whole[130:] == list(islice(generators.texts(name, 3, SUBJECT, start=130), 70))
    assert whole[199] == text_of(Origin.parse(f"{name}:3:199"), SUBJECT)


@pytest.mark.parametrize("name", generators.names())
def test_seeds_differ_and_texts_vary(name: str) -> None:
    """Another seed makes other texts, and most texts of a stream differ from each other."""
    first, second = (list(islice(generators.texts(name, seed, SUBJECT), 640)) for seed in (1, 2))
    assert first != second
    assert len(set(first)) > 100


def test_grown_texts_come_again_from_their_origin() -> None:
    """A mutation of a generated text, and a mutation of that, follow from the origin alone."""
    child = grown(Origin.parse("joints:1:5"), 1, 9)
    grandchild = grown(child, 1, 10)
    text = grow(grandchild, text_of(child, SUBJECT), SUBJECT)
    assert text == text_of(grandchild, SUBJECT)


@pytest.mark.parametrize(
    "origin", ["nobody:0:1", "joints:0", "grown:0:1", "joints:0:1@joints:0:2", "languages/de.txt:4"]
)
def test_what_is_no_origin(origin: str) -> None:
    """An origin that no generator made is told, with the value."""
    with pytest.raises(UsageError, match="is not the origin"):
        text_of(Origin.parse(origin), SUBJECT)


def test_an_unknown_generator_is_told_with_the_nearest() -> None:
    """As everywhere, the nearest name is suggested."""
    with pytest.raises(UsageError, match="did you mean 'joints'"):
        generators.get("joint")


@given(st.integers(1, 5000))
def test_permuted_takes_each_place_once(size: int) -> None:
    """An enumeration in a jumping order leaves nothing out."""
    assert list(range(size)) == sorted(permuted(index, size) for index in range(size))


def test_rows_of_ids_hold_special_and_impossible_ones() -> None:
    """Rows for decoding reach single ids, byte pieces, special ids, and ids out of range."""
    draw = id_sequences.prepare(SUBJECT)
    rng = random.Random("rows")
    rows = [draw(rng, index, [(1, 2, 3)]) for index in range(2000)]
    size = len(SUBJECT.vocabulary)
    met = {i for row in rows for i in row}
    assert set() == set(range(size)) - met
    assert any(i < 0 for i in met)
    assert any(i >= size for i in met)
    assert rows == [draw(again, index, [(1, 2, 3)]) for again in [random.Random("rows")] for index in range(2000)]


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(strategies.texts(SUBJECT.vocabulary, SUBJECT.behaviour, ["joints", "special_tokens"]))
def test_texts_as_a_strategy(text: bytes) -> None:
    """The same generators serve Hypothesis: what the toy's bytes spell, it decodes to again; a marker is a space."""
    tokenizer = Tokenizer(SUBJECT.vocabulary, SUBJECT.behaviour)
    assert text.replace("▁".encode(), b" ") == tokenizer.decode(tokenizer.encode(text, add_special=False))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(strategies.models())
def test_models_as_a_strategy(model: tuple[object, object]) -> None:
    """Generated models can be tokenized with: decoding and encoding raise nothing."""
    tokenizer = Tokenizer(*model)  # type: ignore[arg-type]
    ids = tokenizer.encode("ab c世\u0301<x>1".encode(), parse_special=True)
    assert all(0 <= i < len(tokenizer.vocabulary) for i in ids)
    assert isinstance(tokenizer.decode(ids), bytes)


def test_the_same_models_generators_are_prepared_once() -> None:
    """As long as somebody holds them; then they are let go, and the texts are the same with and without."""
    one = prepared(SUBJECT.vocabulary, SUBJECT.behaviour)
    first = list(islice(one.texts("overlaps", 7), 100))
    assert one is prepared(SUBJECT.vocabulary, SUBJECT.behaviour)
    assert one is not prepared(SUBJECT.vocabulary, replace(SUBJECT.behaviour))
    assert first == list(islice(one.texts("overlaps", 7), 100))
    assert first == list(islice(generators.texts("overlaps", 7, SUBJECT), 100))
    gone = weakref.ref(one)
    del one
    assert gone() is None
