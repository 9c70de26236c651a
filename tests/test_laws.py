"""The laws of a stream: each is broken by a toy stream, and a right one breaks none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from tokparity.laws import LAWS, complete, judged, needed
from tokparity.outcome import Streaming
from tokparity.reference.stream import Streamer

PIECES = (b" a", b"b", b"\xed", b"\x95\x9c", b"\n", b"\xef\xbf\xbd", b"\xff", b" c")
"""Ids and what they spell: words, the two parts of a Hangul syllable, a line end, U+FFFD itself, a byte of no text."""
HANGUL = (2, 3)


def decode(ids: Sequence[int]) -> bytes:
    """As SentencePiece does it: one space at the beginning goes, and each byte that is not UTF-8 becomes U+FFFD."""
    text = b"".join(PIECES[i] for i in ids).decode("utf-8", "replace")
    return text.removeprefix(" ").encode()


def cleaned(ids: Sequence[int]) -> bytes:
    """The same with a clean-up that takes text back: of "b" before "c" nothing is left."""
    return decode(ids).replace(b"b c", b"c")


def of(
    deltas: Sequence[bytes],
    ids: Sequence[int],
    prefill: Sequence[int] = (),
    decodes: Callable[[Sequence[int]], bytes] = decode,
) -> Streaming:
    """What is said of the deltas, knowing no more shorter rows than are needed, and all where a law is broken."""
    before, whole = decodes(prefill) if prefill else b"", decodes([*prefill, *ids])
    texts = {count: decodes([*prefill, *ids[:count]]) for count in range(1, len(ids) + 1)}
    few = {count: texts[count] for count in needed(deltas, whole, before)}
    found = judged(deltas, whole, before, few.get)
    return judged(deltas, whole, before, texts.get) if found.law else found


BROKEN: Mapping[str, tuple[Sequence[bytes], Sequence[int], Sequence[int]]] = {
    "replacement": ((b"\xef\xbf\xbd", b"\xef\xbf\xbd", b""), HANGUL, ()),
    "joined": ((b"b", b"", b""), (1, 2), ()),
    "prefix": ((b"b", b"c", b""), (1, 7), ()),
    "late": ((b"b", b"", b" cb", b""), (1, 7, 1), ()),
    "prefill": ((b"c", b""), (7,), (1,)),
}
"""By law: the deltas of a toy stream, its ids, and those of its prompt."""


@pytest.mark.parametrize("law", BROKEN)
def test_each_law_is_broken_by_a_toy(law: str) -> None:
    """The deltas break this law and no other, and those that are called right break none."""
    deltas, ids, prefill = BROKEN[law]
    found = of(deltas, ids, prefill)
    assert law == found.law
    assert Streaming(found.right) == of(found.right, ids, prefill)


def test_decoding_that_takes_text_back_is_to_blame() -> None:
    """Where what fewer ids decode to is not a beginning of the whole, it is not the stream's fault."""
    assert "decode" == of((b"b", b"", b""), (1, 7), decodes=cleaned).law


def test_work_that_grows_is_told() -> None:
    """Ids that are decoded again and again for each new one break a law, however right the text is."""
    ids = [1] * 1000
    deltas = [b"b"] * 1000 + [b""]
    assert "" == judged(deltas, b"b" * 1000, b"", lambda count: b"b" * count, 4 * 1000).law
    assert "work" == judged(deltas, b"b" * 1000, b"", lambda count: b"b" * count, len(ids) ** 2 // 2).law


@pytest.mark.parametrize("ids", [(), (0, 1), HANGUL, (1, *HANGUL, 7), (5,) * 9, (6, 6, 6, 6, 1), (1, 4, 7, 2)])
@pytest.mark.parametrize("prefill", [(), (1,), (1, 2), (5,), (4,)])
def test_a_right_stream_breaks_no_law(ids: Sequence[int], prefill: Sequence[int]) -> None:
    """Of the reference stream nothing is said, whatever the prompt ends with."""
    deltas = tuple(Streamer()(decode, prefill, ids))
    assert Streaming(deltas) == of(deltas, ids, prefill)


def test_bytes_of_a_character_may_come_one_by_one() -> None:
    """An engine that gives bytes need not wait for a whole character."""

    def raw(ids: Sequence[int]) -> bytes:
        return b"".join(PIECES[i] for i in ids)

    assert "" == of((b"\xed", b"\x95\x9c", b""), HANGUL, decodes=raw).law


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (b"a\xed\x95", b"a"), (b"a\xf0\x9f\x98", b"a"), (b"a\xc3", b"a"), (b"a\xff", b"a\xff"), (b"a\x95", b"a\x95"),
        ("한".encode(), "한".encode()), ("a" + 3 * "\ufffd", "a"), ("a" + 5 * "\ufffd", "a\ufffd\ufffd"), (b"", b""),
    ],
)  # fmt: skip
def test_complete_leaves_out_at_most_one_character(text: bytes | str, whole: bytes | str) -> None:
    """Bytes that begin a character go, or three U+FFFD that may be such bytes; what can't be completed stays."""
    given, wanted = (one.encode() if isinstance(one, str) else one for one in (text, whole))
    assert wanted == complete(given)


def test_nothing_is_asked_of_a_stream_that_is_never_behind() -> None:
    """Shorter rows cost decoding, so only a stream with an empty delta, or a wrong text, has them asked."""
    assert [] == needed((b"a", b"b", b""), b"ab", b"")
    assert [2] == needed((b"a", b"", b"bc", b""), b"abc", b"")
    assert [1, 2] == needed((b"a", b"x", b"c", b""), b"abc", b"")


def test_every_law_has_a_sentence() -> None:
    """What is broken is told in words, and the toys above break all laws."""
    assert set(LAWS) == {*BROKEN, "decode", "work"}
    assert all(len(sentence.split()) <= 25 for sentence in LAWS.values())
