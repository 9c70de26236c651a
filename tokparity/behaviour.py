"""Everything that tokenizers do differently, as one frozen record with one field for each difference.

The reference reads these fields and nothing else; a deviant engine is a `Behaviour` with other values in
some of them. Fields hold scalars or functions; functions are module-level functions or frozen dataclasses
with `__call__`, so that a `Behaviour` can be compared, hashed, pickled and printed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from tokparity.vocabulary import Vocabulary

Fragment = str | int
"""A stretch of text still to be tokenized, or the id of an added token that was cut out."""

MARKER = "▁"
"""What spaces are escaped as, where they are (U+2581)."""

DecodeText = Callable[[bytes], str]
"""Input bytes to text; what it does with invalid UTF-8 is the point."""

MatchAdded = Callable[["Vocabulary", "Behaviour", bool], Callable[[str, bool], list[Fragment]]]
"""(vocabulary, behavior, normalized pass?) -> (text, parse_special) -> fragments."""

Normalise = Callable[[str], str]
Pretokenise = Callable[[str, bool], Sequence[str]]
"""(text, is it at the start of the input?) -> words, in order; what is removed is simply not in the result."""

Wrap = Callable[["Vocabulary", "Behaviour", list[int]], list[int]]
"""The ids of a text -> the ids with what goes around them."""

Decode = Callable[["Vocabulary", "Behaviour", Sequence[int]], bytes]

Stream = Callable[[Callable[[Sequence[int]], bytes], Sequence[int], Sequence[int], bool], Iterator[bytes]]
"""(decode, ids of the prompt, ids, whether special tokens are left out) -> a delta for each id, and a last one."""

Spans = Callable[[str, Sequence[Any], Container[int]], tuple[tuple[int, int], ...]]
"""(text, its tokens, ids of added tokens) -> the first character of each token, and the one behind its last."""


class Segmenter(Protocol):
    """Turns one pre-token into ids; `trace`, when given, receives one line of words per step."""

    def __call__(self, word: str, trace: Trace | None = None) -> list[int]: ...


Merge = Callable[[list[str], Callable[[str, str], float]], list[str]]
"""(symbols, how early a pair of them is merged, infinity if never) -> the symbols that are left in the end."""

Trace = Callable[[str, dict[str, object]], None]
"""Receives (name of the step, its data as JSON-able values)."""

Segment = Callable[["Vocabulary", "Behaviour"], Segmenter]


class Stage(IntEnum):
    """What a field of `Behaviour` is about, in the order in which encoding runs; decoding comes last."""

    TEXT_IN = 1
    ADDED_TOKENS = 2
    NORMALISATION = 3
    SPACES = 4
    PRETOKENISATION = 5
    MODEL = 6
    AROUND_THE_IDS = 7
    DECODING = 8
    STREAMING = 9
    SPANS = 10
    PROMPTS = 11


_KEY = "stage"
_TEXT, _ADDED, _NORMALISATION, _SPACES, _WORDS, _MODEL, _AROUND, *_LATER = ({_KEY: stage} for stage in Stage)
_DECODING, _STREAM, _SPANS, _PROMPTS = _LATER


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """How a tokenizer behaves. The order of the fields is the order in which encoding uses them."""

    # --- text in
    decode_text: DecodeText = field(metadata=_TEXT)
    """Bytes to text: each invalid byte becomes U+FFFD, or a maximal subpart does, or bytes are kept."""

    # --- added and special tokens
    match_added: MatchAdded = field(metadata=_ADDED)
    """How added tokens are found: leftmost-longest (Hugging Face), longest first everywhere (llama.cpp), ..."""
    parses_special: Literal["as_asked", "always", "never"] = field(default="as_asked", metadata=_ADDED)
    """Whether special tokens in the text are recognized as the caller asks, or always, or never."""
    obeys_normalized: bool = field(default=True, metadata=_ADDED)
    """Added tokens marked `normalized` are looked for in the normalized text."""
    obeys_lstrip: bool = field(default=True, metadata=_ADDED)
    obeys_rstrip: bool = field(default=True, metadata=_ADDED)
    strips_what: Literal["white_space", "ascii"] = field(default="white_space", metadata=_ADDED)
    """What tokens with lstrip and rstrip take: all white space, or that of ASCII only."""
    obeys_single_word: bool = field(default=True, metadata=_ADDED)

    # --- normalization
    normalise: Normalise | None = field(default=None, metadata=_NORMALISATION)
    """Unicode normal forms, case, the precompiled charsmap, replacements; None for none."""

    # --- spaces
    collapse_spaces: bool = field(default=False, metadata=_SPACES)
    """SentencePiece's remove_extra_whitespaces: runs of U+0020 become one, those at the ends go."""
    collapses: Literal["normalized", "given", "given_white_space"] = field(default="normalized", metadata=_SPACES)
    """Spaces are collapsed after normalization, or before it: U+0020, or all white space."""
    trims_end_of: Literal["markers", "spaces", "nothing"] = field(default="markers", metadata=_SPACES)
    """Where spaces collapse, what goes at the end: also the marker that the text spells, as in SentencePiece."""
    space_prefix: Literal["never", "always", "first"] = field(default="never", metadata=_SPACES)
    """A space goes before every fragment that is not empty, or only before one that starts the input."""
    starts_as_given: bool = field(default=False, metadata=_SPACES)
    """A prefix for the first word only is left out where normalizing drops the first character (Hugging Face)."""
    prefix_doubles: bool = field(default=True, metadata=_SPACES)
    """The prefix is added even where the text already begins with a space."""
    prefixes_nothing: bool = field(default=False, metadata=_SPACES)
    """The prefix is added even to a text of which normalization left nothing, as in SentencePiece."""
    prefixes_blank: bool = field(default=True, metadata=_SPACES)
    """The prefix is added even to a text of nothing but spaces."""
    space_as_suffix: bool = field(default=False, metadata=_SPACES)
    """SentencePiece's treat_whitespace_as_suffix: the added space goes to the end instead."""
    space_marker: str = field(default=" ", metadata=_SPACES)
    """What U+0020 becomes: "▁" where spaces are escaped, " " where not."""
    escapes_runs: bool = field(default=True, metadata=_SPACES)
    """Runs of several spaces are escaped like a single one; else they stay U+0020."""
    escape_order: Literal["before_split", "after_split"] = field(default="before_split", metadata=_SPACES)
    """Spaces are escaped before the pre-tokenizer sees the text, or after."""
    prepares_text: bool = field(default=True, metadata=_SPACES)
    """The model sees words: spaces were collapsed, prefixed and escaped, and the text was split. Else it sees the text
    as normalization left it, in one stretch."""

    # --- pre-tokenization
    pretokenise: Pretokenise | None = field(default=None, metadata=_WORDS)
    byte_level: bool = field(default=False, metadata=_WORDS)
    """Words are mapped to a byte alphabet before the model sees them."""
    byte_alphabet: Callable[[str], str] | None = field(default=None, metadata=_WORDS)
    """Gives a word's letters in that alphabet, one for each byte of its UTF-8; None: in GPT-2's."""

    # --- the model
    segment: Segment = field(metadata=_MODEL)
    """The algorithm: (vocabulary, behavior) -> segmenter. See `reference/spm.py`, `ugm.py`, `bpe.py`, `wpm.py`."""
    symbols: Callable[[str], list[str]] | None = field(default=None, metadata=_MODEL)
    """SPM and BPE: cuts a word into the symbols that merging begins with; None: into characters (scalar values)."""
    ignore_merges: bool = field(default=False, metadata=_MODEL)
    """BPE: a word that is a piece is that piece, whatever the merges say."""
    tie_break: Literal["left", "right"] = field(default="left", metadata=_MODEL)
    """Of two equally good merges, the one further to this side is made first."""
    merge: Merge | None = field(default=None, metadata=_MODEL)
    """SPM and BPE: in which order pairs are merged; None: the best pair first, until there is none."""
    fallback: Literal["bytes", "unknown", "drop", "drop_after_merging", "letters"] = field(
        default="unknown", metadata=_MODEL
    )
    """What no piece covers becomes byte pieces, the unknown id, or nothing. BPE drops it before merging, so that its
    neighbors may merge, or after, so that they may not. Or ("letters") each byte of its UTF-8 becomes the piece that
    is this byte's letter in the byte alphabet, and -1 where there is none."""
    fallback_text: Callable[[str], str] | None = field(default=None, metadata=_MODEL)
    """What text becomes before byte pieces spell its UTF-8; None: nothing is changed."""
    fuse_unknown: bool = field(default=False, metadata=_MODEL)
    """Unknowns in a row become one."""
    unknown_waits: bool = field(default=False, metadata=_MODEL)
    """BPE: an unknown is written where the next piece begins, so that byte pieces go before it (Hugging Face)."""
    score_bits: Literal[32, 64] = field(default=64, metadata=_MODEL)
    """Unigram: the width in which the path's score is summed."""
    compares_unrounded: bool = field(default=False, metadata=_MODEL)
    """In 32 bits: a sum is rounded when it is kept, after it was compared (SentencePiece before 0.2.2)."""
    score_parsing: Literal["exact", "divided"] = field(default="exact", metadata=_MODEL)
    """How the decimal digits of the scores became 64-bit numbers: to the nearest one, or as serde_json does it."""
    rebase_below: float | None = field(default=None, metadata=_MODEL)
    """A position's sum below this is subtracted from all sums, so that they stay small; None for never. It is -100000
    in SentencePiece 0.2.3, measured: texts of 256,000 characters give the same ids."""
    user_defined_score: Literal["zero", "length", "best", "own"] = field(default="zero", metadata=_MODEL)
    """Unigram score of a user-defined piece of n bytes: 0, or 0.1 (n - 1) (SentencePiece 0.2.3, measured), or
    n x best score - 0.1 (SentencePiece before), or the score in the file."""
    matches_every_kind: bool = field(default=False, metadata=_MODEL)
    """Unigram: control, byte and unknown pieces are found in the text like any other (Hugging Face)."""
    unknown_penalty: float = field(default=10.0, metadata=_MODEL)
    """Unigram score of an unknown character is the lowest score minus this."""
    unused_pieces: Literal["never", "resegment", "as_normal"] = field(default="never", metadata=_MODEL)
    """Unused pieces are left out, or serve as steps of merging and are taken apart again, or are like any other."""
    continuing_prefix: str = field(default="", metadata=_MODEL)
    """WordPiece: spelled before a piece that does not begin a word ("##")."""
    word_prefix: str = field(default="", metadata=_MODEL)
    """WordPiece in GGUF: spelled before a piece that begins a word ("▁")."""
    word_suffix: str = field(default="", metadata=_MODEL)
    """BPE: spelled after the last piece of a word ("</w>", CLIP)."""
    max_word_chars: int | None = field(default=None, metadata=_MODEL)
    """WordPiece: a longer word (in characters) is unknown as a whole."""

    # --- around the ids
    adds_special: Literal["as_asked", "always", "never"] = field(default="as_asked", metadata=_AROUND)
    """Whether the ids are wrapped as the caller asks, or always, or never."""
    wrap: Wrap | None = field(default=None, metadata=_AROUND)
    """Puts `prefix_ids` and `suffix_ids` around the ids; None means that they are never added."""
    prefix_ids: tuple[int, ...] = field(default=(), metadata=_AROUND)
    suffix_ids: tuple[int, ...] = field(default=(), metadata=_AROUND)
    capacity: Callable[[int], int] | None = field(default=None, metadata=_AROUND)
    """How many ids there is room for, by the number of bytes of the text; those beyond are lost. None: for all."""

    # --- decoding
    decode: Decode = field(metadata=_DECODING)
    """Ids to bytes."""
    skip_special: bool = field(default=False, metadata=_DECODING)
    """Special tokens are left out of the decoded text."""
    strip_decoded_prefix: bool = field(default=False, metadata=_DECODING)
    """The space that the space prefix added is taken away again."""
    clean_up: bool = field(default=False, metadata=_DECODING)
    """Spaces before punctuation and in contractions are removed (clean_up_tokenization_spaces)."""

    # --- streaming
    stream: Stream | None = field(default=None, metadata=_STREAM)
    """How ids are decoded that come one after another (`reference/stream.py`); None: without a fault."""

    # --- spans
    spans: Spans | None = field(default=None, metadata=_SPANS)
    """Which characters each id is said to come from (`reference/spans.py`); None: without a fault."""

    # --- prompts
    prompts: tuple[str, ...] = field(default=(), metadata=_PROMPTS)
    """The faults with which chat templates are rendered (`chat/causes.py`)."""

    @cached_property
    def skipping_special(self) -> Behaviour:
        """The same, with special tokens left out of decoded text."""
        return replace(self, skip_special=True)

    @cached_property
    def showing_special(self) -> Behaviour:
        """The same, with special tokens shown in decoded text."""
        return replace(self, skip_special=False)

    @cached_property
    def keeping_prefix(self) -> Behaviour:
        """The same, with the space that the space prefix added left in decoded text."""
        return replace(self, strip_decoded_prefix=False)


@cache
def stages() -> Mapping[str, Stage]:
    """The stage of each field of `Behaviour`, in the order of the fields, which is that of the stages."""
    return {entry.name: entry.metadata[_KEY] for entry in fields(Behaviour)}


def fields_of(*wanted: Stage) -> tuple[str, ...]:
    """The names of the fields that belong to these stages."""
    return tuple(name for name, stage in stages().items() if stage in wanted)
