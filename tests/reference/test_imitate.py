"""What an engine that behaves like the reference answers, and how it fails."""

from __future__ import annotations

from dataclasses import replace

from tokparity import quirks
from tokparity.behaviour import Behaviour
from tokparity.outcome import Decoding, Encoding, Failure
from tokparity.questions import Encode
from tokparity.quirks import toys
from tokparity.reference.imitate import imitate, imitate_decoding
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Vocabulary

TOY = toys.spm("a b ab")
TOKENIZER = Tokenizer(TOY.vocabulary, TOY.behaviour)


def raises(*_: object) -> bytes:
    """What a flip may do that does not fit a model."""
    raise IndexError("no such piece")


def test_ids_and_what_they_decode_to() -> None:
    """The ids alone, or with the text they decode to where that is asked."""
    ids = tuple(TOKENIZER.encode(b"ab", False))
    assert Encoding(ids) == imitate(TOKENIZER, Encode(b"ab", False))
    assert Encoding(ids, b"ab") == imitate(TOKENIZER, Encode(b"ab", False), decodes=True)


def test_a_quirk_that_stands_for_a_crash() -> None:
    """It is a crash, as of an engine whose process died."""
    quirk = quirks.get("aborts_on_unknown_without_bytes")
    outcome = imitate(TOKENIZER.with_behaviour(quirk.flip(TOY.behaviour)), Encode("é".encode(), False))
    assert isinstance(outcome, Failure)
    assert "crash" == outcome.kind


def test_whatever_else_is_raised_is_an_error() -> None:
    """With its type and message, whether encoding, building or decoding raised it."""
    error = Failure("error", "IndexError: no such piece")
    breaks = replace(TOY.behaviour, pretokenise=raises)
    assert error == imitate(TOKENIZER.with_behaviour(breaks), Encode(b"ab"))

    def building(vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        raises()

    cannot_be_built = replace(TOY.behaviour, segment=building)
    assert error == imitate(lambda: TOKENIZER.with_behaviour(cannot_be_built), Encode(b"ab"))
    assert error == imitate_decoding(TOY.vocabulary, replace(TOY.behaviour, decode=raises), (0,))


def test_decoding_alone() -> None:
    """Special tokens are shown or left out as the behavior says."""
    assert Decoding(TOKENIZER.decode((0,))) == imitate_decoding(TOY.vocabulary, TOY.behaviour, (0,))
    hidden = imitate_decoding(TOY.vocabulary, TOY.behaviour.skipping_special, (0,))
    assert Decoding(TOKENIZER.decode((0,), skip_special=True)) == hidden
