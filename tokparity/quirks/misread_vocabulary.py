"""Quirks of algorithms that work as they should, on a vocabulary that was read wrongly."""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import replace

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.seen_vocabulary import KindsAs, segments_as
from tokparity.reference.bpe import bpe
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm
from tokparity.vocabulary import Kind, Vocabulary

# An empty list would mean that ids order the merges. No merge makes these halves, so the pair never comes up.
_NO_MERGES = ((b"\0\0", b"\0\0"),)
_MARK = "▁".encode()
_WORDLIKE = (Kind.CONTROL, Kind.UNKNOWN, Kind.USER_DEFINED)


def without_list_of_merges(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary as if its ids were the order of the merges."""
    return replace(vocabulary, merges=())


def without_merges(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with nothing to merge; one that has no list of merges as it is."""
    return replace(vocabulary, merges=_NO_MERGES) if vocabulary.merges else vocabulary


def without_merges_of_spaces(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with only those merges whose halves can be told apart in one string."""
    merges = tuple(pair for pair in vocabulary.merges if b" " not in pair[0] + pair[1])
    return replace(vocabulary, merges=merges or _NO_MERGES) if vocabulary.merges else vocabulary


def without_scores(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with every score 0."""
    return replace(vocabulary, scores=(0.0,) * len(vocabulary.scores))


def user_defined_as_normal(kind: Kind, piece: bytes) -> Kind:
    """User-defined pieces are normal ones."""
    return Kind.NORMAL if kind is Kind.USER_DEFINED else kind


def control_as_normal(kind: Kind, piece: bytes) -> Kind:
    """Control pieces are normal ones."""
    return Kind.NORMAL if kind is Kind.CONTROL else kind


def single_as_normal(kind: Kind, piece: bytes) -> Kind:
    """Control and unused pieces of one character are normal ones."""
    is_single = kind in (Kind.CONTROL, Kind.UNUSED) and len(piece.decode("utf-8", "replace")) == 1
    return Kind.NORMAL if is_single else kind


def marked(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary with the mark of a word's beginning on special tokens, unless a piece is already spelled so."""
    taken = set(vocabulary.pieces)
    pairs = zip(vocabulary.pieces, vocabulary.kinds, strict=True)
    pieces = tuple(_MARK + p if kind in _WORDLIKE and p and _MARK + p not in taken else p for p, kind in pairs)
    return replace(vocabulary, pieces=pieces)


def first_of_equal_pieces(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary in which later copies of a piece are not spelled."""
    first: dict[bytes, int] = {}
    for i, piece in enumerate(vocabulary.pieces):
        first.setdefault(piece, i)
    pieces = tuple(piece if first[piece] == i else b"" for i, piece in enumerate(vocabulary.pieces))
    return replace(vocabulary, pieces=pieces)


def without_byte_order_marks(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary in which no piece and no half of a merge begins with a byte order mark."""
    pieces = tuple(piece.removeprefix(BOM_UTF8) for piece in vocabulary.pieces)
    merges = tuple((left.removeprefix(BOM_UTF8), right.removeprefix(BOM_UTF8)) for left, right in vocabulary.merges)
    return replace(vocabulary, pieces=pieces, merges=merges)


QUIRKS = (
    Quirk(
        name="drops_byte_order_marks_of_pieces",
        title="Reads pieces without the byte order mark that begins them",
        symptom="A plain word or sign always gets the id of the piece that has U+FEFF before it: # becomes the piece "
        "U+FEFF #. A byte order mark in the text is unknown.",
        cause="The JSON library takes U+FEFF at the start of a string for a byte order mark and drops it, as "
        "JSONSerialization of Apple's Foundation does. Two pieces become one, and the later id counts.",
        fix="Read tokenizer.json with a JSON library that keeps every character of a string.",
        field="segment",
        derive=segments_as(160, without_byte_order_marks, bpe, spm, ugm, wpm),
        links=github("huggingface/swift-transformers/issues/116"),
        witness=lambda: toys.spm("# \ufeff#").on("#"),
    ),
    Quirk(
        name="merges_by_id",
        title="Merges the pair whose piece has the lowest id",
        symptom="Most words have the right ids, because merges and ids have the same order. Words of edited "
        "vocabularies have other ids.",
        cause="The engine does not use the list of merges. It merges any two neighbors that spell a piece, lowest "
        "id first, as tiktoken does.",
        fix="Merge by the pair's place in the list of merges. (Only tiktoken files have no such list.)",
        field="segment",
        derive=segments_as(10, without_list_of_merges, bpe),
        witness=lambda: toys.bpe("abc", "b+c a+b", more="ab").on("abc"),
    ),
    Quirk(
        name="loses_merges",
        title="Merges nothing: the list of merges is empty",
        symptom="Every text becomes single characters or bytes, several times too many tokens.",
        cause="The converter did not find the merges: newer files write each as a pair, older files as one string "
        "with a space.",
        fix="Read both spellings of merges in tokenizer.json, and refuse to load a BPE model without any.",
        field="segment",
        derive=segments_as(20, without_merges, bpe),
        links=github("ggml-org/llama.cpp/issues/9309", "ggml-org/llama.cpp/pull/9696"),
        witness=lambda: toys.bpe("ab", "a+b").on("ab"),
    ),
    Quirk(
        name="loses_merges_with_spaces",
        title="Loses merges whose halves contain a space",
        symptom="Runs of spaces fall apart into single spaces. All other text has the right ids.",
        cause="The engine reads each merge as one string and cuts it at its spaces. A half with a space makes three "
        "parts, and the line is skipped.",
        fix="Read the pairs as pairs, or cut at the right space.",
        field="segment",
        derive=segments_as(30, without_merges_of_spaces, bpe),
        links=github("ggml-org/llama.cpp/pull/9696"),
        witness=lambda: toys.bpe("a ", "␣+␣ ␣+a").on("  a"),
    ),
    Quirk(
        name="ignores_scores",
        title="Merges or searches as if all scores were equal",
        symptom="Nearly every text has other ids: the first pair that spells any piece is merged, whatever the "
        "piece's score.",
        cause="The scores were lost when the model was converted (tokenizer.ggml.scores is missing or all zero), or "
        "they are not read.",
        fix="Write tokenizer.ggml.scores from the SentencePiece model, one per piece, and refuse to load a model "
        "without them.",
        field="segment",
        derive=segments_as(40, without_scores, spm, ugm),
        witness=lambda: toys.spm("bc ab a b c").on("abc"),
    ),
    Quirk(
        name="splits_user_defined_pieces",
        title="Treats user-defined pieces as normal ones",
        symptom="Runs of spaces or tabs, HTML tags and markers such as [toxicity=0] fall apart into common pieces.",
        cause="The pieces are marked as normal in the converted file, or the kind is not read: they have to win by "
        "score like any other.",
        fix="Write token_type 4 (user defined) for them, and match them in the text before anything is merged.",
        field="segment",
        derive=segments_as(50, KindsAs(user_defined_as_normal), spm, ugm),
        links=github(
            "ggml-org/llama.cpp/issues/8338", "ggml-org/llama.cpp/issues/8349", "ggml-org/llama.cpp/pull/8228"
        ),
        witness=lambda: toys.spm("a < i > <i>", kinds={"<i>": Kind.USER_DEFINED}).on("a<i>"),
    ),
    Quirk(
        name="merges_into_control_pieces",
        title="Merges into control pieces",
        symptom="A text that contains a special token's spelling (</s> in a web page) gets that token's id, although "
        "special tokens are not parsed.",
        cause="The engine looks up the text of two symbols in the whole vocabulary, whatever the kind of the piece.",
        fix="Leave control, unknown and byte pieces out of merging.",
        field="segment",
        derive=segments_as(60, KindsAs(control_as_normal), spm, ugm),
        links=github("ggml-org/llama.cpp/issues/26309"),
        witness=lambda: toys.spm("s> < s >").on("<s>"),
    ),
    Quirk(
        name="finds_single_control_characters",
        title="Finds control pieces of a single character in the text",
        symptom="A character gets the id of a control or unused piece. The right answer is the unknown token or byte "
        "pieces.",
        cause="Merging begins with single characters. The engine looks each up in the whole vocabulary, whatever "
        "the kind of the piece.",
        fix="Leave control and unused pieces out of the table from text to id.",
        field="segment",
        derive=segments_as(70, KindsAs(single_as_normal), spm),
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/models/bpe/model.rs"),
        witness=lambda: toys.spm("a b", kinds={"b": Kind.CONTROL}).on("ab"),
    ),
    Quirk(
        name="matches_specials_as_words",
        title="Finds special tokens as ordinary words",
        symptom="A word that is spelled like a special token gets its id, although special tokens are not parsed.",
        cause="One table holds words and special tokens, as in BERT's vocab.txt and tokenizer.json. Only a GGUF tells "
        "them apart: there, ▁ marks each piece that begins a word.",
        fix="Leave special tokens out of the table in which words are looked up.",
        field="segment",
        derive=segments_as(80, marked, wpm),
        links=github("huggingface/tokenizers/blob/main/tokenizers/src/models/wordpiece/mod.rs"),
        witness=lambda: toys.wordpiece("▁a b", word_prefix="▁", continuing_prefix="").on("<s>"),
    ),
    Quirk(
        name="takes_first_of_equal_pieces",
        title="Takes the lower id where a piece is listed twice",
        symptom="One piece or a few always get another id, whose piece has the same spelling.",
        cause="The vocabulary lists a piece twice; the table from text to id keeps the first where the model expects "
        "the last.",
        fix="Let the later id overwrite the earlier one, as filling a table in order does.",
        field="segment",
        derive=segments_as(90, first_of_equal_pieces, spm, ugm, bpe, wpm),
        witness=lambda: toys.spm("a b a").on("ab"),
    ),
)
