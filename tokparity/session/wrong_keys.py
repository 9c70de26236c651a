"""Which causes of a finding are not the engine's: it obeys its file, and a key of that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokparity import quirks
from tokparity.diagnose import SOURCE_DIFFERS
from tokparity.diagnose.context import concerns
from tokparity.finding import Finding
from tokparity.formats import Source
from tokparity.report.model import FileFault


def with_wrong_keys(finding: Finding, sources: Sequence[Source], faults: Sequence[FileFault]) -> Finding:
    """The finding with the keys that make it; `sources` are what the oracle and the engine read (`explain.read_by`)."""
    wrong = tuple(_wrong_keys(finding, sources, faults))
    if not wrong:
        return finding
    told = dict.fromkeys(key for _, key in wrong)
    context = tuple((fault.key, fault.told.removeprefix("is ")) for fault in faults if fault.sentence in told)
    return replace(finding, wrong_keys=wrong, context=context)


def _wrong_keys(finding: Finding, sources: Sequence[Source], faults: Sequence[FileFault]) -> Iterator[tuple[str, str]]:
    for name in finding.quirks:
        if name == SOURCE_DIFFERS:
            yield from ((name, fault.sentence) for fault in faults)
        elif name in quirks.names() and _says(name, sources):
            field = quirks.get(name).field
            about = [fault for fault in faults if concerns(fault.key, field)]
            yield from ((name, fault.sentence) for fault in about or faults)


def _says(name: str, sources: Sequence[Source]) -> bool:
    """Whether the file that the engine opened says what an engine with this quirk would do with the oracle's."""
    quirk = quirks.get(name)
    right, flipped, read = (
        getattr(behaviour, quirk.field)
        for behaviour in (sources[0].behaviour, quirk.flip(sources[0].behaviour), sources[-1].behaviour)
    )
    return bool(right != flipped == read)
