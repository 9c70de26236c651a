"""Compares findings with the model's accepted ones: which are known, and which accepted ones did not occur."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tokparity.diagnose import Found, named_once
from tokparity.engines import deviations
from tokparity.engines.deviations import Deviation
from tokparity.finding import Attacked, Finding, Mismatch
from tokparity.questions import Encode
from tokparity.questions.json_text import parse, plain
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.report.model import Report, Vanished
from tokparity.session.as_accepted import as_accepted, beyond, holds

if TYPE_CHECKING:
    from tokparity.models import Model
    from tokparity.models.record import AcceptedFinding
    from tokparity.report.tally import Tally


class Acceptance:
    """Remembers which accepted findings were met in a run of one model.

    A finding of the same engine and kind of difference meets an accepted one if it has a mismatch on the accepted
    text, or its quirks. A finding with a cause that was not accepted never does. Without a cause, the finding's other
    mismatches must be on texts that contain the accepted text, or have in common what the entry says. Otherwise the
    finding is new, with the smallest of the others. That a file differs from the source is a cause only with what
    differs: the entry must say the same of it.
    """

    def __init__(self, model: str, accepted: Sequence[AcceptedFinding]) -> None:
        self._model = model
        self._accepted = accepted
        self._by_origin: dict[str, list[int]] = {}
        for index, entry in enumerate(accepted):
            for origin in entry.origins:
                self._by_origin.setdefault(origin, []).append(index)
        self._by_member: dict[int, list[int]] = {}
        self._mismatches: dict[int, Mismatch] = {}
        self._met: set[int] = set()
        self._changed: set[int] = set()

    def met(self, mismatch: Mismatch, member: int) -> None:
        """Take note of a mismatch and of its index in the report."""
        if not self._accepted:
            return
        self._mismatches[member] = mismatch
        origin = mismatch.case.origin._replace(shrunk=False)
        if origin.source == "accepted" and origin.number is not None:
            text = self._accepted[origin.number].text  # that of several entries is put once
            entries = [index for index, entry in enumerate(self._accepted) if entry.text == text]
        else:
            entries = self._by_origin.get(str(origin), [])
        about = [i for i in entries if self._is_about(self._accepted[i], mismatch.engine, mismatch)]
        if about:
            self._by_member[member] = about

    def applied_to(self, found: Sequence[Found], put: Mapping[str, Tally]) -> list[Found]:
        """The findings, those marked that are known or accepted; each has a name of its own.

        `put` has the counts of each engine; a report that was cut off has none.
        """
        cases = {engine: counts.put for engine, counts in put.items()}
        of = ((one, self.applied(one.finding, one.members, cases.get(one.finding.engine, 0))) for one in found)
        return named_once([replace(one, finding=finding) for one, finding in of])

    def applied(self, finding: Finding, members: Sequence[int], put: int = 0) -> Finding:
        """The finding, marked as known or accepted if it is; `members` are the indices of its mismatches in the report.

        It is known where all of its causes are known of the engine, and accepted where all are known or accepted. Of
        alternatives the known one gives it its name.
        """
        known = self._known_of_engine(finding)
        if known:
            if not finding.wrong_keys:
                finding = _caused_by(finding, tuple(deviation.quirk for deviation in known))
            return replace(finding, known="; ".join(dict.fromkeys(deviation.reason for deviation in known)))
        # What was accepted as several findings may since be explained as one: it meets them all.
        met = sorted({index for member in members for index in self._by_member.get(member, [])})
        met = [index for index in met if not self._has_new_cause(finding, self._accepted[index])]
        others = self._others(finding, met, members)
        met = met or self._causes(finding) or self._laws(finding)
        entries = [self._accepted[index] for index in met]
        seen = [self._mismatches[member] for member in members if member in self._mismatches]
        changed = as_accepted(finding, entries, seen, put) if entries and not others else None
        (self._changed if changed else self._met).update(met)
        if finding.is_of_file:  # the entry of each key says whether it may stay
            return finding
        if changed or others:
            return changed or beyond(finding, entries, others)
        return replace(finding, accepted=True, reason=self._accepted[met[0]].reason) if met else finding

    def vanished(self, engines: Collection[str]) -> list[Vanished]:
        """The accepted findings of these engines that no finding met, although their texts were run."""
        return [
            Vanished(
                self._model,
                entry.engine,
                self._what(index, entry),
                entry.reason,
                index,
            )
            for index, entry in enumerate(self._accepted)
            if entry.engine in engines and index not in self._met and not entry.origins
        ]

    def _what(self, index: int, entry: AcceptedFinding) -> str:
        changed = ", as it was accepted" if index in self._changed else ""
        return "+".join(entry.quirks) or f"{entry.kind} on {entry.text}{changed}"

    def _known_of_engine(self, finding: Finding) -> list[Deviation]:
        """The engine's known deviations that are all that the finding is about; none if there is more to it.

        What the engine's wrong file makes by itself is not a deviation of the engine; what meets it in a text may be.
        """
        by_quirk = {deviation.quirk: deviation for deviation in deviations.known(finding.engine)}
        of_file = {name for name, _ in finding.wrong_keys}
        for names in (finding.quirks, *finding.alternatives):
            own = [name for name in names if name not in of_file]
            if own and by_quirk.keys() >= set(own):
                return [by_quirk[name] for name in own]
        return []

    def _causes(self, finding: Finding) -> list[int]:
        """The entries whose causes are those of the finding, or meet in it; none if it has a cause that is in no entry.

        Which causes a finding holds together depends on the texts that were met, so an entry may hold more.
        """
        about = self._about(finding)
        for names in map(set, (finding.quirks, *finding.alternatives)):
            if names and names <= self._known(about):
                parts = [i for i in about if self._accepted[i].quirks and set(self._accepted[i].quirks) <= names]
                return parts or [i for i in about if names & set(self._accepted[i].quirks)]
        return []

    def _laws(self, finding: Finding) -> list[int]:
        """The entries about the law of streams or spans that is broken, where no cause is known: which cases are put
        depends on the sample."""
        if finding.quirks or not finding.smallest.difference.law:
            return []
        about = ((i, self._accepted[i]) for i in self._about(finding))
        return [i for i, entry in about if not entry.quirks and entry.told in finding.told]

    def _has_new_cause(self, finding: Finding, entry: AcceptedFinding) -> bool:
        """Whether the text was accepted for causes that are known, and now has one that is not among them.

        What is not explained (the time was short) or was accepted without a cause is known by its text alone.
        """
        if not finding.quirks or not entry.quirks:
            return False
        known = self._known(self._about(finding)) | ({SOURCE_DIFFERS} if _is_of_text(entry) else set())
        return not any(known.issuperset(names) for names in (finding.quirks, *finding.alternatives))

    def _others(self, finding: Finding, met: Sequence[int], members: Sequence[int]) -> list[Mismatch]:
        """The mismatches of a finding that was met by its text alone which no entry speaks of."""
        entries = [self._accepted[index] for index in met]
        causes = [entry for entry in entries if entry.quirks and finding.quirks and not _is_of_text(entry)]
        if causes or any(_digits(entry.told) in map(_digits, finding.told) for entry in entries):
            return []
        if not entries:
            return []
        return [self._mismatches[member] for member in members if not self._speaks_of(self._mismatches[member])]

    def _speaks_of(self, mismatch: Mismatch) -> bool:
        """Whether the text of a mismatch contains one that is accepted, or is that of an accepted case."""
        question, origin = mismatch.case.question, mismatch.case.origin._replace(shrunk=False)
        for entry in self._accepted:
            if self._is_about(entry, mismatch.engine, mismatch):
                if str(origin) in entry.origins:
                    return True
                if entry.text and isinstance(question, Encode) and holds(question.text, parse(entry.text)):
                    return True
        return False

    def _about(self, finding: Finding) -> list[int]:
        said = said_by_file(finding)
        return [
            i
            for i, entry in enumerate(self._accepted)
            if self._is_about(entry, finding.engine, finding.smallest)
            and (SOURCE_DIFFERS not in entry.quirks or (entry.told and _digits(said) == _digits(entry.told)))
        ]

    def _known(self, entries: Sequence[int]) -> set[str]:
        engines = {self._accepted[i].engine for i in entries}
        of_engines = {deviation.quirk for engine in engines for deviation in deviations.known(engine)}
        return {name for i in entries for name in self._accepted[i].quirks} | of_engines

    @staticmethod
    def _is_about(entry: AcceptedFinding, engine: str, mismatch: Mismatch) -> bool:
        return entry.engine == engine and _family(mismatch.difference.aspect) == _family(entry.kind)


def said_by_file(finding: Finding) -> str:
    """In what the file that the engine obeys differs from the source; empty where that is not a cause."""
    told = "; ".join(f"{key}: {value}" for key, value in finding.context)
    return plain(told) if SOURCE_DIFFERS in finding.quirks else ""


def _digits(told: str) -> str:
    """What is said, with 128,256 as 128256: entries of earlier versions are written so."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", told)


