"""The vocabulary of a tokenizer.json: the model's pieces, and added tokens with the ids that the library gives them.

Source: tokenizers 0.23, `models/*/serialization.rs`, `models/bpe/model.rs` (build), `tokenizer/added_vocabulary.rs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokparity.formats.excerpt import excerpt
from tokparity.formats.json_fields import JsonFields, is_id
from tokparity.formats.scores import check_scores
from tokparity.vocabulary import BYTE_PIECE, AddedToken, Kind, Vocabulary

MAX_GAP = 1 << 20
"""How many ids may be without a piece."""


def vocabulary_of(fields: JsonFields, model: JsonFields, kind: str) -> Vocabulary:
    """The vocabulary of a model of a kind (BPE, Unigram, WordPiece, WordLevel); FormatError names what is wrong."""
    spelled, scores = _pieces(model, kind)
    by_piece = {piece: i for i, piece in spelled.items()}  # of equal pieces the later one counts
    added = tuple(_added(fields, by_piece, len(spelled)))
    spelled |= {token.id: token.content for token in added}
    size = max(spelled, default=-1) + 1
    if size > len(spelled) + MAX_GAP:
        raise model.error("vocab", f"has ids up to {excerpt(size - 1)} for {len(spelled)} pieces")
    unknown = _unknown_id(model, kind, by_piece, len(scores))
    kinds = [Kind.NORMAL if i in spelled else Kind.UNUSED for i in range(size)]
    has_bytes = model.flag("byte_fallback", False)
    pieces = tuple(spelled.get(i, "").encode("utf-8", "surrogatepass") for i in range(size))
    for token in added:
        kinds[token.id] = Kind.CONTROL if token.special else Kind.USER_DEFINED
    for i, piece in enumerate(pieces):
        if has_bytes and BYTE_PIECE.fullmatch(piece):  # be it an added token as well
            kinds[i] = Kind.BYTE
    if unknown is not None:
        kinds[unknown] = Kind.UNKNOWN
    return Vocabulary(
        pieces,
        tuple(kinds),
        (*scores, *[0.0] * (size - len(scores))) if kind == "Unigram" else (),
        _merges(model, by_piece) if kind == "BPE" else (),
        added,
        {} if unknown is None else {"unk": unknown},
        frozenset(token.id for token in added if token.content not in by_piece),
    )


def _pieces(model: JsonFields, kind: str) -> tuple[dict[int, str], tuple[float, ...]]:
    """(id -> piece, scores); only a unigram model has scores, and may have equal pieces."""
    vocab = model.need("vocab", (dict, list))
    if kind == "Unigram":
        for i, item in enumerate(vocab if isinstance(vocab, list) else [vocab]):
            if not (isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)):
                raise model.error(f"vocab[{i}]", f"is {excerpt(item)}, not a piece and its score")
            if not isinstance(item[1], (int, float)) or isinstance(item[1], bool):
                raise model.error(f"vocab[{i}]", f"has the score {excerpt(item[1])}")
        check_scores(model.path, [score for _, score in vocab], f"{model.where}vocab: ")
        return {i: piece for i, (piece, _) in enumerate(vocab)}, tuple(float(score) for _, score in vocab)
    if not isinstance(vocab, dict):
        raise model.error("vocab", "is a list, not an object")
    for piece, i in vocab.items():
        if type(i) is not int or i < 0:
            raise model.error(f"vocab[{excerpt(piece)}]", f"is {excerpt(i)}, not an id")
    spelled = {i: piece for piece, i in vocab.items()}
    if len(spelled) < len(vocab):
        raise model.error("vocab", "gives one id to two pieces")
    return spelled, ()


def _added(fields: JsonFields, by_piece: Mapping[str, int], size: int) -> Iterator[AddedToken]:
    """The added tokens with their ids: that of the equal piece, or counted on from the model's `size` pieces.

    The id that the file says is not looked at by the library, which warns where it is another one. Of two tokens that
    are spelled alike the later one counts.
    """
    taken = set(by_piece.values())
    found: dict[str, JsonFields] = {}
    for token in fields.list_of("added_tokens"):
        content = str(token.need("content", str))
        if not is_id(i := token.need("id", int)):
            raise token.error("id", f"is {excerpt(i)}, which is not an id")
        if content:
            found[content] = token
    following = size
    for content, token in found.items():
        i = by_piece.get(content)
        if i is None:
            i, following = following, following + 1
            if i in taken:
                raise token.error(
                    "id", f"of {excerpt(content)} becomes {i} in the library, which is another piece's id"
                )
        yield _token(i, content, token)


def _token(i: int, content: str, token: JsonFields) -> AddedToken:
    return AddedToken(
        i,
        content,
        special=token.flag("special", False),
        normalized=token.flag("normalized", True),
        single_word=token.flag("single_word", False),
        lstrip=token.flag("lstrip", False),
        rstrip=token.flag("rstrip", False),
    )


def _unknown_id(model: JsonFields, kind: str, by_piece: Mapping[str, int], size: int) -> int | None:
    if kind == "Unigram":
        unknown = model.get("unk_id", int)
        if unknown is not None and not 0 <= unknown < size:
            raise model.error("unk_id", f"is {excerpt(unknown)}, but there are {size} pieces")
        return None if unknown is None else int(unknown)
    token = model.text("unk_token", "" if kind == "BPE" else "[UNK]" if kind == "WordPiece" else "<unk>")
    return by_piece.get(token)


def _merges(model: JsonFields, by_piece: Mapping[str, int]) -> tuple[tuple[bytes, bytes], ...]:
    """The merges; of a pair that is listed twice the last place counts. The library needs a piece for all they name."""
    merges: list[tuple[str, str]] = []
    for i, merge in enumerate(model.get("merges", list, [])):
        pair = merge.split(" ") if isinstance(merge, str) else merge
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(half, str) for half in pair)):
            raise model.error(f"merges[{i}]", f"is {excerpt(merge)}, not two pieces")
        merges.append((pair[0], pair[1]))
    prefix = len(model.text("continuing_subword_prefix").encode())
    for i, (left, right) in enumerate(merges):
        made = left + (right.encode("utf-8", "surrogatepass")[prefix:].decode("utf-8", "replace") if prefix else right)
        if left not in by_piece or right not in by_piece or made not in by_piece:
            absent = next(piece for piece in (left, right, made) if piece not in by_piece)
            raise model.error(f"merges[{i}]", f"needs {excerpt(absent)}, which is not a piece of the vocabulary")
    latest = dict.fromkeys(reversed(merges))
    return tuple(
        (left.encode("utf-8", "surrogatepass"), right.encode("utf-8", "surrogatepass"))
        for left, right in reversed(latest)
    )
