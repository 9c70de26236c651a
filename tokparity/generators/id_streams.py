"""Ids that come one after another, as a model's answer does: words of ten languages, and what breaks streams.

That is bytes that cross characters in every way, special tokens between them, runs of U+FFFD, and prompts that end
inside a character. Streams also end with the beginnings of what servers stop at, which they hold back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tokparity.generators.characters import number, pick
from tokparity.generators.subject import Subject
from tokparity.questions import Stream
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind

ORIGIN = "id_streams"
"""How the origin of a stream begins."""

Draw = Callable[[random.Random, int], Stream]
"""(source of randomness, index of the stream) -> the stream."""

_TEXTS = (
    "Hello, world! It's 12 o'clock.\nNext line", "Grüße aus Köln, naïve Ærøskøbing", "Привет, как дела? Хорошо.",
    "안녕하세요, 오늘 날씨가 좋네요", "今天天气很好，我们去公园吧。", "東京は日本の首都です。ありがとう！",
    "مرحبا بالعالم، كيف حالك؟", "नमस्ते दुनिया, आप कैसे हैं?", "สวัสดีชาวโลก วันนี้อากาศดี", "שלום עולם, מה שלומך?",
    "Καλημέρα κόσμε", "👩\u200d👩\u200d👧 😀🇩🇪 ok 👍🏽", "  two  spaces\n\n  and lines\n",
    "def f(x):\n    return x  # ok\n", "e\u0301 n\u0303 각 \u1100\u1161\u11a8", "\ufffd\ufffd a \ufffd",
    " don't , can't . is n't !", "𝒳 𠀀 𐍈 ﷽", "\ufeffa\ufeff\x00b\u200b\xad\u2028c\r\n\td",
    "ok <|im_end|> a </s> b [/INST] ### c\n\nUser: ```\n<tool_call>",
)  # fmt: skip
_MARKED = 200
"""Special tokens at most of each of two kinds: those that are left out of a text, and all of them."""
_LONGEST = 40
"""Ids of most streams: a fault shows on few."""


def prepare(subject: Subject) -> Draw:
    """Streams of up to 40 ids, half of them behind a prompt."""
    ids_of = Tokenizer(subject.vocabulary, subject.behaviour).encode
    words = [ids_of(text.encode(), False, False) for text in _TEXTS]
    single = {piece: i for i, piece in enumerate(subject.spelled) if len(piece) == 1}
    single |= {bytes([byte]): i for byte, i in enumerate(subject.vocabulary.byte_ids) if i is not None}
    spelled = [[single[b] for b in _bytes(text) if b in single] for text in _TEXTS]
    kinds = subject.vocabulary.kinds
    marked = [i for i, kind in enumerate(kinds) if kind not in (Kind.NORMAL, Kind.BYTE, Kind.UNUSED)]
    hidden = (*subject.vocabulary.special.values(), *(i for i in marked if kinds[i] is Kind.CONTROL))
    specials = [tuple(dict.fromkeys(some)) for some in (hidden[:_MARKED], marked[:_MARKED]) if some] or [(0,)]
    known = [i for i, piece in enumerate(subject.vocabulary.pieces) if piece] or [0]
    replacement = ids_of("\ufffd".encode(), False, False) or [0]

    def row(rng: random.Random, way: int) -> list[int]:
        if way == 0:
            return [pick(rng, known) for _ in range(number(rng, 1, 12))]
        if way == 1:  # of no character, or of some by chance
            return [pick(rng, [*single.values()] or known) for _ in range(number(rng, 1, 12))]
        if way == 2:
            return replacement * number(rng, 1, 6)
        return list(pick(rng, words if way % 2 else spelled) or pick(rng, words))

    def draw(rng: random.Random, index: int) -> Stream:
        ids = [i for _ in range(number(rng, 1, 3)) for i in _part(rng, row(rng, number(rng, 0, 9)))]
        if index % 4 == 1:
            at = number(rng, 0, len(ids))
            ids[at:at] = [pick(rng, pick(rng, specials))]
        ids = ids[:_LONGEST] or [0]
        at = number(rng, 0, len(ids) - 1) if index % 2 else 0
        return Stream(tuple(ids[at:]), tuple(ids[:at]))

    return draw


def _bytes(text: str) -> list[bytes]:
    return [bytes([byte]) for byte in text.encode()]


def _part(rng: random.Random, row: Sequence[int]) -> Sequence[int]:
    """A stretch of a row, which may begin and end inside a character."""
    start = number(rng, 0, max(len(row) - 1, 0))
    return row[start : number(rng, start + 1, max(len(row), start + 1))]
