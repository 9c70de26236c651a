"""Takes the longest stretch that is a piece, at the beginning of a word also with the marker before it."""

from __future__ import annotations

from tokparity.behaviour import Behaviour, Segment, Segmenter, Trace
from tokparity.quirk import Derived, Place, Quirk
from tokparity.quirks import toys
from tokparity.quirks.greedy_longest_match import longest_by_beginning
from tokparity.reference.byte_alphabet import letters
from tokparity.reference.text import encode_text
from tokparity.reference.unknown import fallback
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Vocabulary

_MOST_BYTES = 64


def longest_marked_match(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
    """The segmenter that takes the longest stretch of at most 64 bytes; pieces of every kind are matched."""
    return LongestMarkedMatch(vocabulary, behaviour)


def _marked(behaviour: Behaviour) -> Segment:
    # WordPiece takes the longest piece by definition, and has no marker.
    return behaviour.segment if behaviour.segment is wpm else longest_marked_match


class LongestMarkedMatch:
    """At each position the longest stretch, in bytes, that is a piece; what is none falls back character by character.

    At the start of the text and after a space, the engine also drops the stretch's leading spaces and looks up the
    marker with the rest. Of two pieces for stretches of one length, that one goes first. So spaces before a word may
    disappear in it. Spaces behind a word are no piece, and fall back to bytes.
    """

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._byte_level, self._spell = behaviour.byte_level, letters(behaviour)
        self._marker = behaviour.space_marker.strip(" ") or "▁"
        self._fallback = fallback(vocabulary, behaviour)
        self._ids = {piece.decode("utf-8", "surrogateescape"): i for piece, i in vocabulary.ids.items()}
        self._longest = longest_by_beginning(self._ids)

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]:
        spelled = self._spell(word) if self._byte_level else word
        ids: list[int] = []
        at = 0
        while at < len(spelled):
            end, known = self._match(spelled, at)
            if trace:
                trace("match", {"at": at, "piece": None if known is None else spelled[at:end]})
            ids += self._fallback(spelled[at]) if known is None else [known]
            at = end
        return ids

    def _match(self, text: str, at: int) -> tuple[int, int | None]:
        """Where the stretch at this position ends and its id; without one, the end of the character."""
        begins_word = at == 0 or text[at - 1] == " "
        most = _MOST_BYTES if begins_word else self._longest.get(text[at : at + 2], 1)
        for end in range(_reach(text, at, most), at, -1):
            stretch = text[at:end]
            known = self._ids.get(self._marker + stretch.lstrip(" ")) if begins_word else None
            if known is None:
                known = self._ids.get(stretch)
            if known is not None:
                return end, known
        return at + 1, None


def _reach(text: str, at: int, most: int) -> int:
    """The furthest end of a stretch of at most this many characters, and 64 bytes."""
    end = min(at + most, at + _MOST_BYTES, len(text))
    while end > at + 1 and len(encode_text(text[at:end])) > _MOST_BYTES:
        end -= 1
    return end


QUIRK = Quirk(
    name="greedy_longest_match_with_marker",
    title="Matches the longest piece instead of merging, and guesses ▁",
    symptom="The model's answers are fluent and have nothing to do with the prompt. The first word has the wrong id, "
    "and words are cut at the wrong places.",
    cause="The engine merges nothing. It takes the longest stretch of at most 64 bytes that is a piece of any kind. "
    "At the start of the text and after a space, it also tries the stretch with ▁ before it. It never writes ▁ for a "
    "space.",
    fix="Spell each space as the model does: ▁, or Ġ in the byte alphabet. Then merge by score (SPM) or by rank (BPE), "
    "or search the best path (unigram), as tokenizer.ggml.model or model.type says.",
    field="segment",
    derive=Derived(Place.PART, 60, _marked),
    witness=lambda: toys.spm("bc ab ▁a a b c").on("abc"),
)
