"""Decoders of Hugging Face's `tokenizers`: each turns a list of tokens into another; in the end they are joined.

Source: tokenizers 0.23, `decoders/*.rs`, and `pre_tokenizers/byte_level.rs` and `metaspace.rs`, which decode as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tokparity.reference.byte_alphabet import BYTES
from tokparity.reference.normalise import Replace as ReplaceText
from tokparity.reference.normalise import check_growth

DecodeStage = Callable[[list[str]], list[str]]
InvalidBytes = Literal["replaced", "run_replaced", "kept"]
"""Bytes that are not UTF-8: each that is none becomes U+FFFD, or each of the run that holds them, or they stay."""

_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")
CLEAN_UP = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)


def clean_up(text: str, rules: Sequence[tuple[str, str]] = CLEAN_UP) -> str:
    """Spaces before punctuation and in English contractions go, in this order."""
    for before, after in rules:
        text = text.replace(before, after)
    return text


@dataclass(frozen=True)
class Bpe:
    """BPEDecoder: the suffix of a word's last token becomes a space, except on the last token."""

    suffix: str

    def __call__(self, tokens: list[str]) -> list[str]:
        last = len(tokens) - 1
        return [token.replace(self.suffix, "" if i == last else " ") for i, token in enumerate(tokens)]


@dataclass(frozen=True)
class ByteLevel:
    """The bytes that the tokens spell; a token with any character outside of the alphabet represents itself.

    `invalid_bytes`: what is not UTF-8 becomes U+FFFD, or stays, as lone surrogates.
    """

    invalid_bytes: InvalidBytes = "replaced"

    def __call__(self, tokens: list[str]) -> list[str]:
        data = b"".join(_bytes_of(token) for token in tokens)
        return [data.decode("utf-8", "replace" if self.invalid_bytes == "replaced" else "surrogateescape")]


def _bytes_of(token: str) -> bytes:
    try:
        return bytes(BYTES[character] for character in token)
    except KeyError:
        return token.encode("utf-8", "replace")


@dataclass(frozen=True)
class ByteFallback:
    """`<0xXX>` tokens in a row are bytes; if they are not UTF-8, each becomes U+FFFD, or stays, as lone surrogates."""

    invalid_bytes: InvalidBytes = "replaced"

    def __call__(self, tokens: list[str]) -> list[str]:
        out: list[str] = []
        for is_byte, group in groupby(tokens, key=lambda token: _BYTE_TOKEN.fullmatch(token) is not None):
            run = list(group)
            out += self._decoded(bytes(int(token[3:5], 16) for token in run)) if is_byte else run
        return out

    def _decoded(self, data: bytes) -> list[str]:
        try:
            return [data.decode()]
        except UnicodeDecodeError:
            kept = self.invalid_bytes == "kept"
            return [data.decode("utf-8", "surrogateescape")] if kept else ["\ufffd"] * len(data)


@dataclass(frozen=True)
class WordPiece:
    """Joins a token to the one before if it has the prefix; otherwise writes a space before it."""

    prefix: str = "##"
    cleanup: bool = True

    def __call__(self, tokens: list[str]) -> list[str]:
        spaced = [token if i == 0 else self._joined(token) for i, token in enumerate(tokens)]
        return [clean_up(token) for token in spaced] if self.cleanup else spaced

    def _joined(self, token: str) -> str:
        return token.removeprefix(self.prefix) if token.startswith(self.prefix) else " " + token


@dataclass(frozen=True)
class Metaspace:
    """The replacement becomes a space; in the first token it goes if one was prepended."""

    replacement: str = "▁"
    prepended: bool = True

    def __call__(self, tokens: list[str]) -> list[str]:
        first = "" if self.prepended else " "
        return [token.replace(self.replacement, first if i == 0 else " ") for i, token in enumerate(tokens)]


@dataclass(frozen=True)
class Ctc:
    """CTC: equal tokens in a row are one, padding goes, the delimiter is a space."""

    pad_token: str = "<pad>"
    word_delimiter: str = "|"
    cleanup: bool = True

    def __call__(self, tokens: list[str]) -> list[str]:
        texts = [token.replace(self.pad_token, "") for token, _ in groupby(tokens)]
        if self.cleanup:
            texts = [clean_up(text).replace(self.word_delimiter, " ") for text in texts]
        return [text for text in texts if text]


@dataclass(frozen=True)
class Replace:
    """Every match of a pattern becomes `content`, in each token."""

    pattern: str
    content: str
    literal: bool = True

    def __call__(self, tokens: list[str]) -> list[str]:
        return [ReplaceText(self.pattern, self.content, self.literal)(token) for token in tokens]


@dataclass(frozen=True)
class Fuse:
    """All tokens become one."""

    def __call__(self, tokens: list[str]) -> list[str]:
        return ["".join(tokens)]


@dataclass(frozen=True)
class Strip:
    """Up to `start` and `stop` of one character go at the two ends of each token."""

    character: str
    start: int
    stop: int

    def __call__(self, tokens: list[str]) -> list[str]:
        return [self._stripped(token) for token in tokens]

    def _stripped(self, token: str) -> str:
        begin = min(self.start, len(token) - len(token.lstrip(self.character)))
        token = token[begin:]
        end = min(self.stop, len(token) - len(token.rstrip(self.character)))
        return token[: len(token) - end]


def apply(stages: Sequence[DecodeStage], tokens: list[str]) -> str:
    """The text of tokens: each stage in turn, and then all together."""
    given = sum(map(len, tokens))
    for stage in stages:
        tokens = stage(tokens)
        check_growth(given, sum(map(len, tokens)), "decoder")
    return "".join(tokens)
