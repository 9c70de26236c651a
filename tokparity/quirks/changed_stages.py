"""Normalisers, pre-tokenisers and decoders of several stages, with some of the stages changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tokparity.behaviour import Behaviour, Decode
from tokparity.reference.splits import Split

StageChange = Callable[[Any], Any]
"""One stage -> what the engine does instead; None: nothing."""


def changed(stage: Any, change: StageChange) -> Any:
    """The stage, or those that it is made of (`stages`, `inner`), changed; equal to `stage` if none of them was."""
    if stage is None:
        return None
    if hasattr(stage, "stages"):
        stages = tuple(s for s in (changed(s, change) for s in stage.stages) if s is not None)
        return replace(stage, stages=stages) if stages else None
    if hasattr(stage, "inner"):
        return replace(stage, inner=changed(stage.inner, change))
    return change(stage)


def normalises_with(change: StageChange) -> Callable[[Behaviour], object]:
    """A `derive` for the field normalise."""
    return lambda behaviour: changed(behaviour.normalise, change)


def splits_with(change: Callable[[Split], Split]) -> Callable[[Behaviour], object]:
    """A `derive` for the field pretokenise, about the stages that have a regular expression."""

    def of_stage(stage: Any) -> Any:
        return change(stage) if isinstance(stage, Split) and not stage.literal else stage

    return lambda behaviour: changed(behaviour.pretokenise, of_stage)


def patterns_with(rewrite: Callable[[str], str]) -> Callable[[Behaviour], object]:
    """A `derive` for the field pretokenise, about the regular expressions themselves."""
    return splits_with(lambda split: replace(split, pattern=rewrite(split.pattern)))


def decodes_with(change: Callable[[Decode], Decode]) -> Callable[[Behaviour], object]:
    """A `derive` for the field decode, about the decoder below whatever other quirks put around it."""

    def innermost(decode: Any) -> Any:
        return replace(decode, inner=innermost(decode.inner)) if hasattr(decode, "inner") else change(decode)

    return lambda behaviour: innermost(behaviour.decode)
