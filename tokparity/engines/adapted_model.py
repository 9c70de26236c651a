"""A user's functions for one text and one row of ids, behind the engines' interface."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import Any

from tokparity.engines.answers import UnsupportedError, WrongAnswerError, rows_of, text_of
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.forks import Forks
from tokparity.engines.hello import Hello
from tokparity.engines.spans import spanning, wrapped
from tokparity.engines.specials import Specials, refuse_spelled
from tokparity.outcome import Spanning

_PLAIN = ("a", "1 b", "Hello")
"""Texts whose own ids begin and end differently, and with none of the model's special tokens."""

_GRACE = 1.0
"""Seconds in which a copy that has answered ends."""
_ASKED = 4
"""Special tokens whose texts a function is asked for, to see whether it always recognizes them."""


def parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    """What a function takes; nothing where Python cannot tell."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def _in_a_copy(rows: Callable[[], list[list[int]]]) -> list[list[int]]:
    """What a copy of this process answers; none where it ends.

    Texts are put to later copies: what a function starts at its first call, such as threads, would be in none of them.
    """

    def serve(requests: Any, replies: Any) -> None:
        requests.readline()
        replies.write(json.dumps(rows()) + "\n")
        replies.flush()

    forks = Forks()
    line = forks.reply(0, b"\n", serve)
    forks.end(0, _GRACE)
    found: list[list[int]] = json.loads(line) if line else []
    return found


class AdaptedModel:
    """Functions for one text and one row of ids, behind the engines' interface."""

    def __init__(
        self, made: Any, name: str, hello: Hello, around: tuple[tuple[int, ...], tuple[int, ...]], specials: Specials
    ) -> None:
        """`specials` are those of the model, or none where the user's object says itself what it can be asked."""
        able = hello.capabilities
        self._name, self._specials = name, specials
        self._encode: Any = getattr(made, "encode", made)
        self._decode: Any = getattr(made, "decode", None)
        self._stream: Any = getattr(made, "stream", None)
        self._spans: Any = getattr(made, "spans", None)
        wants, undoes = parameters(self._encode), parameters(self._decode)
        self._flags = [name for name in ("add_special", "parse_special") if name in wants]
        self._skips = "skip_special" in undoes
        self._bytes = able.invalid_utf8
        self._around = around
        self._always_parses = "parse_special" not in wants and self._parses_itself()
        if self._always_parses:
            hello = replace(hello, capabilities=replace(able, parse_special=(False, True)))
        self.hello = hello

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """One call for each text."""
        self._refuse((text.decode("utf-8", "replace") for text in texts.to_list()), parse_special)
        flags = {"add_special": add_special, "parse_special": parse_special}
        flags = {name: flags[name] for name in self._flags}
        asked: list[bytes] | list[str] = texts.to_list() if self._bytes else texts.to_strs()
        ids = rows_of([self._encode(text, **flags) for text in asked], "encode")
        if "add_special" in flags or self._is_around(add_special):
            return ids
        return ids.wrapped(*self._around) if add_special else Ids.from_list([*map(self._bare, ids.to_list())])

    def _bare(self, row: list[int]) -> list[int]:
        """The ids without the model's prefix and suffix; as they are where they lack one."""
        prefix, suffix = map(list, self._around)
        inner = row[len(prefix) : len(row) - len(suffix)]
        return inner if prefix + inner + suffix == row else row

    @cached_property
    def _adds_itself(self) -> bool:
        """Whether a function without `add_special` puts the model's prefix and suffix around its ids."""
        rows = self._tried(_PLAIN)
        return bool(rows) and all(self._bare(row) != row for row in rows)

    def _tried(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of texts without any flag set; none where it raises, as the texts of a run will show."""
        given = (text.encode() if self._bytes else text for text in texts)
        try:
            return rows_of(
                [self._encode(text, **dict.fromkeys(self._flags, False)) for text in given], "encode"
            ).to_list()
        except Exception:
            return []

    def _parses_itself(self) -> bool:
        """Whether a function without `parse_special` gives the ids of special tokens for their texts."""
        around = {i for ids in self._around for i in ids}
        asked = [(i, text) for i, text in self._specials.left_out.items() if text and i not in around][:_ASKED]
        rows = _in_a_copy(lambda: self._tried(text for _, text in asked)) if asked else []
        return bool(rows) and all(i in row for (i, _), row in zip(asked, rows, strict=True))

    def _refuse(self, texts: Iterable[str], parse_special: bool) -> None:
        """Raise UnsupportedError where it would recognize what is plain text."""
        if self._always_parses and not parse_special:
            refuse_spelled(texts, self._specials.spelled, self._name)

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """One call for each row."""
        rows = ids.to_list()
        if skip_special and not self._skips:
            rows = [[i for i in row if i not in self._specials.left_out] for row in rows]
        flags = {"skip_special": skip_special} if self._skips else {}
        return Texts.from_list([text_of(self._decode(row, **flags), "decode") for row in rows])

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """Its `stream`, with the prompt and the flag that it takes; special tokens left out add nothing.

        UnsupportedError for a prompt that it does not take.
        """
        taken = parameters(self._stream)
        left_out = self._specials.left_out if skip_special and "skip_special" not in taken else {}
        given = {"prefill": [i for i in prefill if i not in left_out], "skip_special": skip_special}
        wanted = {name: value for name, value in given.items() if name in taken}
        if given["prefill"] and "prefill" not in taken:
            raise UnsupportedError(f"`stream` of {self._name} takes no `prefill`, so it knows no prompt")
        coming = iter(ids)
        for delta in self._stream([i for i in ids if i not in left_out], **wanted):
            yield from (b"" for _ in takewhile(left_out.__contains__, coming))
            yield text_of(delta, "stream")
        yield from (b"" for i in coming if i in left_out)

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """Its `spans`, with what it takes of the flags."""
        self._refuse([text], parse_special)
        flags = {"add_special": add_special, "parse_special": parse_special}
        wanted = {name: value for name, value in flags.items() if name in parameters(self._spans)}
        given = pair(self._spans(text, **wanted))
        if "add_special" in wanted or self._is_around(add_special):
            return given
        if add_special:
            return wrapped(given, *self._around, len(text))
        ids, start = self._bare([*given.ids]), len(self._around[0])
        return given if len(ids) == len(given.ids) else Spanning(tuple(ids), given.spans[start : start + len(ids)])

    def _is_around(self, add_special: bool) -> bool:
        """Whether the model's prefix and suffix are around its ids, or not, as is wanted."""
        return not any(self._around) or add_special == self._adds_itself


def pair(given: object) -> Spanning:
    """Ids and their spans, as a user's function gives them."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise WrongAnswerError(f"spans returned {given!r:.60}", "return the ids, and two numbers for each of them")
    return spanning(list(given[0]), list(given[1]))
