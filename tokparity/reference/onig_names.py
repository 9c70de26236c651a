"""What Oniguruma's escapes, POSIX brackets and properties are to the `regex` package, outside and inside of a class."""

from __future__ import annotations

WORD_IN_CLASS = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
WORD = WORD_IN_CLASS + "²³¹¼-¾"
OUTSIDE = {
    "w": f"[{WORD}]",
    "W": f"[^{WORD}]",
    "h": "[0-9A-Fa-f]",
    "H": "[^0-9A-Fa-f]",
    "b": f"(?:(?<=[{WORD}])(?![{WORD}])|(?<![{WORD}])(?=[{WORD}]))",
    "B": f"(?:(?<=[{WORD}])(?=[{WORD}])|(?<![{WORD}])(?![{WORD}]))",
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
    "N": r"[^\n]",
    "O": "(?s:.)",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "e": r"\x1b",
}
INSIDE = {
    "w": WORD_IN_CLASS,
    "W": f"[^{WORD_IN_CLASS}]",
    "h": "0-9A-Fa-f",
    "H": "[^0-9A-Fa-f]",
    "b": r"\x08",
    "e": r"\x1b",
}
KEPT_OUTSIDE = frozenset("dDsStnrfvaAXKcCM")
KEPT_INSIDE = frozenset("dDsStnrfvacCM")
"""Letters that mean the same to both behind a backslash, or an error to `regex` where we do not translate them."""

POSIX = {
    "punct": r"\p{P}\p{S}",
    "word": WORD_IN_CLASS,
    "digit": r"\p{Nd}",
    "alnum": r"\p{Alphabetic}\p{Nd}",
}
CASES = frozenset((
    "lu", "ll", "lt", "lc", "upper", "lower", "uppercase", "lowercase",
    "uppercaseletter", "lowercaseletter", "titlecaseletter", "casedletter",
))  # fmt: skip
"""Properties that tell capitals from small letters."""

PROPERTIES = {"xdigit": "0-9A-Fa-f", "word": WORD}
NOTHING = "[a&&b]"  # `regex` takes [^\s\S] in a class for nothing at all
