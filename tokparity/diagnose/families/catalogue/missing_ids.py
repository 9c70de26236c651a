"""Answers that lack an id: which piece of the model stands in the place where the engine gives none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tokparity.diagnose.base import Base
from tokparity.diagnose.evidence import Observation, size
from tokparity.diagnose.limits.families import TOLD
from tokparity.diagnose.limits.texts import LINED_UP
from tokparity.outcome import Encoding
from tokparity.questions.json_text import literal
from tokparity.reference.byte_alphabet import from_alphabet
from tokparity.vocabulary import Vocabulary


@dataclass(frozen=True)
class _Gap:
    """A place without an id: what it would have to spell, and the right ids there."""

    place: int
    spelled: bytes
    ids: tuple[int, ...]


def without_id(base: Base, left: Sequence[Observation]) -> str:
    """A sentence on answers that lack an id, which is a negative number; empty if none of them does.

    A recording has null there, which is read as a negative number.
    """
    vocabulary = base.vocabulary
    lacking = sorted((seen for seen in left if min(_ids(seen.actual), default=0) < 0), key=size)
    if not lacking:
        return ""
    ids = _ids(lacking[0].actual)
    place = next(place for place, i in enumerate(ids) if i < 0)
    said = f"The engine gives no id (null or a negative number) in {len(lacking)} of these {len(left)} answers"
    gaps = [gap for seen in lacking[:LINED_UP] for gap in _gaps(vocabulary, _ids(seen.actual), _ids(seen.expected))]
    lost = {gap.spelled: vocabulary.ids[gap.spelled] for gap in gaps if gap.spelled in vocabulary.ids}
    if lost and all(gap.spelled in lost for gap in gaps):
        told = [f"{_text(piece)} (id {i}{_byte(base, piece)})" for piece, i in list(lost.items())[:TOLD]]
        more = f" and {len(lost) - TOLD} more" if len(lost) > TOLD else ""
        return f"{said}. It does not find {'these pieces' if len(lost) > 1 else 'the piece'}: {', '.join(told)}{more}"
    said += f". The shortest of these has none in place {place} of {len(ids)}"
    first = next((gap for gap in gaps if gap.place == place and len(gap.ids) > 1), None)
    if first is None:
        return f"{said}: look for the piece that the engine does not find"
    right = ", ".join(f"{_text(_spelled(vocabulary, [i]))} (id {i})" for i in first.ids)
    return f"{said}, where {right} are right: the engine cuts this stretch no further, and looks up what is no piece"


def _gaps(vocabulary: Vocabulary, given: Sequence[int], right: Sequence[int]) -> Iterator[_Gap]:
    """The places without an id, lined up with the right ids; what the known ids beside one spell is not its own."""
    for tag, a, b, c, d in SequenceMatcher(None, given, right, autojunk=False).get_opcodes():
        missing = [place for place in range(a, b) if given[place] < 0]
        if not missing or tag != "replace" or missing[-1] - missing[0] + 1 != len(missing):
            continue
        spelled = _spelled(vocabulary, right[c:d])
        before, behind = (_spelled(vocabulary, given[e:f]) for e, f in ((a, missing[0]), (missing[-1] + 1, b)))
        if spelled.startswith(before) and spelled[len(before) :].endswith(behind):
            own = spelled[len(before) : len(spelled) - len(behind)]
            yield _Gap(missing[0], own, tuple(right[c:d]) if len(missing) == 1 else ())


def _spelled(vocabulary: Vocabulary, ids: Sequence[int]) -> bytes:
    """The pieces of ids, of which an engine may give some that the vocabulary does not have."""
    return b"".join(vocabulary.pieces[i] for i in ids if i < len(vocabulary.pieces))


def _ids(answer: object) -> tuple[int, ...]:
    return tuple(answer.ids) if isinstance(answer, Encoding) else ()


def _byte(base: Base, piece: bytes) -> str:
    """Which byte a letter of the byte alphabet means."""
    byte = from_alphabet(piece.decode("utf-8", "replace")) if base.behaviour.byte_level else b""
    return f", the byte 0x{byte.hex().upper()}" if len(byte) == 1 and byte != piece else ""


def _text(piece: bytes) -> str:
    return literal(piece[:60])
