"""Special tokens as a text spells them: where none is spelled, an engine that always recognizes them may be asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from tokparity import formats
from tokparity.engines.answers import UnsupportedError
from tokparity.errors import TokparityError
from tokparity.vocabulary import Kind

_KINDS = (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED)


@dataclass(frozen=True)
class Specials:
    """The special and added tokens of a model: how all are spelled, and the ids of those that decoding leaves out."""

    spelled: frozenset[str] = frozenset()
    left_out: Mapping[int, str] = field(default_factory=dict)


def specials(path: str) -> Specials:
    """Those of a model's file; none where the file cannot be read."""
    try:
        return _of(formats.read(path))
    except TokparityError:
        return Specials()


def _of(source: formats.Source) -> Specials:
    vocabulary, behaviour = source.vocabulary, source.behaviour.skipping_special
    texts = [piece.decode("utf-8", "replace") for piece in vocabulary.pieces]
    found = {text for text, kind in zip(texts, vocabulary.kinds, strict=False) if kind in _KINDS}
    control = {i: texts[i] for i, kind in enumerate(vocabulary.kinds) if kind is Kind.CONTROL}
    added = {token.id: token.content for token in vocabulary.added if token.special}
    left_out = {i: text for i, text in (control | added).items() if not behaviour.decode(vocabulary, behaviour, [i])}
    return Specials(frozenset(found | {token.content for token in vocabulary.added}) - {""}, left_out)


def spelled(path: str) -> frozenset[str]:
    """How the special and added tokens of a model's file are spelled; none where the file cannot be read."""
    return specials(path).spelled


def refuse_spelled(texts: Iterable[str], spelled: Collection[str], engine: str) -> None:
    """Raise UnsupportedError where one of the texts spells a special token."""
    if any(special in text for text in texts for special in spelled):
        # The reason is the same for every such text, so that those who count can add them up.
        message = f"{engine} always recognizes special tokens, and the text contains one"
        raise UnsupportedError(message, "`tokparity diff --parse-special` puts it so")