def accepted(model: Model, report: Report, found: Sequence[Found]) -> list[Found]:
    """Findings with those marked that the model's list accepts; their members are places in the report's mismatches."""
    acceptance = Acceptance(model.name, model.accepted)
    for one in found:
        for member in one.members:
            acceptance.met(report.mismatches[member], member)
    return acceptance.applied_to(found, {pair.engine: pair for pair in report.pairs if pair.model == model.name})


def _is_of_text(entry: AcceptedFinding) -> bool:
    """Whether the entry says that the file differs, and not in what: then it is about its text."""
    return SOURCE_DIFFERS in entry.quirks and not entry.told


def _caused_by(finding: Finding, names: tuple[str, ...]) -> Finding:
    """The finding with these quirks, which are its own or one of its alternatives, as its cause.

    An alternative reproduces the mismatches as well, but the attack was on the finding's own quirks.
    """
    if names == finding.quirks:
        return finding
    others = tuple(other for other in (finding.quirks, *finding.alternatives) if other != names)
    sure = "reproduced" if finding.status == "verified" else finding.status
    name = f"{finding.engine}-{'+'.join(names)}"
    return replace(finding, name=name, quirks=names, alternatives=others, status=sure, attacked=Attacked())


def _family(kind: str) -> str:
    """A text that does not come back and one that decodes differently are of one kind: it depends on the text.

    So are two laws that streams or spans break: which one is broken first depends on what was put.
    """
    return "decode" if kind == "round_trip" else kind.partition("-")[0]
