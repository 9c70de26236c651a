"""Byte-level models that lose one byte because a wrong byte alphabet makes it part of no piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from tokparity.diagnose.base import Base
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant
from tokparity.diagnose.limits.texts import BYTES_TRIED
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.separate.characters import universe
from tokparity.diagnose.word_by_word import WordByWord, WordIds
from tokparity.reference.text import encode_text
from tokparity.reference.unknown import fallback


def lost_bytes(facts: Facts) -> Iterator[Variant]:
    """The variants that lose a byte of the smallest mismatch which no text has that was answered rightly."""
    smallest, base = facts.against, facts.base
    if not base.behaviour.byte_level or not facts.is_of_ids:
        return
    came = {
        byte
        for seen in (*facts.right, *facts.asking.seen.values())
        if not seen.wrong
        for byte in encode_text(seen.spelled)
    }
    words = WordByWord(base)
    for byte in sorted({*facts.question.text} - came)[:BYTES_TRIED]:
        some = [c for c in universe() if byte in encode_text(c)] or [*smallest.spelled]
        texts = mixed(some)
        for says, other in _without(words, base, bytes([byte])).items():
            variant = facts.variant(says, partial(words.ids, other=other, holds=lambda place: True), texts)
            if facts.shows(variant):
                yield variant


def _without(words: WordByWord, base: Base, byte: bytes) -> Mapping[str, WordIds]:
    """What may become of words that have the byte."""
    unknown = fallback(base.vocabulary, base.behaviour)

    def parts(word: str) -> list[str]:
        return [part.decode("utf-8", "surrogateescape") for part in encode_text(word).split(byte)]

    def apart(instead: Callable[[str], Sequence[int]]) -> WordIds:
        def ids(word: str) -> list[int]:
            first, *others = parts(word)
            rows = (words.right(first), *(row for part in others for row in (instead("\ufffd"), words.right(part))))
            return [*chain.from_iterable(rows)]

        return ids

    named = f"the byte 0x{byte[0]:02X}"
    return {
        f"that drops {named}, so that no piece has it": apart(lambda lost: ()),
        f"that drops {named} before merging": lambda word: words.right("".join(parts(word))),
        f"that writes the ids of unknown text in place of {named}": apart(unknown),
    }
