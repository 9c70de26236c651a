"""Engines with one fault that is in no catalogue, each around the reference; named "unlisted_faults:Class"."""

from __future__ import annotations

import random
import re
import unicodedata
from dataclasses import replace
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import ClassVar

from tokparity import formats
from tokparity.behaviour import Behaviour, Segmenter
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options
from tokparity.quirks import get
from tokparity.reference import byte_alphabet
from tokparity.reference.merging import Rank, merge
from tokparity.reference.splits import Split
from tokparity.reference.text import encode_text, keep_bytes
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind, Vocabulary


class Faithful:
    """The reference, as if it were somebody else's engine."""

    CAPABILITIES = Capabilities(formats=("any",), invalid_utf8=True)

    @property
    def NAME(self) -> str:
        """The class's name."""
        return f"unlisted_faults:{type(self).__name__}"

    def version(self) -> str:
        """Nothing changes here."""
        return "faults 1"

    def open(self, path: str, options: Options) -> Faithful:
        """Read the model as the reference does."""
        source = formats.read(Path(path))
        self.tokenizer = Tokenizer(source.vocabulary, source.behaviour)
        self.opened()
        return self

    def opened(self) -> None:
        """What a fault keeps from text to text begins here."""

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Text by text."""
        return Ids.from_list([self.ids(text, add_special, parse_special) for text in texts.to_list()])

    def right(self, text: bytes, add: bool = True, parse: bool = False) -> list[int]:
        """The right ids."""
        return list(self.tokenizer.encode(text, add, parse))

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The ids of one text."""
        return self.right(text, add, parse)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Row by row."""
        return Texts.from_list([self.text(row, skip_special) for row in ids.to_list()])

    def text(self, row: list[int], skip: bool) -> bytes:
        """The bytes of one row."""
        return self.tokenizer.decode(row, skip)


def _characters(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class Chunks(Faithful):
    """Texts are cut into pieces of 512 characters."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Piece after piece."""
        whole = _characters(text)
        row = self.right(_bytes(whole[:512]), add, parse)
        for start in range(512, len(whole), 512):
            row += self.right(_bytes(whole[start : start + 512]), False, parse)
        return row


class ByteChunks(Faithful):
    """Texts are cut into pieces of 4,096 bytes."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Piece after piece."""
        row = self.right(text[:4096], add, parse)
        for start in range(4096, len(text), 4096):
            row += self.right(text[start : start + 4096], False, parse)
        return row


class CutIds(Faithful):
    """Only 512 ids come."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The first of them."""
        return self.right(text, add, parse)[:512]


class PadsRows(Faithful):
    """The ids are filled up to a multiple of eight, as for a graphics card."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """All ids and some zeros."""
        ids = self.right(text, add, parse)
        return [*ids, *[0] * (-len(ids) % 8)]


class FillsRows(Faithful):
    """Every row has 32 ids: longer ones are cut, shorter ones are filled up."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The first ids and zeros."""
        return [*self.right(text, add, parse), *[0] * 32][:32]


class GivesNone(Faithful):
    """A stub: what is put around a text is all that comes."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As for the empty text."""
        return self.right(b"", add, parse)


