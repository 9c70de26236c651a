"""The forms that a text may take on its way to the pieces, whatever flips are made of decoding and normalisation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tokparity.behaviour import Behaviour
from tokparity.errors import AbortedError
from tokparity.quirk import Quirk
from tokparity.reference.byte_alphabet import to_alphabet


def forms(texts: Iterable[bytes], behaviour: Behaviour, quirks: Sequence[Quirk]) -> Iterator[str]:
    """The texts in every form that a behaviour may bring them into."""
    behaviours = _readings(behaviour, quirks)
    # What one quirk does before the model's own normaliser, another's gets to see.
    before = [b for b in _readings(replace(behaviour, normalise=None), quirks) if b.normalise]
    seen: set[str] = set()
    for text in texts:
        for form in _forms_of(text, before, behaviours):
            for spelled in (form, re.sub(" +", " ", form)):
                if spelled not in seen:
                    seen.add(spelled)
                    escaped = f"▁{spelled.replace(' ', '▁')}▁"
                    yield escaped
                    if behaviour.byte_level:
                        yield from (to_alphabet(f" {spelled} "), to_alphabet(escaped))


def _readings(behaviour: Behaviour, quirks: Sequence[Quirk]) -> list[Behaviour]:
    """The behaviour and those that decode or normalise texts in another way."""
    flipped = [quirk.flip(behaviour) for quirk in quirks if quirk.field in ("decode_text", "normalise")]
    return list({(b.decode_text, b.normalise): b for b in (behaviour, *flipped)}.values())


def _forms_of(text: bytes, before: Sequence[Behaviour], behaviours: Sequence[Behaviour]) -> Iterator[str]:
    """One text decoded, changed by what comes before the normaliser, normalised, and in other letter case."""
    for decoded in dict.fromkeys(filter(None, (_decoded(text, behaviour) for behaviour in behaviours))):
        changed = dict.fromkeys((decoded, *(_normalised(decoded, behaviour) for behaviour in before)))
        normalised = (_normalised(form, behaviour) for form in changed for behaviour in behaviours)
        for form in dict.fromkeys((*changed, *normalised)):
            yield from (form, form.lower(), form.upper(), form.casefold())


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
