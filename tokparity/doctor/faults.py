"""What is wrong in the files of users' models, held against what they accept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tokparity import models
from tokparity.doctor.change import KeyChange
from tokparity.doctor.changes import legible
from tokparity.doctor.comparable import sayable
from tokparity.doctor.fitting import TooFewPiecesError
from tokparity.lint import SAME_MODEL, share_of_common_pieces
from tokparity.report.model import FileFault, Vanished

if TYPE_CHECKING:
    from tokparity.models import Model


class FileFaults(NamedTuple):
    """The wrong keys of users' GGUFs, and accepted wrong keys that are now right.

    `mended` has, by model, the values with which none of its keys would be wrong.
    """

    faults: list[FileFault]
    vanished: list[Vanished]
    mended: dict[str, dict[str, Any]]


def file_faults(given: Sequence[Model]) -> FileFaults:
    """What is wrong in the files of these models."""
    found = FileFaults([], [], {})
    for model in given:
        own = _of_model(model)
        if own is None:
            continue
        faults, changes = own
        wrong = {(fault.key, bare(fault.value)) for fault in faults}
        found.faults.extend(faults)
        found.mended[model.name] = {change.key: change.after for change in changes}
        found.vanished.extend(
            Vanished(model.name, "", f"{entry.key} is {entry.value}", entry.reason, index)
            for index, entry in enumerate(model.accepted)
            if entry.key and (entry.key, entry.value) not in wrong
        )
    return found


def about_files(given: Sequence[Model]) -> frozenset[str]:
    """The users' models whose GGUF is compared with another file, if no engine was named."""
    return frozenset(model.name for model in given if _is_held(model))


def _is_held(model: Model) -> bool:
    return not model.pinned and "gguf" in model.sources and models.primary_format(model) != "gguf"


def bare(value: str) -> str:
    """A value as an accepted entry has it: a text without its quotes."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _of_model(model: Model) -> tuple[list[FileFault], list[KeyChange]] | None:
    """What is wrong in a model's GGUF, and what mends it; None where nobody can compare."""
    if not _is_held(model):
        return None
    source, path = models.primary_source(model), model.sources["gguf"]
    found, unsaid = sayable(path, source)  # what a GGUF cannot express, texts show: the engines find it
    reasons = {(entry.key, entry.value): entry.reason for entry in model.accepted if entry.key}
    # Of two files that doctor takes for different models it repairs none.
    mends = share_of_common_pieces(legible(path, source), source) >= SAME_MODEL
    faults = [change.fault(model.name, path, source.path, mends) for change in found]
    if isinstance(unsaid, TooFewPiecesError):
        key, _, wrong = unsaid.message.partition(" ")
        faults.append(FileFault(model.name, str(path), str(source.path), key, wrong, "", by_doctor=False))
    told = [replace(fault, reason=reasons.get((fault.key, bare(fault.value)), "")) for fault in faults]
    return told, list(found)
