"""Where in a text each id comes from, followed through the stages of encoding."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from tokparity.behaviour import Behaviour, Fragment
from tokparity.outcome import Place
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.reference.placed import Change, Placed
from tokparity.reference.spaces import arrange_spaces, normalized
from tokparity.reference.text import encode_text
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.word_places import owners, placed_words
from tokparity.vocabulary import Vocabulary

_STEPS = 20_000
"""Steps at most in which the pieces of one word are found in it, beside two for each of its ids and characters."""


class Token(NamedTuple):
    """An id, the characters of the text that it comes from, and how many characters of what the model sees it is."""

    id: int
    place: Place
    width: int = 0
    firsts: Place | None = None
    """The same place, where of several characters that became one only the first counts; None where it is the same."""
    normalized: Place | None = None
    """Where it stands in the normalized text; None for what is put around."""
    closed_up: Place | None = None
    """The same place, where characters of its word that have no id do not count; None where there are none."""


def tokens_of(tokenizer: Tokenizer, text: str, add_special: bool, parse_special: bool) -> list[Token]:
    """The ids of a text, each with where it comes from; those that are put around come from no character."""
    events: list[tuple[str, dict[str, object]]] = []
    data = text.encode()
    ids = tokenizer.encode(data, add_special, parse_special, lambda name, said: events.append((name, said)))
    whole = Placed(text, [(i, i + 1) for i in range(len(text))])
    decode = tokenizer.behaviour.decode_text
    whole = whole.through(lambda part: decode(part.encode()), decode(data))
    body = list(_Walk(tokenizer, iter(events)).whole(whole))
    if any(name == "normalised" for name, _ in events):
        seen = [token.place for token in _Walk(tokenizer, iter(events), anew=True).whole(whole)]
        body = [token._replace(normalized=place) for token, place in zip(body, seen, strict=True)]
    inner = [token.id for token in body]
    prefix = len(tokenizer.behaviour.prefix_ids) if add_special else 0
    starts = (n for n in (prefix, *range(len(ids))) if ids[n : n + len(inner)] == inner[: len(ids) - n])
    before = next(starts, len(ids))
    tokens = [Token(i, (0, 0)) for i in ids[:before]] + body[: len(ids) - before]
    return tokens + [Token(i, (len(text), len(text))) for i in ids[len(tokens) :]]


class _Walk:
    """Follows what the stages of an encoding told of themselves; `anew` counts in the normalized text instead."""

    def __init__(
        self, tokenizer: Tokenizer, events: Iterator[tuple[str, dict[str, object]]], anew: bool = False
    ) -> None:
        self._tokenizer, self._events, self._anew, self._base = tokenizer, events, anew, 0
        self._spelling = _Spelling(tokenizer.vocabulary, tokenizer.behaviour)

    def whole(self, text: Placed) -> Iterator[Token]:
        """The ids of a text, without those around it."""
        for fragment in self._cut(text, self._list("added tokens", "fragments")):
            if isinstance(fragment, Token):
                base, self._base = self._base, self._base + fragment.width
                yield fragment._replace(place=(base, self._base)) if self._anew else fragment
                continue
            normalise = partial(normalized, behaviour=self._tokenizer.behaviour)
            normalised = fragment.through(normalise, str(self._said("normalised", "text")))
            base, self._base = self._base, self._base + len(normalised.text)
            if self._anew:
                normalised = Placed(normalised.text, [(i, i + 1) for i in range(base, self._base)], base)
            inner: Sequence[Fragment] = [normalised.text]
            if self._tokenizer.looks_twice:
                inner = self._list("added tokens in the normalized text", "fragments")
            for part in self._cut(normalised, inner):
                if isinstance(part, Token):
                    yield part
                else:
                    yield from self._words(part)

    def _said(self, name: str, key: str) -> object:
        """What the next event of this name says; those of the segmenters are passed over."""
        return next(said for named, said in self._events if named == name)[key]

    def _list(self, name: str, key: str) -> Sequence[Any]:
        """What the next event of this name lists."""
        found = self._said(name, key)
        return found if isinstance(found, list | tuple) else ()

    def _cut(self, text: Placed, fragments: Sequence[Fragment]) -> Iterator[Placed | Token]:
        """The parts of a text between added tokens, and these with their places."""
        at = 0
        for i, fragment in enumerate(fragments):
            if isinstance(fragment, str):
                start = max(text.text.find(fragment, at), at)
                at = min(start + len(fragment), len(text.text))
                yield text.part(start, at)
            else:
                end = self._end_of(text.text, at, fragment, fragments[i + 1 :])
                yield Token(fragment, text.place(at, end), end - at)
                at = end

    def _end_of(self, text: str, at: int, piece: int, behind: Sequence[Fragment]) -> int:
        """Where an added token ends: what it is spelled like, and the white space that it takes."""
        token = self._tokenizer.vocabulary.added_by_id.get(piece)
        name = token.content if token else self._tokenizer.vocabulary.pieces[piece].decode("utf-8", "replace")
        start = text.find(name, at)
        end = at if start < 0 or text[at:start].strip() else start + len(name)
        if not behind:
            return len(text)
        if isinstance(behind[0], str) and behind[0]:
            return max(text.find(behind[0], end), end)
        return end

    def _words(self, fragment: Placed) -> Iterator[Token]:
        behaviour = self._tokenizer.behaviour
        spaced, words = str(self._said("spaces", "text")), self._list("words", "words")

        def arranged(at_start: bool) -> Change:
            return lambda part: arrange_spaces(part, behaviour, at_start) if behaviour.prepares_text else part

        change = next((c for c in map(arranged, (True, False)) if c(fragment.text) == spaced), arranged(False))
        text = fragment.through(change, spaced)
        for word in placed_words(text, words, behaviour):
            yield from self._pieces(word)

    def _pieces(self, word: Placed) -> Iterator[Token]:
        """The ids of a word; where its pieces are not found in it, each comes from all of it."""
        ids, data = self._tokenizer.word_ids(word.text), encode_text(word.text)
        ends = [*accumulate((len(encode_text(character)) for character in word.text), initial=0)]
        stretches, size = self._spelling.stretches(data, ids, ends), len(word.text)
        closed_up = self._closed_up(word, ids, stretches, len(data))
        if stretches is None:
            whole = word.place(0, size)
            yield from (Token(i, whole, size, closed_up=place) for i, place in zip(ids, closed_up, strict=True))
            return
        firsts, owner = word.firsts(), owners(word.text)
        for i, (start, end), place in zip(ids, stretches, closed_up, strict=True):
            first, last = (owner[start], owner[end - 1] + 1) if start < end else (0, 0)
            yield Token(i, word.place(first, last), last - first, firsts.place(first, last), closed_up=place)

    def _closed_up(
        self, word: Placed, ids: Sequence[int], stretches: Sequence[Place] | None, size: int
    ) -> Sequence[Place | None]:
        """The place of each id where only the bytes of ids are counted; None where all `size` bytes have an id."""
        sizes = [end - start for start, end in stretches] if stretches else [*map(self._spelling.size, ids)]
        ends = [*accumulate(sizes, initial=0)]
        if ends[-1] >= size:
            return [None] * len(ids)
        owner = owners(word.text)
        return [word.place(owner[start], owner[end - 1] + 1) if start < end else None for start, end in pairwise(ends)]


class _Spelling:
    """Finds the pieces of a word in its bytes."""

    def __init__(self, vocabulary: Vocabulary, behaviour: Behaviour) -> None:
        self._vocabulary, self._behaviour = vocabulary, behaviour
        self._unknown = vocabulary.unknown_ids
        self._known: dict[int, Sequence[bytes]] = {}

    def size(self, piece_id: int) -> int:
        """How many bytes a piece is written for."""
        return len(next(iter(self._spelled(piece_id)), b""))

    def stretches(self, word: bytes, ids: Sequence[int], cuts: Sequence[int]) -> list[Place] | None:
        """The bytes of each id; None where they cannot be told. `cuts` are where characters begin and end.

        An unknown piece takes as many characters as it must. What has no id is passed over if nothing else fits.
        """
        return self._found(word, ids, cuts, drops=False) or self._found(word, ids, cuts, drops=True)

    def _found(self, word: bytes, ids: Sequence[int], cuts: Sequence[int], drops: bool) -> list[Place] | None:
        came: dict[Place, Place] = {}
        stack: list[tuple[int, int, Place]] = [(0, 0, (0, 0))]
        steps = _STEPS + 2 * (len(ids) + len(cuts))
        while stack and len(came) < steps:
            place, at, before = stack.pop()
            if (place, at) in came:
                continue
            came[place, at] = before
            if place == len(ids) and (at == len(word) or drops):
                return self._way(came, (place, at), ids)
            following = bisect_right(cuts, at)
            after = cuts[following : following + 1]
            if drops or self._is_unknown(ids, place):
                stack += [(place, cut, (place, at)) for cut in after]
            if place < len(ids):
                ends = [at + len(spelled) for spelled in self._spelled(ids[place]) if word.startswith(spelled, at)]
                ends = ends or [cut for cut in after if ids[place] in self._unknown]
                stack += [(place + 1, end, (place, at)) for end in reversed(ends)]
        return None

    def _way(self, came: Mapping[Place, Place], end: Place, ids: Sequence[int]) -> list[Place]:
        """The stretch of each id, from where each step of (ids, bytes) came from."""
        found: list[Place] = []
        stop = end[1]
        while end != (0, 0):
            before = came[end]
            if before[0] < end[0]:
                found.append((before[1], stop))
            if before[0] < end[0] or not self._is_unknown(ids, end[0]):
                stop = before[1]
            end = before
        return found[::-1]

    def _is_unknown(self, ids: Sequence[int], place: int) -> bool:
        """Whether the id before this one may be any characters."""
        return 0 < place and ids[place - 1] in self._unknown

    def _spelled(self, piece_id: int) -> Sequence[bytes]:
        """The bytes that a piece may be written for, with the marks of its place in a word and without."""
        if piece_id not in self._known:
            self._known[piece_id] = [*self._ways(piece_id)]
        return self._known[piece_id]

    def _ways(self, piece_id: int) -> Iterator[bytes]:
        behaviour, value = self._behaviour, self._vocabulary.byte_values.get(piece_id)
        if value is not None:
            yield bytes((value,))
        piece = self._vocabulary.pieces[piece_id] if 0 <= piece_id < len(self._vocabulary) else b""
        if not piece:
            return
        without = piece.removesuffix(behaviour.word_suffix.encode())
        marks = (mark.encode() for mark in (behaviour.continuing_prefix, behaviour.word_prefix))
        for one in dict.fromkeys((piece, without, *map(without.removeprefix, marks))):
            if one:
                yield from_alphabet(one.decode("utf-8", "replace")) if behaviour.byte_level else one
