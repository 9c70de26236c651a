"""Lets a word begin anew where the text spells the marker ▁."""

from __future__ import annotations

from tokparity.behaviour import MARKER, Behaviour, Segment
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.reference.wpm import Wpm, wpm
from tokparity.vocabulary import Vocabulary


class MarkedWpm(Wpm):
    """WordPiece in which "▁cat" inside of a word is the piece that begins a word with "cat"."""

    def reach(self, spelled: str, start: int) -> int:
        """As in `Wpm`, or as far as a word that begins anew."""
        behind = start + len(MARKER)
        if not start or not spelled.startswith(MARKER, start):
            return super().reach(spelled, start)
        prefix = self.behaviour.word_prefix
        anew = super().reach(prefix + spelled[behind : behind + self.longest], 0) - len(prefix)
        return max(super().reach(spelled, start), behind + anew)

    def piece(self, part: str, inside: bool) -> str | None:
        """As in `Wpm`, and then behind a marker."""
        found = super().piece(part, inside)
        if found is None and inside and part.startswith(MARKER):
            begins = self.behaviour.word_prefix + part.removeprefix(MARKER)
            return begins if begins in self.ids else None
        return found


def marked_wpm(vocabulary: Vocabulary, behaviour: Behaviour) -> MarkedWpm:
    """The segmenter for WordPiece vocabularies."""
    return MarkedWpm(vocabulary, behaviour)


def _marked(behaviour: Behaviour) -> Segment:
    return marked_wpm if behaviour.segment is wpm else behaviour.segment


QUIRK = Quirk(
    name="begins_words_at_markers",
    title="Starts a new word at a ▁ in the text",
    symptom="Only texts that contain the character ▁ (U+2581) differ: the▁cat becomes two known words. BERT's own "
    "tokenizer returns one unknown token.",
    cause="The engine stores pieces that begin a word with ▁ before them and writes ▁ before each word. A ▁ of the "
    "text then looks like the start of a word.",
    fix="Look for marked pieces at the start of a word only.",
    field="segment",
    derive=Derived(Place.PART, 50, _marked),
    links=github("google/sentencepiece/issues/863", "ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp"),
    witness=lambda: toys.wordpiece("the cat").on("the▁cat"),
)
