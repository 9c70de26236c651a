"""Quirks of the classes in the regular expressions by which the text is split: what white space and letters are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tokparity.quirk import Derived, Quirk
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import patterns_with
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import Split

_PART = re.compile(r"(?s)\\[pP]\{\w+\}|\\.|.")
_ASCII_SPACES = "\t\n\f\r "
_JAVASCRIPT_SPACES = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_PYTHON_SPACES = r"\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def with_members(classes: Mapping[str, str], number: int) -> Derived:
    """A `derive` for patterns in which these classes (`\\s`, `\\p{L}`) have these members."""

    def changed(pattern: str) -> str:
        parts, in_class = [], False
        for part in _PART.findall(pattern):
            in_class = part == "[" or (in_class and part != "]")
            is_negated = part[:1] == "\\" and part[1:2].isupper()
            members = classes.get(part.lower() if is_negated and len(part) == 2 else part)
            if members is None or (is_negated and in_class):
                parts.append(part)
            else:
                parts.append(members if in_class else f"[{'^' * is_negated}{members}]")
        return "".join(parts)

    return patterns_with(number, changed)


QUIRKS = (
    Quirk(
        name="knows_spaces_of_ascii_only",
        title="Splits with ASCII white space only",
        symptom="U+00A0, U+2003, U+3000, U+0085 and U+000B join the punctuation next to them, and runs of spaces end "
        "there.",
        cause="The pattern is given to an engine whose \\s is that of ASCII: RE2 and Go's regexp.",
        fix="Spell the white space of Unicode out in the pattern: \\s and \\p{Z}, U+000B and U+0085.",
        field="pretokenise",
        derive=with_members({r"\s": _ASCII_SPACES}, 58),
        links=("https://github.com/google/re2/wiki/Syntax",),
        witness=lambda: toys.byte_bpe(".+Â", pretokenise=Split(r" ?[^\s\p{L}]+|\s+")).on(".\u00a0"),
    ),
    Quirk(
        name="knows_spaces_of_javascript",
        title="Splits with JavaScript's white space: U+FEFF, not U+0085",
        symptom="Only texts with U+FEFF (byte order mark) or U+0085 (next line) beside a word are cut at other places.",
        cause="The pattern is given to JavaScript, whose \\s has U+FEFF and lacks U+0085.",
        fix="Write [\\s\\x85--\\ufeff] for \\s with the flag v, or spell its members out.",
        field="pretokenise",
        derive=with_members({r"\s": _JAVASCRIPT_SPACES}, 57),
        links=("https://tc39.es/ecma262/#sec-white-space",),
        witness=lambda: toys.byte_bpe(".+ï", pretokenise=Split(r" ?[^\s\p{L}]+|\s+")).on(".\ufeff"),
    ),
    Quirk(
        name="knows_spaces_of_python",
        title="Splits with Python's white space: U+001C to U+001F too",
        symptom="Only texts with one of the separators U+001C to U+001F beside other white space are cut at other "
        "places.",
        cause="The pattern is given to Python's re, whose \\s is str.isspace(); that has these four characters.",
        fix="Use the package regex, or spell the members of \\s out.",
        field="pretokenise",
        derive=with_members({r"\s": _PYTHON_SPACES}, 51),
        links=("https://docs.python.org/3/library/stdtypes.html#str.isspace",),
        witness=lambda: toys.byte_bpe("Ġ+Ġ ĠĠ+Ĝ", pretokenise=Split(GPT2)).on("  \x1c"),
    ),
    Quirk(
        name="knows_letters_of_ascii_only",
        title="Splits with ASCII letters, digits and white space only",
        symptom="Words with letters outside ASCII are cut as if they were punctuation. They join the punctuation, "
        "digits and spaces of other scripts next to them.",
        cause="The classes of the pattern became [[:alpha:]], [[:digit:]] or \\w of an engine that knows bytes or "
        "ASCII only, such as C++'s std::regex.",
        fix="Use an engine that knows \\p{L} and \\p{N}, on characters and not on bytes.",
        field="pretokenise",
        derive=with_members({r"\s": _ASCII_SPACES + r"\v", r"\p{L}": "A-Za-z", r"\p{N}": "0-9", r"\p{Nd}": "0-9"}, 56),
        links=("https://github.com/ggerganov/ggml/blob/master/examples/common.cpp",),
        witness=lambda: toys.byte_bpe("©+.", pretokenise=Split(GPT2)).on("é."),
    ),
)
