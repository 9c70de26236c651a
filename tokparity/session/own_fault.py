"""Whether a wrong file causes a finding: then the reference, reading the engine's file, differs from the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokparity.finding import Finding
from tokparity.formats import Source
from tokparity.lint.control_names import MADE_CONTROL, granted
from tokparity.outcome import Encoding
from tokparity.questions.json_text import literal
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.reference.imitate import imitate
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.model import FileFault
from tokparity.session.in_process import answer

_NAMES = 3  # of tokens in a sentence


def weighed(finding: Finding, sources: Sequence[Source], faults: Sequence[FileFault], about_file: bool) -> Finding:
    """The finding, which counts for nothing where it follows from what the source does not say.

    If the question is `about_file`, it counts only if the engine's own file causes it. A name for which converters
    make a token special does not count. `sources` are what the oracle and the engine read.
    """
    unsaid = {fault.sentence for fault in faults if fault.unsaid}
    if finding.wrong_keys and unsaid.issuperset(sentence for _, sentence in finding.wrong_keys):
        return replace(finding, counts=False)
    if not about_file:
        return finding
    if SOURCE_DIFFERS in finding.quirks and not finding.wrong_keys and (named := _by_name(finding, *sources)):
        return replace(finding, counts=False, wrong_keys=((SOURCE_DIFFERS, named),))
    return replace(finding, counts=_is_of_file(finding, sources))


def _by_name(finding: Finding, source: Source, file: Source) -> str:
    """That converters make a token special because of its name; empty where the finding shows more than that."""
    question = finding.smallest.case.question
    right = granted(source, file)
    read = [imitate(Tokenizer(one.vocabulary, one.behaviour), question, decodes=True) for one in (right, file, source)]
    if read[0] != read[1] or read[0] == read[2]:
        return ""
    own, spelled = source.vocabulary.added_by_id, question.shown
    made = [token.content for token in right.vocabulary.added if token.special and not own[token.id].special]
    shown = [name for name in made if name.encode() in spelled] or made
    return MADE_CONTROL.format(names=", ".join(literal(name.encode()) for name in shown[:_NAMES]))


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
