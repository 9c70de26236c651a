"""The probe set of a model: a few hundred texts, chosen by what the model has, that every command puts first and whole.

The texts are the same every time. No seed, option or time limit has a say in them, so a verdict may rest on them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest

from tokparity.case import Origin, TextCase, text_case
from tokparity.errors import FormatError
from tokparity.generators import prepared
from tokparity.generators.characters import category
from tokparity.generators.regex_samples import alternatives
from tokparity.generators.subject import Subject
from tokparity.quirks import all_quirks
from tokparity.reference.unicode_ages import NEWEST, WHITESPACE, added
from tokparity.sources.long_texts import at_limits, long_texts
from tokparity.vocabulary import Kind, Vocabulary

_TOKENS = 40
"""Added tokens at most that are put; of hundreds that differ in a number alone, one of each family comes first."""
_BESIDE = ("{}", "a{}b", "{} {}", "1{}\n")
"""What samples of each alternative of a pre-tokenizer's pattern stand beside."""
_KEYS = 40
"""Keys of a charsmap at most, of each class the first."""
_PER_VERSION = 5
"""Characters of each version of Unicode."""
_DRAWN = {
    "ties": 16,
    "overlaps": 8,
    "joints": 8,
    "vocabulary_words": 8,
    "fallbacks": 8,
    "contractions": 8,
    "apostrophes": 4,
    "graphemes": 12,
    "charsmap_keys": 8,
    "pretokeniser_samples": 12,
    "special_tokens": 10,
}
"""Texts of generators that look the vocabulary, the merges and the tokens over, and how many of each."""

_RUNS = (
    *(" " * count for count in (1, 2, 3, 4, 5, 8, 16, 33)),
    *("\t", "\t\t", "\n", "\n\n", "\n\n\n", "\r\n", "\r", " \n", "\n "),
)
_AROUND = ("{0}", "a{0}", "{0}a", "a{0}b", "1{0}2", "{0}!")
_INVALID = (
    b"\x80", b"a\xffb", b"\xc3", b"\xc3(", b"\xe2\x82", b"\xe2\x82a", b"\xf0\x9f\x98", b"\xf0\x9f\x98 b", b"\xc0\x80",
    b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80",
    b"\xbf\xbf", b"a\xe9\x00b", b"\xfe \xff",
)  # fmt: skip
_LITERALS = (
    "", "\0", "a\0b", "\ufeff", "a\ufeffb", "\x85", "a\x85b", "▁", "a▁b", "▁▁", "Ġ", "ĊĠa", "##a", "<0x41>", "<0x0A>",
    "<unk>", "[UNK]", "<s>", "</s>", "\ufffd", "a\u200bb", "\u200d", "\u00ad", "\ufe0f", "\u2028", "Hello, world!",
    "It's 1234567.89 ÄÖÜ ßẞ naïve", "don't DON'T don’t I'LL 'ſ", "x  =  1;\n\tif (y) {\n    return;\n}\n",
    "ſK İi ıI Σς", "ﬁ ½ ² Ⅳ ｱ ℌ ㌀ ①", "e\u0301's नी's !!\u0301a", "é e\u0301 ự u\u031b\u0323",
    "각 \u1100\u1161\u11a8", "क्षि ड\u093c", "สวัสดี", "世界 日本語テキスト",
    "👩\u200d👩\u200d👧 🏳\ufe0f\u200d🌈", "🇩🇪🇫🇷 1\ufe0f\u20e3", "אבג \u202eabc",
    "\U0001f98a\U00020000\U000e0041", "“a” ‘b’ «c» — … ·",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "0000000000000000000", "=" * 40, "!" * 9, "ab" * 120,
    " information informatics nationality rationality 1234567890123 1234567890124",
    "٣٤٥ १२३ ೪೫", "a" + 2731 * " ", "a_b-c.d/e\\f@g#h$i%j", "\\n \\t \\u0041",
)  # fmt: skip
"""What some tokenizer is known to treat in its own way, whatever the model is."""

