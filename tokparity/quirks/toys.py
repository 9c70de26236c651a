"""Toy models, small enough to follow by hand, on which the quirks are shown.

Each builder takes pieces and, as keywords, fields of `Behaviour` that shall differ; `Toy.on(text)` is a Witness.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tokparity.behaviour import Behaviour
from tokparity.quirk import Witness
from tokparity.reference.bpe import bpe as bpe_segment
from tokparity.reference.byte_alphabet import ALPHABET, to_alphabet
from tokparity.reference.charsmap import Charsmap
from tokparity.reference.decode import decode_byte_level, decode_pieces, decode_wordpiece
from tokparity.reference.specials import leftmost_longest
from tokparity.reference.spm import spm as spm_segment
from tokparity.reference.text import keep_bytes
from tokparity.reference.ugm import ugm as ugm_segment
from tokparity.reference.wpm import wpm as wpm_segment
from tokparity.reference.wrap import wrap_once
from tokparity.vocabulary import AddedToken, Kind, Vocabulary

UNK, BOS, EOS = 0, 1, 2
"""The first three ids of every toy: <unk>, <s>, </s>."""

_SPECIAL = ((b"<unk>", Kind.UNKNOWN), (b"<s>", Kind.CONTROL), (b"</s>", Kind.CONTROL))


OVERLAP = {"a": -1.0, "b": -1.0, "c": -0.9, "ab": -0.05, "bc": -1.5}
OVERLAP_KINDS = {"bc": Kind.USER_DEFINED}
"""Unigram pieces of which a user-defined one and a normal one cannot both be had: "bc" wins with a bonus only."""

NEAR_TIE = {"a": -10000.0, "b": -0.0001, "c": -3.0, "bc": -3.0002}
"""After "a", 32 bits cannot tell "b" + "c" from "bc", and of equals the earlier one stays; "b" + "c" is better."""

ROUNDED_DOWN = {"a": -10000.0, "b": -1.0, "c": -2.0006, "bc": -3.0006}
"""After "a", "b" + "c" equals "bc", and in 32 bits both are rounded down."""

LONG_SCORES = {"-": -5.129043102264404, "---": -12.130167007446289}
"""Scores of 16 and 17 digits, those of T5's vocabulary; the order of the pieces is a tie."""


def charsmap(replacements: Mapping[str, str]) -> Charsmap:
    """A precompiled charsmap that replaces these keys. Each node of its trie has a block of 256 units of its own."""
    nodes = {b""} | {key.encode()[:n] for key in replacements for n in range(1, len(key.encode()) + 1)}
    block = {node: 256 * number for number, node in enumerate(sorted(nodes), 1)}
    units = [0] * 256 * (len(nodes) + 1)
    values = b""
    for node, base in block.items():
        at = block[node[:-1]] ^ node[-1] if node else 0
        key = node.decode("utf-8", "replace")
        units[at] = (at ^ base) << 10 | (key in replacements) << 8 | (node[-1] if node else 0)
        if key in replacements:
            units[base] = 1 << 31 | len(values)
            values += replacements[key].encode() + b"\0"
    trie = struct.pack(f"<{len(units)}I", *units)
    return Charsmap(len(trie).to_bytes(4, "little") + trie + values)


CHARSMAP = charsmap({"ª": "a", "ª\N{COMBINING ACUTE ACCENT}": "á"})
"""A charsmap with a key that begins a longer one."""


@dataclass(frozen=True)
class Toy:
    """A toy model: what a Witness is made of, all but the text."""

    vocabulary: Vocabulary
    behaviour: Behaviour

    def on(self, text: str | bytes, add_special: bool = False, parse_special: bool = False) -> Witness:
        """The witness that shows this text."""
        data = text.encode() if isinstance(text, str) else text
        return Witness(self.vocabulary, self.behaviour, data, add_special, parse_special)


def spm(
    pieces: str,
    kinds: Mapping[str, Kind] | None = None,
    added: tuple[AddedToken, ...] = (),
    byte_pieces: bool = False,
    **fields: Any,
) -> Toy:
    """SPM over pieces separated by spaces, the one to merge first standing first; their ids begin at 3.

    `byte_pieces` puts the 256 byte pieces behind them and makes them the fallback.
    """
    spelled = pieces.split()
    scores = [-float(rank) for rank in range(1, len(spelled) + 1)]
    defaults: dict[str, Any] = {"segment": spm_segment, "fallback": "bytes" if byte_pieces else "unknown"}
    return _toy(spelled, scores, kinds or {}, added, byte_pieces, defaults | {"space_marker": "▁"} | fields)


