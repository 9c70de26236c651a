"""Decodes a `normalized` token as it is looked for, not as it is spelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tokparity.behaviour import Behaviour, Decode
from tokparity.quirk import Quirk
from tokparity.quirks import toys
from tokparity.vocabulary import AddedToken, Vocabulary


@dataclass(frozen=True)
class AsMatched:
    """Decodes as `inner`, but `normalized` tokens as normalising leaves them; one that it changes is never hidden."""

    inner: Decode

    def __call__(self, vocabulary: Vocabulary, behaviour: Behaviour, ids: Sequence[int]) -> bytes:
        changed = {i: found for i in set(ids) if (found := _normalised(vocabulary, behaviour, i)) is not None}
        if not changed:
            return self.inner(vocabulary, behaviour, ids)
        pieces = list(vocabulary.pieces)
        for i, token in changed.items():
            pieces[i] = token.content.encode()
        added = tuple(changed.get(token.id, token) for token in vocabulary.added)
        return self.inner(replace(vocabulary, pieces=tuple(pieces), added=added), behaviour, ids)


def _normalised(vocabulary: Vocabulary, behaviour: Behaviour, i: int) -> AddedToken | None:
    """The token as normalising leaves it; None where it changes nothing."""
    token = vocabulary.added_by_id.get(i)
    if token is None or not token.normalized or behaviour.normalise is None:
        return None
    content = behaviour.normalise(token.content)
    return None if content == token.content else replace(token, content=content, special=False)


QUIRK = Quirk(
    name="decodes_normalized_tokens_as_matched",
    title="Decodes a `normalized` token as it is looked for, not as it is spelled",
    symptom="Where the normaliser lowers case, an added token with capitals comes back in small letters.",
    cause="The table of added tokens keeps the normalised spelling of those that are looked for in normalised text.",
    fix="Keep the spelling of the model's file for decoding.",
    field="decode",
    derive=lambda behaviour: AsMatched(behaviour.decode),
    links=("https://github.com/huggingface/tokenizers/blob/main/tokenizers/src/tokenizer/added_vocabulary.rs",),
    witness=lambda: toys.spm(
        "a b AB", added=(toys.special("AB", 5, special=False, normalized=True),), normalise=str.lower
    ).on("AB"),
)