_SEED = 4_049
"""Of what generators draw."""

_RARE = "ʬ҉߷ऄ๛ꙮ᚛⁂⟿⸎㐂䶵龥\ua9c5\U00010280\U0001d11e\U0001f9ff\U00020021\U000e0101\U0010fffd"
"""Characters that most vocabularies have no piece of, of two, three and four bytes."""


def probes(subject: Subject) -> list[TextCase]:
    """The probe set of a model, each question once; the origin of every case is "probe:PART:NUMBER".

    Parts: `witness/QUIRK` (the text that shows a quirk which would change this model's behavior), `added` (added
    tokens alone and glued between words, parsed as special and not), `pattern` (each alternative of the pre-tokenizer's
    pattern), `charsmap` (each class of the normalizer's table), `unicode-N` (characters that version N assigned),
    `spaces`, `bytes` (byte fallback and invalid UTF-8), `text`, `limit` (words about as long as the model takes them),
    `long` (what is longer than buffers), and `drawn/GENERATOR` (joints, ties and overlaps of the model's own pieces and
    merges).
    """
    parts = chain(
        _witnesses(subject),
        of_added_tokens(subject.vocabulary),
        _numbered("pattern", _patterns(subject)),
        _numbered("charsmap", _charsmap(subject)),
        *(_numbered(f"unicode-{version}", _newcomers(version)) for version in range(9, NEWEST + 1)),
        _numbered("spaces", _spaces()),
        _numbered("bytes", _bytes(subject)),
        _numbered("text", (text.encode() for text in _LITERALS)),
        _numbered("limit", at_limits(subject)),
        _numbered("long", long_texts()),
        *(_numbered(f"drawn/{name}", _drawn(subject, name, most)) for name, most in _DRAWN.items()),
    )
    return list({case.question: case for case in parts}.values())


def _numbered(part: str, texts: Iterable[bytes]) -> Iterator[TextCase]:
    """Cases of these texts; every third one is put with the special tokens around it, every fourth parsed."""
    for number, text in enumerate(texts):
        yield text_case(text, number % 3 == 0, number % 4 == 1, Origin("probe", part, number))


def _witnesses(subject: Subject) -> Iterator[TextCase]:
    """What shows each quirk on its toy model, where the quirk would change the behavior of this model."""
    for quirk in all_quirks():
        shown = quirk.shown
        if shown is not None and quirk.flip(subject.behaviour) != subject.behaviour:
            yield text_case(
                shown.text, shown.add_special, shown.parse_special, Origin("probe", f"witness/{quirk.name}")
            )


def of_added_tokens(vocabulary: Vocabulary) -> Iterator[TextCase]:
    """Tokens that can be matched in a text: alone, glued between words and beside spaces, parsed and not."""
    for number, content in enumerate(tokens(vocabulary)):
        around = (b"a%bb", b" %b c", b"a %b.")[number % 3]
        for text in (content, around.replace(b"%b", content)):
            for parse_special in (False, True):
                yield text_case(text, number % 2 == 0, parse_special, Origin("probe", "added", number))
        if content.swapcase() != content:
            yield text_case(content.swapcase(), False, True, Origin("probe", "added", number))


def of_other_files(vocabulary: Vocabulary, others: Iterable[Vocabulary]) -> Iterator[TextCase]:
    """Texts of tokens that only another file of the model has: parsed, as an engine that opens that file finds them."""
    for other in others:
        own = (content for content in tokens(other) if content not in vocabulary.ids)
        for number, content in enumerate(own):
            for text in (content, b"a" + content + b" b"):
                yield text_case(text, number % 2 == 0, True, Origin("probe", "added", number))


