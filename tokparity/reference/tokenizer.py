"""The reference tokenizer: the order of the stages. What each stage does stands in the `Behaviour`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from tokparity.behaviour import Behaviour, Fragment, Stage, Trace, fields_of
from tokparity.reference.seams import Memo
from tokparity.reference.spaces import arrange_spaces, escaped, normalized
from tokparity.reference.start import asks_for_start, drops_start
from tokparity.reference.stream import right
from tokparity.vocabulary import Vocabulary

SEGMENTER_READS = (*fields_of(Stage.MODEL), "byte_level", "byte_alphabet", "space_marker")
"""The fields that `segment` and the segmenter it gives may read; a segmenter serves all behaviors equal in these."""
MATCHER_READS = (*fields_of(Stage.ADDED_TOKENS, Stage.NORMALISATION), "space_marker")
"""The fields that `match_added` and what it gives may read."""

_KEPT_PIECES = 1_500_000  # in the segmenters that are kept for relatives; one of 250,000 pieces takes 100 MB


class Tokenizer:
    """A vocabulary and a behavior, ready to encode and decode."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._prepare(vocabulary, behaviour, {})

    def with_behaviour(self, behaviour: Behaviour) -> Tokenizer:
        """The same vocabulary with another behavior.

        What the fields in which they differ do not concern is shared and not built again, also among relatives.
        """
        other = Tokenizer.__new__(Tokenizer)
        other._prepare(self.vocabulary, behaviour, self._built)
        return other

    @property
    def looks_twice(self) -> bool:
        """Whether added tokens are looked for in the normalized text as well."""
        return self._match_normalized is not None

    def shares_segmenter(self, behaviour: Behaviour) -> bool:
        """Whether another behavior cuts words into pieces in the same way, so that no new table is needed."""
        return all(getattr(self.behaviour, name) == getattr(behaviour, name) for name in SEGMENTER_READS)

    def _prepare(self, vocabulary: Vocabulary, behaviour: Behaviour, built: dict[Any, Any]) -> None:
        self.vocabulary = vocabulary
        self.behaviour = behaviour
        self._built = built
        later = behaviour.obeys_normalized and any(token.normalized for token in vocabulary.added)
        self._match_raw = self._shared(MATCHER_READS, lambda: behaviour.match_added(vocabulary, behaviour, False))
        self._match_normalized = behaviour.match_added(vocabulary, behaviour, True) if later else None
        asks = behaviour.space_prefix == "first" or asks_for_start(behaviour.pretokenise)
        self._asks_for_start = asks and behaviour.starts_as_given
        if behaviour.normalise is not None:
            behaviour.normalise("")  # whatever tables it needs are built now, not at the first text
        self._word_ids = self._shared(SEGMENTER_READS, lambda: Memo(behaviour.segment(vocabulary, behaviour)))
        self._segment = self._word_ids.compute

    def _shared(self, reads: Sequence[str], build: Callable[[], Any]) -> Any:
        """What `build` gives, or what it gave to a relative whose behavior is equal in all that it reads."""
        key = reads, tuple(getattr(self.behaviour, name) for name in reads)
        found = self._built.pop(key, None)
        if found is None:
            found = build()
            relatives = [other for other in self._built if other[0] is reads]
            if len(relatives) >= max(2, _KEPT_PIECES // (len(self.vocabulary.ids) + 1)):
                del self._built[relatives[0]]
        self._built[key] = found  # the latest used comes last
        return found

    def encode(
        self, text: bytes, add_special: bool = True, parse_special: bool = False, trace: Trace | None = None
    ) -> list[int]:
        """The ids of a text. `trace`, if given, receives the result of each stage."""
        behaviour = self.behaviour
        decoded = behaviour.decode_text(text)
        ids: list[int] = []
        for fragment, at_start in self._fragments(decoded, _decide(behaviour.parses_special, parse_special), trace):
            if isinstance(fragment, int):
                ids.append(fragment)
                continue
            spaced = arrange_spaces(fragment, behaviour, at_start) if behaviour.prepares_text else fragment
            words = self._words(spaced, at_start)
            if trace:
                trace("spaces", {"text": spaced})
                trace("words", {"words": list(words)})
                for word in words:
                    ids += self._segment(word, trace)
            else:
                ids.extend(chain.from_iterable(map(self._word_ids.__getitem__, words)))
        if behaviour.wrap is not None and _decide(behaviour.adds_special, add_special):
            ids = behaviour.wrap(self.vocabulary, behaviour, ids)
        return ids if behaviour.capacity is None else ids[: behaviour.capacity(len(text))]

    def word_ids(self, word: str) -> Sequence[int]:
        """The ids of one word, as the pre-tokenizer gives it."""
        behaviour = self.behaviour
        ids: Sequence[int] = self._word_ids[
            escaped(word, behaviour) if behaviour.escape_order == "after_split" else word
        ]
        return ids

    def decode(self, ids: Sequence[int], skip_special: bool = False) -> bytes:
        """The bytes that the ids represent."""
        behaviour = self.behaviour.skipping_special if skip_special else self.behaviour
        return behaviour.decode(self.vocabulary, behaviour, ids)

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool = False) -> Iterator[bytes]:
        """The bytes that each id adds to those of a prompt and the ids before it, and what is left at the end."""
        return (self.behaviour.stream or right)(lambda row: self.decode(row, skip_special), prefill, ids, skip_special)

    def _fragments(self, text: str, parse_special: bool, trace: Trace | None) -> Iterator[tuple[Fragment, bool]]:
        """Normalized fragments and ids of added tokens, each with whether it stands at the very start of the text."""
        raw = self._match_raw(text, parse_special)
        if trace:
            trace("added tokens", {"fragments": list(raw)})
        at_start = True
        for fragment in raw:
            if isinstance(fragment, int):
                yield fragment, at_start
            else:
                if at_start and self._asks_for_start and self.behaviour.normalise:
                    at_start = not drops_start(self.behaviour.normalise, fragment)
                for inner in self._normalised(fragment, parse_special, trace):
                    yield inner, at_start
                    at_start = False
            at_start = False

    def _normalised(self, fragment: str, parse_special: bool, trace: Trace | None) -> Sequence[Fragment]:
        text = normalized(fragment, self.behaviour)
        if trace:
            by = "nothing" if self.behaviour.normalise is None else repr(self.behaviour.normalise)
            trace("normalised", {"text": text, "by": by})
        if self._match_normalized is None:
            return [text]
        found = self._match_normalized(text, parse_special)
        if trace:
            trace("added tokens in the normalized text", {"fragments": list(found)})
        return found

    def _words(self, text: str, at_start: bool) -> Sequence[str]:
        behaviour = self.behaviour
        if not text:
            return []
        if not behaviour.prepares_text:
            return [text]
        words = behaviour.pretokenise(text, at_start) if behaviour.pretokenise else [text]
        if behaviour.escape_order == "after_split":
            return [escaped(word, behaviour) for word in words]
        return words


def _decide(rule: str, asked: bool) -> bool:
    return asked if rule == "as_asked" else rule == "always"
