"""Small random models: blueprints drawn from a seed."""

from __future__ import annotations

import random

from tokparity.generators.blueprint import ALGORITHMS, SPACE, Algorithm, Blueprint, Entry
from tokparity.generators.characters import few, number, pick
from tokparity.reference.byte_alphabet import ALPHABET
from tokparity.vocabulary import AddedToken, Kind

_PRE = (b"gpt-2", b"llama-bpe", b"qwen2", b"deepseek-llm", b"falcon", b"starcoder", b"tekken", b"default")
_LETTERS = ("a", "b", "c", "A", "é", "世", "1", "'", "!", "\u0301", "😀", ".", "t", "s", "½", "ﬁ", "-", "<", ">")


def draw(rng: random.Random) -> Blueprint:
    """A random blueprint."""
    algorithm = pick(rng, ALGORITHMS)
    letters = tuple(dict.fromkeys(pick(rng, _LETTERS) for _ in range(number(rng, 2, 9))))
    flags = tuple(flag for flag in _FLAGS[algorithm] if rng.random() < 0.5)
    if algorithm in ("spm", "ugm"):
        return _sentencepiece(rng, algorithm, letters, flags)
    if algorithm == "wpm":
        return _wordpiece(rng, letters, flags)
    return _bpe(rng, algorithm, letters, flags)


_FLAGS: dict[Algorithm, tuple[str, ...]] = {
    "spm": ("add_space_prefix", "remove_extra_whitespaces", "add_bos_token", "add_eos_token"),
    "ugm": ("add_space_prefix", "remove_extra_whitespaces", "add_bos_token", "add_eos_token", "space_as_suffix"),
    "bpe": ("add_bos_token", "add_eos_token"),
    "plain bpe": ("add_bos_token", "add_eos_token"),
    "wpm": ("add_bos_token", "add_sep_token", "normalizer.lowercase", "normalizer.strip_accents"),
}


def _special(*names: bytes) -> list[Entry]:
    kinds = (Kind.UNKNOWN, *[Kind.CONTROL] * (len(names) - 1))
    return [Entry(name, kind) for name, kind in zip(names, kinds, strict=True)]


def _overlapping(rng: random.Random, letters: tuple[str, ...], most: int) -> list[str]:
    """The letters (one may be missing) and strings of them that overlap."""
    found = dict.fromkeys(letter for letter in letters if rng.random() < 0.95)
    for _ in range(number(rng, 1, most)):
        known = list(found) or ["a"]
        left = pick(rng, known)
        found[left + (pick(rng, known) if rng.random() < 0.6 else pick(rng, letters))] = None
        if rng.random() < 0.3:
            found[left[-1] + pick(rng, letters)] = None
    return [piece for piece in found if len(piece) <= 12]


def _sentencepiece(
    rng: random.Random, algorithm: Algorithm, letters: tuple[str, ...], flags: tuple[str, ...]
) -> Blueprint:
    pieces = _overlapping(rng, (SPACE, *letters), 24)
    ties = rng.random() < 0.3
    # Not every model has odd pieces: some formats cannot express them, and their engines would never be asked.
    odd = [kind for kind in (Kind.USER_DEFINED, Kind.UNUSED, Kind.CONTROL) if rng.random() < 0.35]
    entries = _special(b"<unk>", b"<s>", b"</s>")
    for rank, piece in enumerate(pieces):
        kind = pick(rng, odd) if odd and rng.random() < 0.12 else Kind.NORMAL
        drawn = -number(rng, 1, 8 if ties else 80) / 4
        score = drawn if algorithm == "ugm" or ties else -float(rank)
        entries.append(Entry(piece.encode(), kind, score))
    if rng.random() < 0.4:
        missing = number(rng, 0, 255) if rng.random() < 0.2 else -1
        entries += [Entry(b"<0x%02X>" % byte, Kind.BYTE, 0.0) for byte in range(256) if byte != missing]
    charsmap: tuple[tuple[str, str], ...] = ()
    if algorithm == "ugm" and rng.random() < 0.5:
        charsmap = _charsmap(rng, letters)
    return Blueprint(algorithm, tuple(entries), (), charsmap, b"", flags)


