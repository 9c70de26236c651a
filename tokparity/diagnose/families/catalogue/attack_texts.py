"""Texts for an attack: earlier texts, generated texts, every added token, characters of each Unicode version.

All white space and changed mismatches are among them, too. None depends on the explanation, so no explanation
chooses its own test.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest

from tokparity import generators
from tokparity.case import AnyCase, Case, Origin, text_case
from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.families.catalogue.texts import CHARACTERS, texts
from tokparity.diagnose.limits import Limits
from tokparity.questions import Decode, Encode, Question
from tokparity.reference.unicode_ages import NEWEST, WHITESPACE, added
from tokparity.sources.random_texts import random_cases
from tokparity.vocabulary import Kind, Vocabulary

_ORIGIN = Origin("diagnosis", "attack")
_OLD_LETTERS = "\U0001d427\U00010400\U00020000\U0001d7d9"
"""Letters and a digit above U+FFFF that each version since 5 has."""
_SEED = 7
"""Of the texts of an attack: another than that of the texts among which explanations were told apart."""


def attack_cases(
    base: Base, put: Iterable[AnyCase], evidence: Sequence[Observation], share: float, limits: Limits
) -> Iterator[AnyCase]:
    """Cases of all sources in turn, each question once; `share` of those that the limits allow are made."""
    made = round(limits.attack_texts * share)
    sources = (
        added_tokens(base.vocabulary, made // 4),
        newcomers(made // 2),
        spaces(made // 2),
        rows(evidence, made // 4),
        texts(base.vocabulary, evidence, made, limits, _SEED),
        generated(base, generators.names(), made),
        islice(put, round(limits.attack_put * share)),
    )
    seen: set[Question] = set()
    for case in chain.from_iterable(zip_longest(*sources)):
        if case is not None and case.question not in seen:
            seen.add(case.question)
            yield case


def added_tokens(vocabulary: Vocabulary, most: int) -> Iterator[AnyCase]:
    """Yield each added token alone and between letters, parsed and not, evenly chosen if there are many.

    Its spelling in the other case follows, which is a token only if the text is changed before it is parsed.
    """
    special = (Kind.CONTROL, Kind.USER_DEFINED, Kind.UNKNOWN, Kind.UNUSED)
    pieces = (vocabulary.pieces[i] for i, kind in enumerate(vocabulary.kinds) if kind in special)
    contents = dict.fromkeys(
        (*(token.content.encode("utf-8", "surrogateescape") for token in vocabulary.added), *pieces)
    )
    every = [content for content in contents if content]
    around = ((b"", b""), (b"a", b"b"), (b" ", b" c"), (b"a ", b"."))
    step = max(1, -(-5 * len(every) // max(most, 1)))
    for n, content in enumerate(every[::step]):
        for before, after in (around[0], around[1 + n % 3]):
            for parse_special in (False, True):
                yield text_case(before + content + after, n % 2 == 0, parse_special, _ORIGIN)
        yield text_case(b"a" + content.swapcase() + b"b", n % 2 == 0, True, _ORIGIN)


def newcomers(most: int) -> Iterator[AnyCase]:
    """Yield characters of each version of Unicode since 9, and older letters above U+FFFF, where they show.

    They stand after a space or a letter, and before a letter, an apostrophe, a point or an unassigned character. An
    engine has tables of one version, so these texts soon refute a wrong statement about them.

    Of each range the last is taken, first of those that end as ten digits do (U+11F59): some patterns look for no more.
    """
    ranges = (added(version, version) for version in range(9, NEWEST + 1))
    in_turn = zip_longest(*(sorted(some, key=lambda ends: not _may_be_digits(*ends)) for some in ranges))
    every = (chr(last) for some in in_turn for _, last in filter(None, some))
    frames = ("{}'s", "{}a", " {}", "a{}", "{}.", "{}\u0378")
    for character in islice(chain(_OLD_LETTERS, every), most // len(frames)):
        for frame in frames:
            yield text_case(frame.format(character).encode(), add_special=False, origin=_ORIGIN)


def spaces(most: int) -> Iterator[AnyCase]:
    """Yield texts in which each white space character is next to a plain space, a digit, a letter, a sign, and at the
    end.

    There, patterns differ in what a run of white space is, and in which part of the run belongs to the following word.
    """
    frames = (" {}7", " {}a", "a {}", "{} 7", " {}!", "{} a", "a{}{}7", "{}7", "a{} ")
    every = (frame.format(space, space) for frame in frames for space in WHITESPACE)
    for text in islice(every, most):
        yield text_case(text.encode(), add_special=False, origin=_ORIGIN)


def _may_be_digits(first: int, last: int) -> bool:
    return last % 16 == 9 and last - first >= 9


def rows(evidence: Sequence[Observation], most: int) -> Iterator[AnyCase]:
    """Parts of the rows of ids that the engine decoded wrongly, with special tokens left out and shown."""
    wrong = sorted((o for o in evidence if o.wrong and isinstance(o.case.question, Decode)), key=size)
    questions = (o.case.question for o in wrong if isinstance(o.case.question, Decode))
    return islice((Case(part, _ORIGIN) for question in questions for part in _parts(question)), most)


def _parts(question: Decode) -> Iterator[Decode]:
    ids = question.ids[:16]
    for hides in (question.skip_special, not question.skip_special):
        yield Decode(question.ids, hides)
        for i, one in enumerate(ids):
            yield from (Decode((one,), hides), Decode(ids[:i], hides), Decode(ids[:i] + ids[i + 1 :], hides))


def generated(base: Base, names: Sequence[str], count: int, seed: int = _SEED) -> Iterator[AnyCase]:
    """Yield texts that these generators make for the model; a quarter of the texts have special tokens parsed."""
    for n, case in enumerate(random_cases(names, seed, count, base.generators)):
        yield text_case(case.question.text, case.question.add_special, n % 4 == 0, case.origin)


def neighbours(question: Question, rng: random.Random, most: int) -> Iterator[AnyCase]:
    """The question with one character less, more or other, or with other flags."""
    if not isinstance(question, Encode):
        return
    add, parse = question.add_special, question.parse_special
    yield from (text_case(question.text, *flags, _ORIGIN) for flags in ((not add, parse), (add, not parse)))
    text = question.text.decode("utf-8", "surrogateescape")
    for _ in range(most):
        at = rng.randint(0, len(text))
        other = rng.choice(("", rng.choice(CHARACTERS)))
        changed = text[:at] + other + text[at + rng.randint(not other, 1) :]
        yield text_case(changed.encode("utf-8", "surrogateescape"), add, parse, _ORIGIN)