def tokens(vocabulary: Vocabulary, most: int = _TOKENS) -> list[bytes]:
    """Added tokens and pieces of a special kind, one of each family (those that differ in a number alone) first."""
    special = (Kind.CONTROL, Kind.USER_DEFINED, Kind.UNKNOWN, Kind.UNUSED)
    pieces = (vocabulary.pieces[i] for i, kind in enumerate(vocabulary.kinds) if kind in special)
    contents = dict.fromkeys(
        (*(token.content.encode("utf-8", "surrogateescape") for token in vocabulary.added), *pieces)
    )
    families: dict[bytes, list[bytes]] = {}
    for content in contents:
        if content:
            families.setdefault(re.sub(rb"\d+|(.)\1+", b"#", content, flags=re.DOTALL), []).append(content)
    # The last of a family is one that a list which was cut short does not have.
    ordered = ([family[-1], *family[:-1]] for family in families.values())
    in_turn = (content for row in zip_longest(*ordered) for content in row if content is not None)
    return list(islice(in_turn, most))


def _patterns(subject: Subject) -> Iterator[bytes]:
    """Samples of each alternative of each pattern of the pre-tokenizer, alone and between others."""
    for pattern in subject.patterns:
        try:
            found = alternatives(pattern)
        except FormatError:
            continue  # beyond the sampler; pretokeniser_samples has the common ones
        for number, sample in enumerate(found):
            rng = random.Random(number)
            for around in _BESIDE:
                yield around.replace("{}", sample(rng)).encode("utf-8", "surrogateescape")


def _charsmap(subject: Subject) -> Iterator[bytes]:
    """Of each class of keys the first and the last: what kind of character becomes how many, a space, or nothing."""
    classes: dict[tuple[object, ...], list[str]] = {}
    for key, value in sorted(subject.charsmap.items()):
        if key:
            of = category(key[0]), min(len(key), 2), min(len(value), 3), value == " "
            classes.setdefault(of, []).append(key)
    ends = ([keys[0], *keys[-1:]] for keys in classes.values())
    for number, key in enumerate(islice(dict.fromkeys(chain.from_iterable(ends)), _KEYS)):
        yield ("{}", "a{}b", "{}\u0301")[number % 3].format(key).encode("utf-8", "surrogateescape")


def _newcomers(version: int) -> Iterator[bytes]:
    """Characters that came with a version of Unicode, each the last of a range; of ranges of ten digits the first.

    What is beside them is a piece of its own or not, depending on whether the character is a letter, a digit or a
    sign. Older neighbors in the same block may share a piece with it.
    """
    ranges = sorted(added(version, version), key=lambda ends: not (ends[1] % 16 == 9 and ends[1] - ends[0] >= 9))
    digits, others = ranges[:1], ranges[1:]
    step = max(1, len(others) // (_PER_VERSION - 1))
    for first, last in [*digits, *others[::step]][:_PER_VERSION]:
        for frame in (" {}'s", "!!{}a"):
            yield frame.format(chr(last)).encode()
        around = range(max(first, last - 1) - 2, last + 3)
        yield "".join(map(chr, around)).encode()


def _spaces() -> Iterator[bytes]:
    """Runs of spaces and line ends at each end and between words; each other character of white space once."""
    for number, run in enumerate(_RUNS):
        for around in (_AROUND[0], _AROUND[1], _AROUND[2], _AROUND[3 + number % 3]):
            yield around.format(run).encode()
    for number, space in enumerate(WHITESPACE):
        yield (" {}7", "a{} b", "{}!")[number % 3].format(space).encode()
    for separator in "\x1c\x1f":  # white space to some languages
        yield f"a    {separator}b".encode()


def _bytes(subject: Subject) -> Iterator[bytes]:
    """Characters that no piece has, alone and in a word, and bytes that are not UTF-8."""
    known = set(subject.characters)
    for character in islice((one for one in _RARE if one not in known), 10):
        yield character.encode()
        yield f"a{character}b {character}".encode()
    yield from _INVALID


def _drawn(subject: Subject, name: str, most: int) -> Iterator[bytes]:
    """The first texts of a generator, under a seed that no run has by default."""
    made = prepared(subject.vocabulary, subject.behaviour).block(name, _SEED, 0)
    return islice(made, most)
