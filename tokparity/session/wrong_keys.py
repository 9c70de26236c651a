"""Which causes of a finding are wrong keys of the file that the engine reads, and not the engine's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokparity import formats, quirks
from tokparity.diagnose import Base, concerns
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.errors import CannotExpressError, TokparityError
from tokparity.finding import Finding, Mismatch
from tokparity.formats import Source, gguf
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.lint.causes import telling
from tokparity.outcome import Encoding
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.model import FileFault
from tokparity.session.wrong_files import Obeyed

if TYPE_CHECKING:
    from tokparity.models import Model

_COPIED_BYTES = 1 << 28
"""Of a GGUF that has more, with its tensors, no copy is made to ask engines what they do with its keys right."""


def with_wrong_keys(
    finding: Finding, sources: Sequence[Source], faults: Sequence[FileFault], obeyed: Obeyed | None = None
) -> Finding:
    """The finding with the keys that make it, or what no key could say; accepted where these keys are.

    `sources` are what the oracle and the engine read (`explain.read_by`).
    """
    if obeyed is not None and SOURCE_DIFFERS in finding.quirks:
        is_tried = obeyed.path is not None
        if obeyed.keeps(finding.smallest) if is_tried else not obeyed.makes(finding.smallest):
            faults = ()  # the file would say something else also with these keys right
    wrong = tuple(_wrong_keys(finding, sources, faults))
    if not wrong:
        unsaid = _inexpressible(finding, sources[-1], sources[0]) if SOURCE_DIFFERS in finding.quirks else ""
        return replace(finding, inexpressible=unsaid)
    told = dict.fromkeys(key for _, key in wrong)
    context = tuple((fault.key, fault.told.removeprefix("is ")) for fault in faults if fault.sentence in told)
    finding = replace(finding, wrong_keys=wrong, context=context)
    reasons = [fault.reason for fault in faults if fault.sentence in told]
    if finding.is_of_file and all(reasons):
        finding = replace(finding, accepted=True, reason="; ".join(dict.fromkeys(reasons)))
    return finding


def mended_base(model: Model, mended: Mapping[str, Mapping[str, Any]]) -> Base | None:
    """What the GGUF says with its wrong keys right; None where none is known to be wrong, or it is unreadable."""
    changes = mended.get(model.name)
    if not changes:
        return None
    try:
        source = gguf.read(model.sources["gguf"], changes)
    except TokparityError:
        return None
    return Base(source.vocabulary, source.behaviour)


def _wrong_keys(finding: Finding, sources: Sequence[Source], faults: Sequence[FileFault]) -> Iterator[tuple[str, str]]:
    for name in finding.quirks:
        if name == SOURCE_DIFFERS:
            yield from ((name, fault.sentence) for fault in faults)
        elif name in quirks.names():
            about = [fault for fault in faults if concerns(fault.key, quirks.get(name).field)]
            if _says(name, sources):
                yield from ((name, fault.sentence) for fault in about or faults)
            elif about and _makes(finding.smallest, sources[-1]):
                yield from ((name, fault.sentence) for fault in about)


def _says(name: str, sources: Sequence[Source]) -> bool:
    """Whether the file that the engine opened says what an engine with this quirk would do with the oracle's."""
    quirk = quirks.get(name)
    right, flipped, read = (
        getattr(behaviour, quirk.field)
        for behaviour in (sources[0].behaviour, quirk.flip(sources[0].behaviour), sources[-1].behaviour)
    )
    return bool(right != flipped == read)


def _makes(mismatch: Mismatch, read: Source) -> bool:
    """Whether a tokenizer that obeys what the engine read gives the wrong ids that the engine gives."""
    expected, actual = mismatch.expected, mismatch.actual
    if not (isinstance(expected, Encoding) and isinstance(actual, Encoding) and expected.ids != actual.ids):
        return False
    given = imitate(lambda: Tokenizer(read.vocabulary, read.behaviour), mismatch.case.question)
    return isinstance(given, Encoding) and given.ids == actual.ids


def _inexpressible(finding: Finding, engines: Source, oracles: Source) -> str:
    """What the engine's format cannot express; empty where it can express what may set the smallest text right."""
    if engines.format not in formats.writable() or _unsaid(engines):
        return ""  # the writer has not even words for what the file says now
    told: list[str] = []
    for difference in telling(engines, oracles, finding.smallest):
        vocabulary, behaviour = difference.apply(engines.vocabulary, engines.behaviour)
        told.append(_unsaid(replace(engines, vocabulary=vocabulary, behaviour=behaviour)))
    return "; ".join(dict.fromkeys(told)) if all(told) else ""


def _unsaid(source: Source) -> str:
    """What the source's own format cannot express in it; empty where it can express all."""
    with TemporaryFolder() as folder:
        try:
            formats.write(source, source.format, Path(folder) / "written")
        except CannotExpressError as error:
            return error.message
    return ""


def mended_copy(model: Model, mended: Mapping[str, Mapping[str, Any]], folder: Path) -> Path | None:
    """A copy of the GGUF with its wrong keys right; None where it is too large to be copied, or cannot be."""
    path = model.sources["gguf"]
    if path.stat().st_size > _COPIED_BYTES:
        return None
    try:
        rewrite(path, mended[model.name], folder / path.name)
    except TokparityError:
        return None
    return folder / path.name
