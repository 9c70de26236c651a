"""The forms that a text may have before it becomes pieces, with all quirks of decoding and normalization."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from unicodedata import normalize

from tokparity.behaviour import Behaviour
from tokparity.errors import AbortedError
from tokparity.quirk import Quirk
from tokparity.reference.byte_alphabet import to_alphabet

READING = ("decode_text", "normalise")
"""The fields of a behavior that make a form of a text."""


class Forms:
    """The forms into which a behavior, or a flip of it, may bring texts.

    Those of a text are kept: a diagnosis reduces its model again and again, to much the same texts.
    """

    def __init__(self, behaviour: Behaviour, quirks: Sequence[Quirk]) -> None:
        self._byte_level = behaviour.byte_level
        self._behaviours = _readings(behaviour, quirks)
        # What one quirk does before the model's own normalizer, another's gets to see.
        self._before = [b for b in _readings(replace(behaviour, normalise=None), quirks) if b.normalise]
        self._known: dict[bytes, tuple[str, ...]] = {}

    def of(self, texts: Iterable[bytes]) -> list[str]:
        """The texts in every form, each form once."""
        found: dict[str, None] = {}
        for text in texts:
            if text not in self._known:
                self._known[text] = tuple(self._spelled(text))
            found.update(dict.fromkeys(self._known[text]))
        return list(found)

    def _spelled(self, text: bytes) -> Iterator[str]:
        forms = dict.fromkeys(_forms_of(text, self._before, self._behaviours))
        for spelled in dict.fromkeys(chain.from_iterable((form, re.sub(" +", " ", form)) for form in forms)):
            escaped = f"▁{spelled.replace(' ', '▁')}▁"
            yield escaped
            if self._byte_level:
                yield from (to_alphabet(f" {spelled} "), to_alphabet(escaped))


def _readings(behaviour: Behaviour, quirks: Sequence[Quirk]) -> list[Behaviour]:
    """The behavior and those that decode or normalize texts in another way."""
    flipped = [quirk.flip(behaviour) for quirk in quirks if quirk.field in READING]
    return list({(b.decode_text, b.normalise): b for b in (behaviour, *flipped)}.values())


def _forms_of(text: bytes, before: Sequence[Behaviour], behaviours: Sequence[Behaviour]) -> Iterator[str]:
    """One text decoded, changed by what comes before the normalizer, normalized, in other letter case, composed."""
    for decoded in dict.fromkeys(filter(None, (_decoded(text, behaviour) for behaviour in behaviours))):
        changed = dict.fromkeys((decoded, *(_normalised(decoded, behaviour) for behaviour in before)))
        normalised = (_normalised(form, behaviour) for form in changed for behaviour in behaviours)
        for form in dict.fromkeys((*changed, *normalised)):
            yield from (form, form.lower(), form.upper(), form.casefold())
            yield from (normalize("NFC", form), normalize("NFD", form))


def _decoded(text: bytes, behaviour: Behaviour) -> str:
    try:
        return behaviour.decode_text(text)
    except AbortedError:
        return ""  # a flip that stands for a crash gives nothing


def _normalised(text: str, behaviour: Behaviour) -> str:
    try:
        return behaviour.normalise(text) if behaviour.normalise else text
    except Exception:
        return text  # a flip that raises on a text explains nothing there
