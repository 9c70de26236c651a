"""From the stages of a tokenizer.json to the canonical fields of `Behaviour`, where the meaning is exactly the same.

| tokenizer.json | canonical |
|---|---|
| normalizer ends with Prepend "▁", Replace " " by "▁" | space_prefix always, doubled; space_marker |
| normalizer ends with Replace " " by "▁" | space_marker |
| pre-tokenizer Metaspace alone | space_prefix, not doubled; space_marker; a split where it splits |
| pre-tokenizer ByteLevel of a BPE | byte_level; its pattern as a split; at the front its prefix space as space_prefix |
| decoder ends with Fuse, Strip of one space at the start | strip_decoded_prefix |

Added tokens marked `normalized` are looked for in the normalized text, so whatever they would see of the spaces keeps
the normalizer from being lifted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokparity.behaviour import MARKER, Normalise
from tokparity.reference import normalise, splits
from tokparity.reference.decode import HuggingFaceDecode
from tokparity.reference.decode_stages import DecodeStage, Fuse, Strip
from tokparity.reference.pattern_parts import GPT2
from tokparity.reference.splits import SplitStage
from tokparity.vocabulary import AddedToken


def lifted(
    normalisers: tuple[Normalise, ...], pre: tuple[SplitStage, ...], added: Sequence[AddedToken], is_bpe: bool
) -> dict[str, Any]:
    """The fields of `Behaviour` from `normalise` to `byte_level`."""
    fields: dict[str, Any] = {}
    if not any(isinstance(stage, (splits.Metaspace, splits.ByteLevel)) for stage in pre):
        normalisers = _lift_spaces(normalisers, added, fields)
    if len(pre) == 1 and isinstance(pre[0], splits.Metaspace):
        pre = _lift_metaspace(pre[0], fields)
    elif is_bpe:
        pre = _lift_byte_level(pre, fields)
    if normalisers:
        fields["normalise"] = normalisers[0] if len(normalisers) == 1 else normalise.Sequence(normalisers)
    if pre:
        fields["pretokenise"] = pre[0] if len(pre) == 1 else splits.Chain(pre)
    return fields


def lifted_decoder(stages: tuple[DecodeStage, ...] | None) -> dict[str, Any]:
    """The fields of `Behaviour` about decoding."""
    strips = stages is not None and stages[-2:] == (Fuse(), Strip(" ", 1, 0))
    return {"decode": HuggingFaceDecode(stages[:-1] if stages and strips else stages), "strip_decoded_prefix": strips}


def _lift_spaces(
    stages: tuple[Normalise, ...], added: Sequence[AddedToken], fields: dict[str, Any]
) -> tuple[Normalise, ...]:
    """Takes the escaping of spaces, and the prefix before it, off the end of the normalizers."""
    seeing = [token for token in added if token.normalized]
    escaping = normalise.Replace(" ", MARKER)
    if stages[-2:] == (normalise.Prepend(MARKER), escaping) and not seeing:
        fields |= {"space_prefix": "always", "prefix_doubles": True, "space_marker": MARKER}
        return stages[:-2]
    before = normalise.Sequence(stages[:-1])  # a token is looked for as these spell it, with a Prepend for example
    unmoved = all(not ({" ", MARKER} & {*before(token.content)} or token.lstrip or token.rstrip) for token in seeing)
    if stages[-1:] == (escaping,) and unmoved:
        fields["space_marker"] = MARKER
        return stages[:-1]
    return stages


def _lift_metaspace(stage: splits.Metaspace, fields: dict[str, Any]) -> tuple[SplitStage, ...]:
    fields |= {"space_prefix": stage.prepend, "space_marker": stage.replacement}
    if stage.prepend != "never":
        fields["prefix_doubles"] = False
    return (splits.metaspace_split(stage.replacement),) if stage.splits else ()


def _lift_byte_level(pre: tuple[SplitStage, ...], fields: dict[str, Any]) -> tuple[SplitStage, ...]:
    """ByteLevel becomes `byte_level`, its pattern a Split; what stands behind it sees the alphabet (OnAlphabet)."""
    at = [i for i, stage in enumerate(pre) if isinstance(stage, splits.ByteLevel)]
    if len(at) != 1 or any(isinstance(stage, splits.Metaspace) for stage in pre[at[0] :]):
        return pre
    stage = pre[at[0]]
    if not isinstance(stage, splits.ByteLevel) or (stage.add_prefix_space and at[0] > 0):
        return pre
    fields["byte_level"] = True
    if stage.add_prefix_space:
        fields |= {"space_prefix": "always", "prefix_doubles": False}
    own = (splits.Split(GPT2),) if stage.use_regex else ()
    behind = pre[at[0] + 1 :]
    return (*pre[: at[0]], *own, *((splits.OnAlphabet(behind),) if behind else ()))