def _charsmap(rng: random.Random, letters: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Odd entries: keys that begin each other, that map to nothing, to spaces, to longer texts."""
    table: dict[str, str] = {}
    values = (*letters, "", " ", "ab", "  ", SPACE, "\u0301")
    for _ in range(few(rng, 10)):
        key = "".join(pick(rng, (*letters, "\u0301", "½", "Å", "\u3000", "\t")) for _ in range(few(rng, 3)))
        table[key] = pick(rng, values) + (pick(rng, values) if rng.random() < 0.3 else "")
    return tuple(sorted(table.items()))


def _bpe(rng: random.Random, algorithm: Algorithm, letters: tuple[str, ...], flags: tuple[str, ...]) -> Blueprint:
    entries = _special(b"<unk>", b"<s>", b"</s>")
    if algorithm == "bpe":
        symbols = list(ALPHABET)
        if rng.random() < 0.15:
            del symbols[number(rng, 0, 255)]
        some = [ALPHABET[byte] for letter in (" ", *letters) for byte in letter.encode()]
    else:
        symbols = some = list(dict.fromkeys((SPACE, *letters)))
    merges: dict[tuple[str, str], None] = {}
    known = [symbol for symbol in dict.fromkeys(some) if symbol in symbols] or symbols[:2]
    for _ in range(number(rng, 1, 24)):
        left, right = pick(rng, known), pick(rng, known)
        if len(left + right) <= 10:
            merges[left, right] = None
            known.append(left + right)
    pieces = list(dict.fromkeys([*symbols, *(left + right for left, right in merges)]))
    if rng.random() < 0.3:  # a piece that no merge makes
        pieces.append(pick(rng, known) + pick(rng, known) + pick(rng, known))
    entries += [Entry(piece.encode()) for piece in dict.fromkeys(pieces)]
    if algorithm == "plain bpe" and rng.random() < 0.6:
        entries += [Entry(b"<0x%02X>" % byte, Kind.BYTE) for byte in range(256)]
    added, extra = _added(rng, {entry.piece for entry in entries})
    pairs = tuple((left.encode(), right.encode()) for left, right in merges)
    pre = pick(rng, _PRE) if algorithm == "bpe" else b""
    return Blueprint(algorithm, (*entries, *extra), pairs, (), pre, flags, added)


def _wordpiece(rng: random.Random, letters: tuple[str, ...], flags: tuple[str, ...]) -> Blueprint:
    entries = _special(b"[UNK]", b"[CLS]", b"[SEP]", b"[MASK]")
    pieces: dict[str, None] = {}
    for piece in _overlapping(rng, letters, 20):
        if rng.random() < 0.8:
            pieces[SPACE + piece] = None
        if rng.random() < 0.7:
            pieces[piece] = None
    entries += [Entry(piece.encode()) for piece in pieces]
    added, extra = _added(rng, {entry.piece for entry in entries})
    return Blueprint("wpm", (*entries, *extra), (), (), b"", flags, added)


def _added(rng: random.Random, taken: set[bytes]) -> tuple[tuple[AddedToken, ...], list[Entry]]:
    """Up to three added tokens with attributes, and their pieces."""
    tokens: list[AddedToken] = []
    entries: list[Entry] = []
    for content in ("<x>", "<x>y", "ab", "  ", "[M]"):
        if rng.random() < 0.15 and content.encode() not in taken:
            special = rng.random() < 0.5
            on = [rng.random() < 0.3 for _ in range(4)] if rng.random() < 0.4 else [False] * 4
            tokens.append(AddedToken(0, content, special, on[0] and not special, on[1], on[2], on[3]))
            entries.append(Entry(content.encode(), Kind.CONTROL if special else Kind.USER_DEFINED))
    return tuple(tokens), entries