def unigram(scores: Mapping[str, float], kinds: Mapping[str, Kind] | None = None, **fields: Any) -> Toy:
    """UGM over pieces with their scores; ids begin at 3."""
    defaults: dict[str, Any] = {"segment": ugm_segment, "fallback": "unknown", "space_marker": "▁"}
    return _toy(list(scores), list(scores.values()), kinds or {}, (), False, defaults | fields)


def bpe(characters: str, merges: str, more: str = "", added: tuple[AddedToken, ...] = (), **fields: Any) -> Toy:
    """BPE over plain characters; `merges` are separated by spaces, their halves by "+", best first; "␣" is a space.

    Ids begin at 3: the characters in order, `more` pieces, then what each merge makes.
    """
    pairs = [tuple(half.replace("␣", " ").encode() for half in merge.split("+")) for merge in merges.split()]
    spelled = list(dict.fromkeys([*characters, *more.split(), *(b"".join(pair).decode() for pair in pairs)]))
    toy = _toy(spelled, [], {}, added, False, {"segment": bpe_segment} | fields)
    return Toy(_with_merges(toy.vocabulary, pairs), toy.behaviour)


def byte_bpe(merges: str, words: Iterable[str] = (), added: tuple[AddedToken, ...] = (), **fields: Any) -> Toy:
    """A toy BPE model over GPT-2's byte alphabet (Ġ is the space): ids from 3 are 256 bytes, merges, whole `words`."""
    pairs = [tuple(half.encode() for half in merge.split("+")) for merge in merges.split()]
    merged = (b"".join(pair).decode() for pair in pairs)
    spelled = list(dict.fromkeys([*ALPHABET, *merged, *map(to_alphabet, words)]))
    defaults = {"segment": bpe_segment, "byte_level": True, "fallback": "drop", "decode": decode_byte_level}
    toy = _toy(spelled, [], {}, added, False, defaults | fields)
    return Toy(_with_merges(toy.vocabulary, pairs), toy.behaviour)


def wordpiece(pieces: str, **fields: Any) -> Toy:
    """WPM over pieces separated by spaces, as BERT spells them ("##" continues a word); ids begin at 3."""
    defaults = {"segment": wpm_segment, "decode": decode_wordpiece, "continuing_prefix": "##"}
    return _toy(pieces.split(), [], {}, (), False, defaults | fields)


def special(spelled: str, piece_id: int, **attributes: bool) -> AddedToken:
    """An added token, special unless said otherwise."""
    return AddedToken(piece_id, spelled, **attributes)


def _toy(
    spelled: list[str],
    scores: list[float],
    kinds: Mapping[str, Kind],
    added: tuple[AddedToken, ...],
    byte_pieces: bool,
    fields: Mapping[str, Any],
) -> Toy:
    own = [(piece.encode(), kinds.get(piece, Kind.NORMAL)) for piece in spelled]
    fallback = [(b"<0x%02X>" % byte, Kind.BYTE) for byte in range(256)] if byte_pieces else []
    table = [*_SPECIAL, *own, *fallback]
    vocabulary = Vocabulary(
        pieces=tuple(piece for piece, _ in table),
        kinds=tuple(kind for _, kind in table),
        scores=(0.0, 0.0, 0.0, *scores, *(0.0 for _ in fallback)) if scores else (),
        added=(AddedToken(UNK, "<unk>"), AddedToken(BOS, "<s>"), AddedToken(EOS, "</s>"), *added),
        special={"unk": UNK, "bos": BOS, "eos": EOS},
    )
    defaults: dict[str, Any] = {
        "decode": decode_pieces,
        "decode_text": keep_bytes,
        "match_added": leftmost_longest,
        "wrap": wrap_once,
        "prefix_ids": (BOS,),
    }
    return Toy(vocabulary, Behaviour(**defaults | dict(fields)))


def _with_merges(vocabulary: Vocabulary, pairs: list[tuple[bytes, ...]]) -> Vocabulary:
    return Vocabulary(
        pieces=vocabulary.pieces,
        kinds=vocabulary.kinds,
        merges=tuple((left, right) for left, right in pairs),
        added=vocabulary.added,
        special=vocabulary.special,
    )
