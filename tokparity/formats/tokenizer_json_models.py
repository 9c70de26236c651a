"""The model of a tokenizer.json: BPE, Unigram, WordPiece or WordLevel, from whatever algorithm a source has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from tokparity.behaviour import Behaviour
from tokparity.errors import CannotExpressError
from tokparity.formats.tokenizer_json_stages import Json
from tokparity.reference.bpe import bpe
from tokparity.reference.merging import merge_nothing
from tokparity.reference.spm import spm
from tokparity.reference.ugm import ugm
from tokparity.reference.word_level import word_level
from tokparity.reference.wpm import CONTINUING, as_bert_spells, wpm
from tokparity.vocabulary import Kind, Vocabulary

FORMAT = "tokenizer.json"
HINT = "choose another format, or change the model's file"
LONGEST_WORD = 1 << 30
"""Represents no limit on a word's length."""

Merge = tuple[str, str]


def spelled_pieces(vocabulary: Vocabulary, behaviour: Behaviour) -> list[str]:
    """The pieces as the file spells them; ids without a piece are ""."""
    pieces: list[str] = []
    whole = {token.id for token in vocabulary.added}
    for i, piece in enumerate(vocabulary.pieces):
        try:
            spelled = piece.decode()
        except UnicodeDecodeError:
            raise CannotExpressError(f"{FORMAT} cannot express piece {i}, {piece!r}", "it must be UTF-8") from None
        marks_words = behaviour.word_prefix and vocabulary.kinds[i] is Kind.NORMAL and i not in whole
        pieces.append(as_bert_spells(spelled, behaviour.word_prefix) if marks_words else spelled)
    return pieces


def model_json(vocabulary: Vocabulary, behaviour: Behaviour, pieces: list[str], added: Mapping[int, str]) -> Json:
    """The model; `added` is how the added tokens are spelled, by id."""
    apart = _apart(vocabulary)
    pieces = ["" if i in apart else added.get(i, piece) for i, piece in enumerate(pieces)]
    if behaviour.tie_break != "left":
        raise CannotExpressError(f"{FORMAT} cannot express merging the rightmost of equal pairs first", HINT)
    if behaviour.segment is ugm:
        return _unigram(vocabulary, behaviour, pieces)
    ids = _ids(pieces)
    unknown = None if vocabulary.unknown_id is None else pieces[vocabulary.unknown_id]
    if behaviour.segment in (bpe, spm):
        merges = _bpe_merges(vocabulary, behaviour, ids) if behaviour.segment is bpe else _spm_merges(vocabulary, ids)
        return _bpe(behaviour, ids, unknown, merges)
    if behaviour.segment is wpm:
        return {
            "type": "WordPiece",
            "unk_token": unknown,
            "continuing_subword_prefix": CONTINUING if behaviour.word_prefix else behaviour.continuing_prefix,
            "max_input_chars_per_word": behaviour.max_word_chars or LONGEST_WORD,
            "vocab": ids,
        }
    if behaviour.segment is word_level:
        return {"type": "WordLevel", "vocab": ids, "unk_token": unknown}
    name = getattr(behaviour.segment, "__name__", repr(behaviour.segment))
    raise CannotExpressError(f"{FORMAT} cannot express the algorithm {name}", HINT)


def _apart(vocabulary: Vocabulary) -> frozenset[int]:
    """The added tokens that are kept out of the model, if the library then gives them the ids that they have.

    It counts on from the model's pieces. Where that would be other ids, the model must have them.
    """
    inside = len(vocabulary) - len(vocabulary.outside)
    follow = vocabulary.outside == frozenset(range(inside, len(vocabulary)))
    return vocabulary.outside if follow and all(vocabulary.pieces[:inside]) else frozenset()


def _ids(pieces: list[str]) -> dict[str, int]:
    ids: dict[str, int] = {}
    for i, piece in enumerate(pieces):
        if piece and ids.setdefault(piece, i) != i:
            raise CannotExpressError(f"{FORMAT} cannot express {piece!r} as piece {ids[piece]} and piece {i}", HINT)
    return ids


def _bpe(behaviour: Behaviour, ids: dict[str, int], unknown: str | None, merges: list[Merge]) -> Json:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None if behaviour.fallback == "drop" else unknown,
        "continuing_subword_prefix": behaviour.continuing_prefix or None,
        "end_of_word_suffix": behaviour.word_suffix or None,
        "fuse_unk": behaviour.fuse_unknown,
        "byte_fallback": behaviour.fallback == "bytes",
        "ignore_merges": behaviour.ignore_merges,
        "vocab": ids,
        "merges": merges,
    }


def _of_merge(piece: bytes) -> str:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        raise CannotExpressError(f"{FORMAT} cannot express a merge of {piece!r}", "it must be UTF-8") from None