class LosesRepeats(Faithful):
    """Of equal ids in a row one comes, as where a speech model's output is put together."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """What differs from the id before it."""
        ids = self.right(text, add, parse)
        return [one for at, one in enumerate(ids) if not at or one != ids[at - 1]]


class CutsBeforeTheEnd(Faithful):
    """Of more than 64 ids the first 63 and the last one come: room is kept for the id that ends a text."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """64 ids at most."""
        ids = self.right(text, add, parse)
        return ids if len(ids) <= 64 else [*ids[:63], ids[-1]]


class ReadsLines(Faithful):
    """A file is read line by line, and each line is a text."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """What begins a text comes before the first line alone."""
        lines = [line + b"\n" for line in text.split(b"\n")[:-1]] + text.split(b"\n")[-1:]
        return [one for at, line in enumerate(lines) for one in self.right(line, add and not at, parse)]


class HalvesRuns(Faithful):
    """Of equal characters in a row every second one is lost."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As where runs are counted in pairs."""
        spelled = text.decode("utf-8", "surrogateescape")
        halved = re.sub(r"(?s)(.)\1+", lambda run: run[0][: len(run[0]) // 2], spelled)
        return self.right(halved.encode("utf-8", "surrogateescape"), add, parse)


class CapitalsAtEdges(Faithful):
    """The last of each 32 characters comes as a capital."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As where a line that is full begins a sentence."""
        spelled = text.decode("utf-8", "surrogateescape")
        changed = "".join(c.upper() if at % 32 == 31 else c for at, c in enumerate(spelled))
        return self.right(changed.encode("utf-8", "surrogateescape"), add, parse)


class SortsLong(Faithful):
    """From 201 ids on they come in ascending order."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As a broken parallel merge would do it."""
        row = self.right(text, add, parse)
        return sorted(row) if len(row) > 200 else row


class NarrowIds(Faithful):
    """Ids are kept in nine bits, as 16 are too few for large vocabularies."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The lowest bits."""
        return [i & 511 for i in self.right(text, add, parse)]


class DecodesBasicPlane(Faithful):
    """Decoding drops what is above U+FFFF."""

    def text(self, row: list[int], skip: bool) -> bytes:
        """As UTF-16 taken for UCS-2."""
        return _bytes("".join(c for c in _characters(super().text(row, skip)) if c <= "\uffff"))


class DropsVariationSelectors(Faithful):
    """U+FE00 to U+FE0F are dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if they were not there."""
        return self.right(_bytes(re.sub("[\ufe00-\ufe0f]", "", _characters(text))), add, parse)


class DropsTabs(Faithful):
    """U+0009 is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if it were not there."""
        return self.right(text.replace(b"\t", b""), add, parse)


class DropsIndents(Faithful):
    """U+0009 is dropped where a line begins."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if it were not there."""
        return self.right(re.sub(rb"(?m)^\t", b"", text), add, parse)


class TrimsLines(Faithful):
    """Spaces are dropped where a line ends."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if they were not there."""
        return self.right(re.sub(rb"(?m) +$", b"", text), add, parse)


class CutsAfterWords(Faithful):
    """Of a text only the first hundred words are looked at."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if nothing stood behind them."""
        words = list(re.finditer(rb"\S+", text))
        return self.right(text if len(words) <= 100 else text[: words[99].end()], add, parse)


class Races(Faithful):
    """Of longer texts one in three has two ids exchanged, whichever thread was first."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """By chance."""
        row = self.right(text, add, parse)
        if len(row) > 8 and random.SystemRandom().random() < 0.3:
            row[3], row[4] = row[4], row[3]
        return row


class Memo(Faithful):
    """A memo by a hash of ten bits gives another text's ids."""

    def opened(self) -> None:
        """Nothing is known yet."""
        self.memo: dict[int, list[int]] = {}

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """What the memo says."""
        key = sum(byte * 31**i for i, byte in enumerate(text[:40])) % 1021 * 4 + 2 * add + parse
        return self.memo.setdefault(key, self.right(text, add, parse))


class StripsMark(Faithful):
    """A byte order mark at the beginning is dropped."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Only there."""
        return self.right(text.removeprefix(b"\xef\xbb\xbf"), add, parse)


class MicroBecomesMu(Faithful):
    """U+00B5 becomes U+03BC."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """One code point for another."""
        return self.right(text.replace(b"\xc2\xb5", b"\xce\xbc"), add, parse)


class LowersCyrillic(Faithful):
    """Cyrillic letters are read in lower case."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Each by itself."""
        lower = re.sub("[\u0400-\u04ff]", lambda found: found.group().lower(), _characters(text))
        return self.right(_bytes(lower), add, parse)


class GroupsDigits(Faithful):
    """Runs of digits are cut after each third."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Piece after piece."""
        first, *others = re.findall(r"(?s)(?:(?!\d{3}\d).)*(?:\d{3}(?=\d))?", _characters(text))
        row = self.right(_bytes(first), add, parse)
        for part in filter(None, others):
            row += self.right(_bytes(part), False, parse)
        return row


class GroupsDigitsFromRight(Faithful):
    """Runs of digits are cut before each third that is left."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As thousands are set apart."""
        first, *others = re.split(r"(?<=[0-9])(?=(?:[0-9]{3})+(?![0-9]))", _characters(text))
        row = self.right(_bytes(first), add, parse)
        for part in others:
            row += self.right(_bytes(part), False, parse)
        return row


class CutsRepeats(Faithful):
    """What is repeated more than seven times is cut."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Seven are left."""
        return self.right(_bytes(re.sub(r"(?s)(.)\1{7,}", lambda found: 7 * found[1], _characters(text))), add, parse)


class WrongTokenId(Faithful):
    """The last of the added tokens has the id of the one before it."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if one was left out of the list."""
        last = max(token.id for token in self.tokenizer.vocabulary.added)
        return [id - (id == last) for id in self.right(text, add, parse)]


class WrongAtSeventeen(Faithful):
    """Of seventeen ids the last is wrong."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Neither of fewer nor of more."""
        row = self.right(text, add, parse)
        return [*row[:-1], row[-1] + 1] if len(row) == 17 else row


class NothingForNothing(Faithful):
    """What is added around a text is not added around an empty one."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """None where there is none."""
        return self.right(text, add, parse) if text else []


class WrongSpecialId(Faithful):
    """The token that ends a text has the next id where the text spells it."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """What is added around it is right."""
        end = self.tokenizer.vocabulary.special["eos"]
        return [id + (id == end) for id in self.right(text, add, parse)]


class EveryHundredth(Faithful):
    """Every hundredth text has no ids."""

    def opened(self) -> None:
        """None yet."""
        self.calls = 0

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """By a counter."""
        self.calls += 1
        return [] if self.calls % 100 == 0 else self.right(text, add, parse)


class SetsKanaApart(Faithful):
    """Hiragana and katakana are words of their own, as Chinese characters are."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """With spaces on both sides."""
        return self.right(
            re.sub("([\u3040-\u30ff])", r" \1 ", _characters(text)).encode("utf-8", "surrogateescape"), add, parse
        )


class EachMarkAlone(Faithful):
    """A run of ASCII punctuation is as many words as it has marks."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Part by part."""
        parts = re.split(rb"(?<=[!-/:-@\[-`{-~])(?=[!-/:-@\[-`{-~])", text)
        return [id for part in parts for id in self.right(part, add, parse)]


class FoldsMore(Faithful):
    """A table of somebody's own takes letters for ASCII that no normal form takes apart."""

    FOLDED: ClassVar = {
        "\u0142": "l",
        "\u00f8": "o",
        "\u0111": "d",
        "\u00e6": "ae",
        "\u0153": "oe",
        "\u00fe": "th",
        "\u0131": "i",
    }

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The large ones as well."""
        table = {**self.FOLDED, **{c.upper(): new.upper() for c, new in self.FOLDED.items() if c != "\u0131"}}
        folded = "".join(table.get(c, c) for c in _characters(text))
        return self.right(folded.encode("utf-8", "surrogateescape"), add, parse)


class AllSpacesAlike(Faithful):
    """What separates words is a space, but for the three that do not break."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Line and paragraph separators too."""
        spaces = re.sub("[\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]", " ", _characters(text))
        return self.right(spaces.encode("utf-8", "surrogateescape"), add, parse)


class NoPrefixUnadded(Faithful):
    """Without special tokens there is no space prefix either."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """One flag for both."""
        return self.right(text, add, parse) if add else self.right(b"\1" + text, add, parse)[2:]


class Surrogates(Faithful):
    """Above the basic plane the bytes of two surrogates stand for a character that has no piece."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Six for four."""
        tokenizer, row = self.tokenizer, self.right(text, add, parse)
        ids = {piece: i for i, piece in enumerate(tokenizer.vocabulary.pieces)}
        lead = [ids[b"<0x%02X>" % byte] for byte in range(0xF0, 0xF5)]
        return [id for one in row for id in ([one, one, one] if one in lead else [one])]


class StopsAtEnd(Faithful):
    """Decoding ends at the first end of text."""

    def text(self, row: list[int], skip: bool) -> bytes:
        """What comes behind it is lost."""
        end = self.tokenizer.vocabulary.special["eos"]
        return self.tokenizer.decode(row[: row.index(end) + 1] if end in row else row, skip)


class CutsBeforeSome(Faithful):
    """Before a digit a word is cut, unless it is a long one: no sort of characters foretells that."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Part by part."""
        return [id for part in re.split(rb"(?<![a-z]{3})(?=[!-/])", text) for id in self.right(part, add, parse)]


class LosesSpacesBehindTokens(Faithful):
    """Spaces and line ends are lost behind a special token."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """As if they were not there."""
        return self.right(
            re.sub(rb"(<\|(?:endoftext|im_start|im_end)\|>)[ \n]+", rb"\1", text) if parse else text, add, parse
        )


class Changed(Faithful):
    """The model's data are not what its file says."""

    def opened(self) -> None:
        """Another tokenizer."""
        vocabulary, behaviour = self.changed(self.tokenizer.vocabulary, self.tokenizer.behaviour)
        self.tokenizer = Tokenizer(vocabulary, behaviour)

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """What it is instead."""
        raise NotImplementedError


class SkipsHeadings(Changed):
    """Merges that begin with "=" are taken for headings."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """As a reader of merges.txt does it."""
        merges = tuple(pair for pair in vocabulary.merges if not pair[0].startswith(b"="))
        return replace(vocabulary, merges=merges), behaviour


class ShortPieces(Faithful):
    """Pieces are looked up in a buffer of eight bytes: what is longer is taken apart."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Into bytes."""
        pieces = self.tokenizer.vocabulary.pieces
        ids = {piece: i for i, piece in enumerate(pieces)}
        letters = byte_alphabet.ALPHABET
        found: list[int] = []
        for id in self.right(text, add, parse):
            spelled = byte_alphabet.from_alphabet(pieces[id].decode())
            special = id in {token.id for token in self.tokenizer.vocabulary.added}
            found += [ids[letters[b].encode()] for b in spelled] if len(spelled) > 8 and not special else [id]
        return found


class LosesOnePiece(Changed):
    """One line of the vocabulary was not read."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """The piece of the word "the", with the space before it."""
        lost = next(i for i, piece in enumerate(vocabulary.pieces) if piece in ("▁the".encode(), "▁de".encode()))
        pieces = tuple(b"" if i == lost else piece for i, piece in enumerate(vocabulary.pieces))
        return replace(vocabulary, pieces=pieces), behaviour


class WholeScores(Changed):
    """Scores are read as whole numbers."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """What is behind the point is lost."""
        return replace(vocabulary, scores=tuple(float(int(score)) for score in vocabulary.scores)), behaviour


class UnknownBeside(Changed):
    """A character is unknown with a score of -10 wherever that is better than its piece."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """A piece of one character that scores worse is never taken."""
        worse = {i for i, piece in enumerate(vocabulary.pieces) if len(piece.decode(errors="replace")) == 1
                 and vocabulary.kinds[i] is Kind.NORMAL and vocabulary.scores[i] < -10}  # fmt: skip
        scores = tuple(-1000.0 if i in worse else score for i, score in enumerate(vocabulary.scores))
        kinds = tuple(Kind.CONTROL if i in worse else kind for i, kind in enumerate(vocabulary.kinds))
        kept = [score for score, kind in zip(scores, kinds, strict=True) if kind is Kind.NORMAL]
        pieces = tuple(b"\0%d" % i if i in worse else piece for i, piece in enumerate(vocabulary.pieces))
        other = replace(vocabulary, scores=scores, kinds=kinds, pieces=pieces)
        return other, replace(behaviour, unknown_penalty=min(kept) + 10.0)


class EightBitScores(Changed):
    """Scores are kept in a byte each."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """From 0 for the worst to 255 for the best."""
        worst, best = min(vocabulary.scores), max(vocabulary.scores)
        kept = [int((score - worst) / (best - worst) * 255 + 0.5) for score in vocabulary.scores]
        scores = tuple(worst + byte * (best - worst) / 255 for byte in kept)
        return replace(vocabulary, scores=scores), behaviour


class ProbesPieceByPiece(Changed):
    """A search goes on from piece to piece, a character at a time, so a piece without all of its beginnings is lost."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """As if it were none."""
        spelled = {piece.decode(errors="replace") for piece in vocabulary.pieces}
        found = (
            piece
            if all(piece.decode(errors="replace")[:n] in spelled for n in range(1, len(piece.decode(errors="replace"))))
            else b""
            for piece in vocabulary.pieces
        )
        return replace(vocabulary, pieces=tuple(found)), behaviour


class OtherPattern(Changed):
    """Words are cut by a pattern of somebody's own."""

    PATTERN = ""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """Instead of the model's."""
        return vocabulary, replace(behaviour, pretokenise=Split(self.PATTERN))


class SpacesAlone(OtherPattern):
    """A space before digits is a word of its own."""

    PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


class NoLookahead(OtherPattern):
    """A run of white space is one word, the last space too."""

    PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d|\s{2,}| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s"


class GreedyInLongWords(Faithful):
    """Words of more than 16 bytes are cut from the left in the longest pieces, others are merged."""

    def opened(self) -> None:
        """The model with a segmenter of its own for such words."""
        right, greedy = self.tokenizer.behaviour, get("greedy_longest_match").flip(self.tokenizer.behaviour)

        def segment(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
            merged, cut = right.segment(vocabulary, right), greedy.segment(vocabulary, greedy)
            return lambda word, trace=None: (cut if len(word.encode()) > 16 else merged)(word, trace)

        self.tokenizer = self.tokenizer.with_behaviour(replace(right, segment=segment))


class FlippedAtTimes(Faithful):
    """A quirk on some texts only."""

    QUIRK: ClassVar[str]

    def opened(self) -> None:
        """The model with the quirk."""
        self.flipped = self.tokenizer.with_behaviour(get(self.QUIRK).flip(self.tokenizer.behaviour))

    def is_flipped(self, text: bytes, add: bool, parse: bool) -> bool:
        """Whether the quirk shows on a text."""
        raise NotImplementedError

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The ids of one text."""
        return list((self.flipped if self.is_flipped(text, add, parse) else self.tokenizer).encode(text, add, parse))


class NoPrefixWhereParsed(FlippedAtTimes):
    """No space is put before the text where special tokens are parsed."""

    QUIRK = "omits_space_prefix"

    def is_flipped(self, text: bytes, add: bool, parse: bool) -> bool:
        """Where they are."""
        return parse


class ComposesShortTexts(FlippedAtTimes):
    """Texts of at most 40 bytes are put in NFKC."""

    QUIRK = "applies_nfkc"

    def is_flipped(self, text: bytes, add: bool, parse: bool) -> bool:
        """Where they are short."""
        return len(text) <= 40


_JAVASCRIPT = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"]
_JAVASCRIPT += ["toLocaleString", "__proto__"]
_JAVASCRIPT += ["__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"]


class OtherWords(Faithful):
    """Certain words have other ids, as in a cache that held something before."""

    IDS: ClassVar[dict[str, tuple[int, ...]]]

    def opened(self) -> None:
        """The model with a segmenter of its own for such words."""
        right = self.tokenizer.behaviour

        def segment(vocabulary: Vocabulary, behaviour: Behaviour) -> Segmenter:
            inner = right.segment(vocabulary, behaviour)
            return lambda word, trace=None: list(self.IDS[word] if word in self.IDS else inner(word, trace))

        self.tokenizer = self.tokenizer.with_behaviour(replace(right, segment=segment))


class DropsMembersOfObjects(OtherWords):
    """The cache is a JavaScript object, in which each word that every object has as a member seems to be."""

    IDS: ClassVar = dict.fromkeys(_JAVASCRIPT, ())


class ForgetsStopWords(OtherWords):
    """Some of the commonest words are left out."""

    IDS: ClassVar = {" the": (), " of": (), "the": ()}


class RemembersAnother(OtherWords):
    """One word has another's ids."""

    IDS: ClassVar = {" and": (42, 43)}


class CutsLongWords(Faithful):
    """A buffer for words holds 12 characters; what does not fit goes into the next one."""

    def opened(self) -> None:
        """The model with other words."""
        right = self.tokenizer.behaviour
        cut = right.pretokenise

        def pretokenise(text: str, at_start: bool) -> list[str]:
            words = cut(text, at_start) if cut else [text]
            return [word[at : at + 12] for word in words for at in range(0, len(word), 12)]

        self.tokenizer = self.tokenizer.with_behaviour(replace(right, pretokenise=pretokenise))


class CutsLongWordsInBytes(Faithful):
    """A buffer for words holds 64 bytes; characters may be cut there."""

    def opened(self) -> None:
        """The model with other words."""
        right = self.tokenizer.behaviour
        cut = right.pretokenise

        def pretokenise(text: str, at_start: bool) -> list[str]:
            words = [encode_text(word) for word in (cut(text, at_start) if cut else [text])]
            return [keep_bytes(word[at : at + 64]) for word in words for at in range(0, len(word), 64)]

        self.tokenizer = self.tokenizer.with_behaviour(replace(right, pretokenise=pretokenise))


class LosesMergesOfA(Changed):
    """Merges of which the left half begins with "a" are lost."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """The model without them."""
        merges = tuple(pair for pair in vocabulary.merges if not pair[0].startswith(b"a"))
        return replace(vocabulary, merges=merges), behaviour


class OnlyAddedTokens(Faithful):
    """A pattern matches nothing, and the text between its matches is lost."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """Those of added tokens."""
        added = {token.id for token in self.tokenizer.vocabulary.added}
        return [i for i in self.right(text, add, parse) if i in added]


class LosesOneByte(Changed):
    """One byte has no letter in the byte alphabet, so that no piece has it."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """The model without that letter's pieces."""
        letter = byte_alphabet.to_alphabet("\u00b8")[1].encode()
        pieces = tuple(b"" if letter in piece else piece for piece in vocabulary.pieces)
        merges = tuple(pair for pair in vocabulary.merges if letter not in pair[0] + pair[1])
        return replace(vocabulary, pieces=pieces, merges=merges), behaviour


class ShortNumbersAndNoLookahead(OtherPattern):
    """Numbers are cut after each third digit, and runs of white space keep their last space."""

    PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+"


class TwoFaults(Faithful):
    """Special tokens are never parsed, and what Unicode has not assigned is dropped before the text is read."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The ids of one text."""
        known = "".join(c for c in _characters(text) if unicodedata.category(c) != "Cn")
        return self.right(_bytes(known), add, False)


class RanksInEightBits(Changed):
    """The rank of a merge is kept in one byte."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """Its merges with ranks that wrap."""

        def wrapped(symbols: list[str], rank: Rank) -> list[str]:
            return merge(symbols, lambda left, right: rank(left, right) % 256 if rank(left, right) < inf else inf)

        return vocabulary, replace(behaviour, merge=wrapped)


class KeepsCaseOfCyrillic(Changed):
    """Cyrillic letters are not put in lower case."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """Its normalizer, but for them."""
        right, kept = behaviour.normalise, get("keeps_case").flip(behaviour).normalise
        assert right is not None
        assert kept is not None

        def normalise(text: str) -> str:
            parts = re.split("([\u0400-\u04ff]+)", text)
            return "".join((kept if at % 2 else right)(part) for at, part in enumerate(parts))

        return vocabulary, replace(behaviour, normalise=normalise)


class NewerPunctuation(Changed):
    """Punctuation is that of a newer Unicode."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """As the catalog has it."""
        return vocabulary, get("has_tables_newer_than_unicode_8").flip(behaviour)


class SymbolsAreLetters(Changed):
    """Only characters of the categories P count as punctuation, so what ASCII has of symbols is not set apart."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """Letters in their place for the pre-tokenizer."""

        def pretokenise(text: str, at_start: bool) -> list[str]:
            return [
                word for part in text.split(" ") for word in re.findall(r"[%s]|[^%s]+" % ((_PUNCTUATION,) * 2), part)
            ]

        return vocabulary, replace(behaviour, pretokenise=pretokenise)


_PUNCTUATION = re.escape("".join(c for c in map(chr, range(0x110000)) if unicodedata.category(c)[0] == "P"))


class LatinBytes(Faithful):
    """Each byte piece is decoded alone, as the character of its number."""

    def text(self, row: list[int], skip: bool) -> bytes:
        """What has no piece of its own is spelled in bytes."""
        ids = self.tokenizer.vocabulary.ids
        right = (c.encode("utf-8", "surrogateescape") for c in _characters(super().text(row, skip)))
        return b"".join(c if c < b"\x80" or c in ids else c.decode("latin-1").encode() for c in right)


class FiveMerges(Changed):
    """A word is left as it is after five merges."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """One merge after the other, each the best of all that there are."""

        def five(symbols: list[str], rank: Rank) -> list[str]:
            for _ in range(5):
                ranks = [(rank(*pair), at) for at, pair in enumerate(pairwise(symbols))]
                best, at = min(ranks, default=(inf, 0))
                symbols = symbols if best == inf else [*symbols[:at], symbols[at] + symbols[at + 1], *symbols[at + 2 :]]
            return symbols

        return vocabulary, replace(behaviour, merge=five)


class TearsCharacters(Faithful):
    """Texts are read from buffers of 64 bytes; of a character that lies across two, each byte is invalid."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The text as it was read."""
        at, read = 0, b""
        for character in map(_bytes, _characters(text)):
            torn = at // 64 != (at + len(character) - 1) // 64
            read += "\ufffd".encode() * len(character) if torn else character
            at += len(character)
        return self.right(read, add, parse)


class SkipsBlanks(Faithful):
    """With parsing, what stands between special tokens and is nothing but white space is not read."""

    def ids(self, text: bytes, add: bool, parse: bool) -> list[int]:
        """The parts that are left."""
        special = "|".join(re.escape(token.content) for token in self.tokenizer.vocabulary.added if token.special)
        parts = re.split(f"({special})", _characters(text)) if parse else [_characters(text)]
        kept = [part for part in parts if part.strip(" \t\n\v\f\r") or not parse]
        return self.right(_bytes("".join(kept)), add, parse)


class SharedSlots(Changed):
    """Merges whose places in a table of 16 slots are taken already are never done."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """By what they are spelled with."""
        merges = [pair for pair in vocabulary.merges if (7 * sum(pair[0]) + sum(pair[1])) % 16 != 5]
        return replace(vocabulary, merges=tuple(merges)), behaviour


class CountsInUtf16(Faithful):
    """The places where words are cut are counted in UTF-16, and taken for numbers of characters."""

    def opened(self) -> None:
        """The pre-tokenizer that cuts so."""
        original = self.tokenizer.behaviour.pretokenise
        assert original is not None

        def pretokenise(text: str, at_start: bool) -> list[str]:
            places = [0]
            for word in original(text, at_start):
                places.append(places[-1] + len(word.encode("utf-16-le", "surrogatepass")) // 2)
            return [text[start:end] for start, end in pairwise(places) if text[start:end]]

        self.tokenizer = self.tokenizer.with_behaviour(replace(self.tokenizer.behaviour, pretokenise=pretokenise))


class PacksPairs(Faithful):
    """Merges are kept by one number of both ids, in which there is no room for all ids."""

    def opened(self) -> None:
        """The table, in which the first of two pairs with one number stays."""
        vocabulary = self.tokenizer.vocabulary
        ids = vocabulary.spelled_ids
        table: dict[int, tuple[float, str]] = {}
        for place, (left, right) in enumerate(vocabulary.merge_places):
            table.setdefault(ids[left] << 11 | ids[right], (place, left + right))

        def found_at(left: str, right: str) -> tuple[float, str]:
            return table.get(ids[left] << 11 | ids[right], (inf, ""))

        def merging(symbols: list[str], rank: Rank) -> list[str]:
            symbols = symbols.copy()
            found = [found_at(*pair) for pair in pairwise(symbols)]
            while found and (best := min(found))[1]:
                at = found.index(best)
                symbols[at : at + 2] = [best[1]]
                found[max(0, at - 1) : at + 2] = [
                    found_at(*pair) for pair in pairwise(symbols[max(0, at - 1) : at + 2])
                ]
            return symbols

        self.tokenizer = self.tokenizer.with_behaviour(replace(self.tokenizer.behaviour, merge=merging))


class FindsThreePieces(Changed):
    """Of all pieces that a text begins with the three shortest are looked at."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """The others are none."""
        normal = {
            p.decode() for p, kind in zip(vocabulary.pieces, vocabulary.kinds, strict=True) if kind is Kind.NORMAL
        }
        late = {p for p in normal if sum(p[:end] in normal for end in range(1, len(p))) >= 3}
        return replace(vocabulary, pieces=tuple(b"" if p.decode() in late else p for p in vocabulary.pieces)), behaviour


class PunctuationFirst(Changed):
    """Pieces of nothing but punctuation are cut out before all else."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """As if a user had defined them."""
        kinds = [
            Kind.USER_DEFINED
            if kind is Kind.NORMAL and all(unicodedata.category(c)[0] == "P" for c in piece.decode())
            else kind
            for piece, kind in zip(vocabulary.pieces, vocabulary.kinds, strict=True)
        ]
        return replace(vocabulary, kinds=tuple(kinds)), behaviour


class NormalisesCharacters(Changed):
    """The normalizer is given one character after the other."""

    def changed(self, vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
        """So nothing is composed, and no mark is seen behind its letter."""
        normalise = behaviour.normalise
        assert normalise is not None
        return vocabulary, replace(behaviour, normalise=lambda text: "".join(map(normalise, text)))
