"""Quirks of what a library, a tool or a caller does to a text before the tokenizer sees it."""

from __future__ import annotations

import re

from tokparity.quirk import Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_text import Replacing, Translating, of_bytes, of_text

_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b'"': b'"', b"'": b"'", b"\\": b"\\"}
_ESCAPE = re.compile(rb"\\([nrt\"'\\])")
_SPACES = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Unicode's space separators (Zs) but U+0020."""


def until_nul(data: bytes) -> bytes:
    """The text before the first NUL."""
    return data.partition(b"\0")[0]


def without_mark(data: bytes) -> bytes:
    """The text without U+FEFF at its start."""
    return data.removeprefix(b"\xef\xbb\xbf")


def without_final_line_ends(data: bytes) -> bytes:
    """The text without the line feeds that it ends with."""
    return data.rstrip(b"\n")


def unescaped(data: bytes) -> bytes:
    """The text with the characters that backslash escapes represent."""
    return _ESCAPE.sub(lambda found: _ESCAPED[found.group(1)], data)


def with_line_feeds(data: bytes) -> bytes:
    """The text with LF for CR LF and CR."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def from_latin_1(data: bytes) -> bytes:
    """Each byte as the character of Latin-1, in UTF-8."""
    return data.decode("latin-1").encode()


def with_space(data: bytes) -> bytes:
    """The text with a space before it, unless it begins with one or is empty."""
    return b" " + data if data and not data.startswith(b" ") else data


QUIRKS = (
    Quirk(
        name="puts_space_before_text",
        title="Puts a space before a text that begins with none",
        symptom="The first word of every text has the ids of a word inside a sentence, or a space before it is double.",
        cause="The caller adds the space, as add_prefix_space of another model asks for it.",
        fix="Pass the text on as it is; the model's own tokenizer adds what it needs.",
        field="decode_text",
        derive=of_bytes(15, with_space),
        witness=lambda: toys.byte_bpe("Ġ+a").on("a"),
    ),
    Quirk(
        name="reads_utf8_as_latin_1",
        title="Reads UTF-8 as Latin-1",
        symptom="Everything outside ASCII is garbled: é becomes Ã©.",
        cause="The bytes were decoded as Latin-1 (or Windows-1252) and encoded again.",
        fix="Decode the input as UTF-8.",
        field="decode_text",
        derive=of_bytes(120, from_latin_1),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("é"),
    ),
    Quirk(
        name="drops_byte_order_mark",
        title="Drops a byte order mark",
        symptom="A U+FEFF at the start of the text is dropped before the text is tokenized.",
        cause="The text is decoded as utf-8-sig, or the mark is skipped.",
        fix="Decode as plain UTF-8; the mark is a character like any other.",
        field="decode_text",
        derive=of_bytes(110, without_mark),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("\N{ZERO WIDTH NO-BREAK SPACE}a"),
    ),
    Quirk(
        name="reads_universal_newlines",
        title="Replaces CR LF and CR by LF",
        symptom="Carriage returns are lost: Windows line ends lose one token each, and the parts of a progress bar "
        "become lines.",
        cause="The text was read in text mode with universal newlines.",
        fix="Read the text as bytes.",
        field="decode_text",
        derive=of_bytes(100, with_line_feeds),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\rb"),
    ),
    Quirk(
        name="joins_line_ends",
        title="Replaces CR LF by LF",
        symptom="Texts with Windows line ends lose one token per line.",
        cause="Line ends are made uniform before the text is tokenized.",
        fix="Read the text as bytes.",
        field="decode_text",
        derive=of_bytes(90, Replacing(b"\r\n", b"\n")),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\r\nb"),
    ),
    Quirk(
        name="drops_final_line_ends",
        title="Drops the line ends that the text finishes with",
        symptom="A prompt that ends with an empty line loses that line. The model then continues the line before it.",
        cause="The text came from a shell's $(...), or from a file read line by line.",
        fix="Read the text whole and pass it on as it is.",
        field="decode_text",
        derive=of_bytes(80, without_final_line_ends),
        witness=lambda: toys.spm("a ▁", byte_pieces=True).on("a\n"),
    ),
    Quirk(
        name="processes_escapes",
        title="Replaces escapes such as \\n in the text",
        symptom="A backslash and an n in the text (source code, paths) become a newline.",
        cause="The command line, or the tool around the engine, processes escapes in its input.",
        fix="Switch the processing of escapes off when tokenizing text.",
        field="decode_text",
        derive=of_bytes(60, unescaped),
        links=github("ggml-org/llama.cpp/pull/5382"),
        witness=lambda: toys.spm("a b", byte_pieces=True).on(rb"a\nb"),
    ),
    Quirk(
        name="expands_tabs",
        title="Replaces each tab by four spaces",
        symptom="Indented code and tables have other ids, and decoded Makefiles do not work.",
        cause="The text went through an editor, a formatter or a viewer that expands tabs.",
        fix="Pass the text on as it is.",
        field="decode_text",
        derive=of_bytes(50, Replacing(b"\t", b"    ")),
        witness=lambda: toys.spm("a ▁", byte_pieces=True, space_marker="▁").on("a\ta"),
    ),
    Quirk(
        name="drops_emoji_selectors",
        title="Drops the selector of emoji presentation",
        symptom="Hearts, keycaps and other colored symbols get the ids of their plain forms.",
        cause="A clean-up removes U+FE0F as an invisible character without meaning.",
        fix="Leave the text as it is; only the model's own normalizer may change it.",
        field="decode_text",
        derive=of_bytes(40, Replacing("\ufe0f".encode(), b"")),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\ufe0fb"),
    ),
    Quirk(
        name="drops_zero_width_joiners",
        title="Drops zero width joiners",
        symptom="Emoji of families and professions fall apart into their members; Indic half forms are lost.",
        cause="A clean-up removes U+200D as an invisible character without meaning.",
        fix="Leave the text as it is; only the model's own normalizer may change it.",
        field="decode_text",
        derive=of_bytes(30, Replacing("\u200d".encode(), b"")),
        witness=lambda: toys.spm("a b", byte_pieces=True).on("a\u200db"),
    ),
    Quirk(
        name="cuts_text_at_nul",
        title="Ends the text at the first NUL",
        symptom="Everything after the first U+0000 in a text is lost.",
        cause="The text is passed as a zero-terminated string.",
        fix="Pass the length along with the text.",
        field="decode_text",
        derive=of_bytes(20, until_nul),
        witness=lambda: toys.spm("a b", byte_pieces=True).on(b"a\0b"),
    ),
    Quirk(
        name="folds_case",
        title="Folds the case of the whole text",
        symptom="Capitals become small letters, ß becomes ss, and the Greek final sigma ς becomes σ.",
        cause="The text was case-folded, which prepares it for comparison and not for a model.",
        fix="Pass the text on as it is; a model that wants lower case has a normalizer for it.",
        field="decode_text",
        derive=of_text(20, str.casefold),
        links=("https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt",),
        witness=lambda: toys.spm("a ß s", byte_pieces=True).on("aß"),
    ),
    Quirk(
        name="lowers_whole_text",
        title="Converts the whole text to lower case, special tokens too",
        symptom="Capitals become small letters. <|IM_END|> in a text acts as the special token <|im_end|>. A Greek Σ "
        "at the end of a word may become ς instead of σ, or σ instead of ς.",
        cause="The caller lowers the text with its language's own function before the tokenizer sees it.",
        fix="Pass the text on as it is; a model that wants lower case has a normalizer for it.",
        field="decode_text",
        derive=of_text(30, str.lower),
        witness=lambda: toys.spm("a A ς σ Σ", byte_pieces=True).on("AΣ"),
    ),
    Quirk(
        name="reads_wide_spaces_as_spaces",
        title="Replaces every other space character by a plain space",
        symptom="No-break spaces (French punctuation, pasted text) and ideographic spaces become plain spaces.",
        cause="A clean-up replaces all of Unicode's space separators by U+0020 before the tokenizer sees the text.",
        fix="Pass the text on as it is; a model that wants this has a normalizer for it.",
        field="decode_text",
        derive=of_text(40, Translating(_SPACES, " " * len(_SPACES))),
        witness=lambda: toys.spm("a ▁", byte_pieces=True, space_marker="▁").on("a\u3000a"),
    ),
    Quirk(
        name="straightens_quotes",
        title="Replaces typographic quotes and apostrophes by straight ones",
        symptom="Curly quotes become straight quotes, and contractions are cut as with a straight apostrophe.",
        cause="A clean-up replaces characters that word processors insert, before the tokenizer sees the text.",
        fix="Pass the text on as it is.",
        field="decode_text",
        derive=of_text(50, Translating("‘’“”", "''\"\"")),
        witness=lambda: toys.spm("a '", byte_pieces=True).on("a’a"),
    ),
)
