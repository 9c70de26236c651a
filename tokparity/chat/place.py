"""The place at which two templates differ, proven: with that part alone changed, the source's does the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tokparity.difference import first_difference
from tokparity.questions.json_text import literal

_CLOSED_BY = {"{%": "%}", "{{": "}}", "{#": "#}"}
_OPENED = re.compile(r"\{[%{][-+]?")
_SPREAD = re.compile(_OPENED.pattern + "\n")
_OPENS = re.compile(r"\{[%{#]")
_WORDS = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S""", re.DOTALL)
"""The strings of a tag, and all else in it but white space."""
_SPACE = " "
_MOST_PARTS = 4000
_MOST_TRIED = 64
_BEFORE, _AFTER = 24, 24  # characters shown before a difference and after it
_LONGEST = 100  # characters of one side of a difference


@dataclass(frozen=True)
class Edit:
    """A stretch of one template (or of one prompt) that is another in the other one: from `start` to `stop` in each."""

    ours: tuple[int, int]
    its: tuple[int, int]
    is_of_template: bool = True

    def put(self, ours: str, its: str) -> str:
        """The source's template with just this part as the file has it."""
        return its[: self.its[0]] + ours[slice(*self.ours)] + its[self.its[1] :]


def parts(ours: str, its: str) -> list[Edit]:
    """The parts in which two templates differ; a change of the white space inside a tag is none."""
    pieces = [list(cut(text)) for text in (ours, its)]
    if max(map(len, pieces)) > _MOST_PARTS:
        return [Edit((0, len(ours)), (0, len(its)))]
    starts = [[0], [0]]
    for places, few in zip(starts, pieces, strict=True):
        for piece in few:
            places.append(places[-1] + len(piece))
    alike = [[_plain(piece) for piece in few] for few in pieces]
    found = []
    for tag, a, b, c, d in SequenceMatcher(None, alike[0], alike[1], autojunk=False).get_opcodes():
        # White space between tags was taken for the same, so that tags are compared with tags.
        pairs = [(a, b, c, d)] if tag != "equal" else [(a + i, a + i + 1, c + i, c + i + 1) for i in range(b - a)]
        found += [
            Edit((starts[0][one], starts[0][two]), (starts[1][three], starts[1][four]))
            for one, two, three, four in pairs
            if tag != "equal" or (alike[0][one] == _SPACE and pieces[0][one] != pieces[1][three])
        ]
    return found


def told(ours: str, its: str, shows: Callable[[Sequence[str]], Sequence[bool]]) -> str:
    """Where they differ, to be read after the name of the file's template.

    `shows` says of templates whether each does on the smallest conversation what the file's template does.
    """
    found = parts(ours, its)[:_MOST_TRIED]
    if not found and all(shows([its])):
        return "is written in another way than the source's"
    found = found or [Edit((0, len(ours)), (0, len(its)))]
    guilty = [part for part, does in zip(found, shows([one.put(ours, its) for one in found]), strict=True) if does]
    part = (guilty or found)[0]
    one, other = around(ours, its, part)
    line = ours.count("\n", 0, part.ours[0] + _same(ours[slice(*part.ours)], its[slice(*part.its)])) + 1
    more = "" if guilty or len(found) == 1 else f" (the first of {len(found)} differences)"
    return f"says {one} in line {line}, and the source's template says {other}{more}"


def around(ours: str, its: str, part: Edit | None = None) -> tuple[str, str]:
    """Two texts as literals, with a few characters around the part in which they differ, or around all that does."""
    part = part or Edit((0, len(ours)), (0, len(its)), False)
    mine, other = ours[slice(*part.ours)], its[slice(*part.its)]
    before = _same(mine, other)
    after = min(_same(mine[before:][::-1], other[before:][::-1]), len(mine) - before, len(other) - before)
    shown = []
    for text, (start, stop) in ((ours, part.ours), (its, part.its)):
        begin, end = max(start + before - _BEFORE, 0), min(stop - after + _AFTER, len(text))
        if part.is_of_template:  # its lines say nothing to each other
            begin, line_end = max(begin, text.rfind("\n", 0, start + before) + 1), text.find("\n", stop - after)
            end = min(end, line_end) if line_end >= 0 else end
        elif len(text) <= _LONGEST:
            begin, end = 0, len(text)
        end = min(end, begin + _LONGEST + _AFTER)
        shown.append(("..." if begin else "") + text[begin:end] + ("..." if end < len(text) else ""))
    return literal(shown[0]), literal(shown[1])


def _same(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return first_difference(one, other)


def _plain(piece: str) -> str:
    """A piece in which the white space and the quotes of a tag do not count; of a comment nothing does."""
    if piece[:2] == "{#":
        return "{#"
    if piece[:2] in _CLOSED_BY:
        return "".join(word if word[0] not in "'\"" else f"'{word[1:-1]}'" for word in _WORDS.findall(piece))
    return piece if piece.strip() else _SPACE


def cut(text: str) -> Iterator[str]:
    """A template in pieces: its tags, and what stands between them. Joined they are the template."""
    start, at = 0, 0
    never: set[str] = set()
    while (found := _OPENS.search(text, at)) is not None:
        closes = _CLOSED_BY[found.group()]
        end = -1 if closes in never else text.find(closes, found.end())
        if end < 0:
            never.add(closes)
            at = found.end()
            continue
        if start < found.start():
            yield text[start : found.start()]
        yield text[found.start() : end + 2]
        start = at = end + 2
    if start < len(text):
        yield text[start:]


def spread(text: str) -> str:
    """The template in which each tag has a line of its own, and so has what comes after the tag of a block."""
    pieces = list(cut(text))
    after = ("{{\n''}}" if piece[:2] == "{%" else "" for piece in pieces)  # which writes nothing
    return "".join(_OPENED.sub(r"\g<0>\n", one, count=1) + more for one, more in zip(pieces, after, strict=True))


def line_before(text: str, place: int) -> int:
    """The line that a place of a spread template has in the template as it was."""
    begun = text[:place]
    return begun.count("\n") - len(_SPREAD.findall(begun)) + 1


def lines_of(text: str, span: tuple[int, int], lines: Collection[int]) -> list[int]:
    """The lines with code in a span of a template; where there are none, the last one before it."""
    first, last = (text.count("\n", 0, place) + 1 for place in span)
    inside = [line for line in lines if first < line <= last or (first == line and span[0] < span[1])]
    return inside or sorted(line for line in lines if line <= first)[-1:]
