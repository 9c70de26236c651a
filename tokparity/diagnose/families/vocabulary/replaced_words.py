"""Models that give certain words other ids: a program takes them for something else, or its cache has them wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from tokparity.diagnose.evidence import Observation
from tokparity.diagnose.facts import Facts
from tokparity.diagnose.hypothesis import Variant, foretells, has_other_ids
from tokparity.diagnose.limits.families import COMPARED, HALF, LISTED_WORDS, SEEN, TOLD
from tokparity.diagnose.probes import mixed
from tokparity.diagnose.word_by_word import WordByWord
from tokparity.outcome import Encoding
from tokparity.questions.json_text import literal

_AMONG = ("\n", " ", ".", "a", " a", "1", " one")

_JAVASCRIPT = (
    *("constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
    *("toLocaleString", "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
)

_LISTS: Mapping[str, Sequence[str]] = {"that every JavaScript object has as members": _JAVASCRIPT}
"""Words that some languages take for something else, and what is said of them."""

Ids = tuple[int, ...]


def replaced_words(facts: Facts) -> Iterator[Variant]:
    """The variants with other ids for the word of the smallest mismatch, and perhaps for more words."""
    if not facts.is_of_ids or facts.base.behaviour.pretokenise is None:
        return
    words = WordByWord(facts.base)
    found = _replaced(words, facts.against, {})
    if not found:
        return
    found = _further(words, facts.failing[:SEEN], found)
    compared, variant = facts.failing[:COMPARED], _variant(facts, words, found)
    if sum(foretells(variant, seen) for seen in compared) < HALF * len(compared):
        return
    if facts.asking.can and len(found) <= LISTED_WORDS:  # what stands beside such words shows more of them
        facts.asking.wrong(_probes(facts, words, found))
        found = _further(words, [*facts.asking.seen.values()], found)
    if facts.asking.is_stored and not _says_more(found, facts.failing):
        return
    word, ids = next(iter(found.items()))
    for told, members in _LISTS.items():
        if word in members and {*found.values()} == {ids}:
            yield _variant(facts, words, dict.fromkeys(members, ids), told)
    if len(found) <= LISTED_WORDS:
        yield _variant(facts, words, found)
        yield _variant(facts, words, {word: ids})


def _says_more(found: Mapping[str, Ids], failing: Sequence[Observation]) -> bool:
    """Whether a table says more than what came of each text: the same of several words, or of a word several times."""
    return (len(found) > 1 and len({*found.values()}) == 1) or len(failing) >= 2 * len(found)


def _further(words: WordByWord, some: Iterable[Observation], known: Mapping[str, Ids]) -> dict[str, Ids]:
    """The known words, and those that these texts show."""
    found = dict(known)
    for seen in some:
        found |= _replaced(words, seen, found)
    return found


def _replaced(words: WordByWord, seen: Observation, known: Mapping[str, Ids]) -> dict[str, Ids]:
    """The one word of a text, beside those that are known, that has other ids, with these ids."""
    if not has_other_ids(seen) or not isinstance(seen.actual, Encoding):
        return {}
    left, parts = list(seen.actual.ids), list(words.parts(seen.question))  # type: ignore[arg-type]
    for end in (0, -1):
        while parts:
            ids = [part] if isinstance(part := parts[end], int) else list(_ids_of(known, words, part))
            if (left[: len(ids)] if end == 0 else left[max(len(left) - len(ids), 0) :]) != ids:
                break
            parts.pop(end)
            left = left[len(ids) :] if end == 0 else left[: len(left) - len(ids)]
    return {word: tuple(left) for word in parts if len(parts) == 1 and isinstance(word, str)}


def _variant(facts: Facts, words: WordByWord, table: Mapping[str, Ids], told: str = "") -> Variant:
    texts = _texts(facts, words, table)
    some = ", ".join(literal(text) for text in texts[:TOLD])
    more = f" and {len(texts) - TOLD} more" if len(texts) > TOLD else ""
    which = f"the words {told}, such as {some}" if told else f"the word{'s' if len(texts) > 1 else ''} {some}{more}"
    given = {*table.values()}
    ids = f"the ids {', '.join(map(str, *given))}" if len(given) == 1 else "other ids"
    says = f"that drops {which}" if given == {()} else f"that gives {ids} for {which}"
    other = partial(_ids_of, table, words)
    return facts.variant(
        says, lambda question: words.ids(question, other, lambda _: True), _probes(facts, words, table)
    )


def _ids_of(table: Mapping[str, Ids], words: WordByWord, word: str) -> Sequence[int]:
    return table[word] if word in table else words.right(word)


def _texts(facts: Facts, words: WordByWord, some: Iterable[str]) -> list[str]:
    """Words as a text spells them."""
    decode = facts.against.tokens.decode
    return [decode(words.right(word)).decode("utf-8", "surrogateescape") for word in some]


def _probes(facts: Facts, words: WordByWord, some: Iterable[str]) -> list[str]:
    return mixed(_texts(facts, words, some), _AMONG)
