"""Whether a finding is the file's fault: the reference reading the engine's file does not answer as the oracle does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokparity.finding import Finding
from tokparity.formats import Source
from tokparity.outcome import Encoding
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.model import FileFault
from tokparity.session.in_process import answer


def weighed(finding: Finding, sources: Sequence[Source], faults: Sequence[FileFault], about_file: bool) -> Finding:
    """The finding, which counts for nothing where it follows from what the source does not say.

    Where the question is `about_file`, it counts only if the file that the engine opened makes it. `sources` are what
    the oracle and the engine read.
    """
    unsaid = {fault.sentence for fault in faults if fault.unsaid}
    if finding.wrong_keys and unsaid.issuperset(sentence for _, sentence in finding.wrong_keys):
        return replace(finding, counts=False)
    return replace(finding, counts=_is_of_file(finding, sources)) if about_file else finding


def _is_of_file(finding: Finding, sources: Sequence[Source]) -> bool:
    if len(sources) == 1:
        return False
    if SOURCE_DIFFERS in finding.quirks or finding.wrong_keys or finding.inexpressible:
        return True
    expected = finding.smallest.expected
    decodes = isinstance(expected, Encoding) and expected.decoded is not None
    file = sources[-1]
    given = answer(lambda: Tokenizer(file.vocabulary, file.behaviour), finding.smallest.case.question, decodes)
    if isinstance(given, Encoding) and isinstance(expected, Encoding):
        return given.ids != expected.ids or given.decoded != expected.decoded
    return given != expected