def _bpe_merges(vocabulary: Vocabulary, behaviour: Behaviour, ids: Mapping[str, int]) -> list[Merge]:
    """The list of merges; without one (tiktoken), every way to make a piece of two, lowest id first."""
    if behaviour.merge is merge_nothing:
        return []
    if vocabulary.merges:
        # Of a pair that is listed twice the first place counts here, but the last in the library.
        return [(_of_merge(left), _of_merge(right)) for left, right in dict.fromkeys(vocabulary.merges)]
    added = {token.id for token in vocabulary.added}
    order = (piece for piece, i in sorted(ids.items(), key=lambda item: item[1]) if i not in added)
    return [merge for piece in order for merge in _ways(piece, ids)]


def _spm_merges(vocabulary: Vocabulary, ids: Mapping[str, int]) -> list[Merge]:
    """Every way to make a piece of two others, best score first: the order in which SPM would merge.

    SPM merges the leftmost of pairs with equal scores, BPE the one listed first; `_leftmost_first` makes these agree.
    """
    made = {piece for piece, i in ids.items() if vocabulary.kinds[i] is Kind.NORMAL}
    if any(kind is Kind.UNUSED and piece for kind, piece in zip(vocabulary.kinds, vocabulary.pieces, strict=True)):
        raise CannotExpressError(f"{FORMAT} cannot express unused pieces as steps of merging", HINT)
    by_score: defaultdict[float, list[Merge]] = defaultdict(list)
    for piece in made:
        _check_characters(piece, ids)
        by_score[vocabulary.scores[ids[piece]]] += _ways(piece, ids)
    merges: list[Merge] = []
    for score in sorted(by_score, reverse=True):
        merges += _leftmost_first(by_score[score], score)
    return merges


def _check_characters(piece: str, ids: Mapping[str, int]) -> None:
    """BPE looks characters up before it merges, so each must be a piece."""
    alone = next((character for character in piece if character not in ids), None)
    if alone:
        raise CannotExpressError(
            f"{FORMAT} cannot express piece {piece!r}, because its character {alone!r} is not a piece", HINT
        )


def _leftmost_first(merges: list[Merge], score: float) -> list[Merge]:
    """Merges of one score, so ordered that of two that compete for a symbol (x y and y z) the left one comes first.

    If a piece competes with itself, or runs of one character with each other, the longest left half goes first.
    Merging leaves the longest part of a repetition on the left. CannotExpressError if no order will do.
    """
    by_left: defaultdict[str, list[Merge]] = defaultdict(list)
    for merge in merges:
        by_left[merge[0]].append(merge)
    sorter: TopologicalSorter[Merge] = TopologicalSorter(dict.fromkeys(merges, ()))
    for left, right in merges:
        for rival in by_left[right]:
            if "".join(rival) != left + right and len(set(left + right + rival[1])) > 1:
                sorter.add(rival, (left, right))
    ordered: list[Merge] = []
    try:
        sorter.prepare()
    except CycleError as error:
        pieces = sorted({"".join(merge) for merge in error.args[1]})
        raise CannotExpressError(f"{FORMAT} cannot express pieces of one score ({score}): {pieces[:4]}", HINT) from None
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=lambda merge: (-len(merge[0]), -len(merge[1]), merge))
        ordered += ready
        sorter.done(*ready)
    return ordered


def _ways(piece: str, ids: Mapping[str, int]) -> Iterator[Merge]:
    """The ways to make a piece of two, longest left half first."""
    for at in range(len(piece) - 1, 0, -1):
        if piece[:at] in ids and piece[at:] in ids:
            yield piece[:at], piece[at:]


def _unigram(vocabulary: Vocabulary, behaviour: Behaviour, pieces: list[str]) -> Json:
    if vocabulary.unknown_id is None:
        raise CannotExpressError(f"{FORMAT} cannot express a unigram model without an unknown piece", "add one")
    scores = list(vocabulary.scores)
    for i, kind in enumerate(vocabulary.kinds):
        if kind is Kind.USER_DEFINED:
            scores[i] = _user_defined_score(i, vocabulary, behaviour)
    inside = len(pieces) - len(_apart(vocabulary))
    spelled = [piece or f"[EMPTY_{i}]" for i, piece in enumerate(pieces[:inside])]
    return {
        "type": "Unigram",
        "unk_id": vocabulary.unknown_id,
        "vocab": list(zip(spelled, scores[:inside], strict=True)),
        "byte_fallback": behaviour.fallback == "bytes",
    }


def _user_defined_score(i: int, vocabulary: Vocabulary, behaviour: Behaviour) -> float:
    """What a user-defined piece scores in the reference's lattice, so that it may be a piece like any other."""
    length = len(vocabulary.pieces[i])
    if behaviour.user_defined_score == "best":
        normal = zip(vocabulary.scores, vocabulary.kinds, strict=True)
        return length * max((score for score, kind in normal if kind is Kind.NORMAL), default=0.0) - 0.1
    own = vocabulary.scores[i]
    return {"zero": 0.0, "length": 0.1 * (length - 1), "own": own}[behaviour.user_defined_score]
