"""Regular expressions that nobody would write."""

from __future__ import annotations

from random import Random

from tokparity.reference import pretokeniser_patterns

KNOWN = tuple(value for value in vars(pretokeniser_patterns).values() if isinstance(value, str) and "\\p" in value)

_SPELLED = (
    r"(?: (?= (?! (?<= (?<! (?> (?<a> (?i) (?i: (?-i) (?x) (?R) (?1) (?&a) (?P<a> (?P>a) (?(1) (?| (?~ (?#"
    r" (?C) (?{ (*F) (? ( ) [ [^ ] ]] [:alpha:] [[:^punct:]] [: [[:x:]] && -- ~~ || - a-z z-a \p{L} \p{"
    r" \p{^L} \P{Foo} \pL \p{IsGreek} \x{41} \x{ \x{zz} \x{110000} \x{41,42} \x4 \x \u00e9 \u \U \N{ \N \X"
    r" \K \R \h \H \w \W \b \B \d \s \Z \z \A \G \1 \9 \0 \777 \c \C-a \M-a \o{101} \Q \L<a> \m \k<a>"
    r" \g<1> \\ \ | * + ? *? ++ { {1,} {,2} {2,1} {1}+ {1000} {99999999999} {0} {e<=1} } ^ $ . é 漢"
    r" (a|aa)+$ (?:a*)*b"
)
PARTS = (*_SPELLED.split(" "), "\0", "\n", " ", "\U0001f600", "\u0300")


def pattern(random: Random) -> str:
    """A known pattern or parts of patterns, then changed."""
    found = random.choice(KNOWN) if random.random() < 0.5 else "".join(random.choices(PARTS, k=random.randint(1, 12)))
    for _ in range(random.randint(0, 4)):
        begin = random.randrange(len(found) + 1)
        end = min(len(found), begin + random.randrange(8))
        new = random.choice(
            (
                random.choice(PARTS),
                random.choice(PARTS) * random.choice((2, 60, 3000)),
                found[begin:end] * random.randint(0, 200),
                "",
                chr(random.randrange(0x250)),
            )
        )
        found = found[:begin] + new + found[end if random.random() < 0.5 else begin :]
    return found[: random.choice((len(found), len(found), len(found) // 2))]
