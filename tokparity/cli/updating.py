"""`tokparity check --update`: writes the findings of a run to tokparity.toml as accepted."""

from __future__ import annotations

import datetime
import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tokparity import quirks
from tokparity.cli.console import say
from tokparity.errors import EngineError, UnwritableError, UsageError
from tokparity.finding import Finding, Mismatch
from tokparity.models import repository
from tokparity.models.cache import put
from tokparity.models.record import AcceptedFinding
from tokparity.models.rewrite import ListChange, rewritten
from tokparity.questions import Encode
from tokparity.questions.json_text import plain
from tokparity.quirk import SOURCE_DIFFERS
from tokparity.report.rule import count
from tokparity.report.verdict import why_none

if TYPE_CHECKING:
    from tokparity.cli.arguments import Named
    from tokparity.cli.running import Finished
    from tokparity.models.repository import Repository
    from tokparity.report.model import FileFault, Report

_LONGEST = 4000  # bytes of a text that are still worth keeping in the list
_TEXTS = 12  # texts of one finding that are each worth an entry


class UpdateRefusedError(EngineError):
    """Nothing was written, because the run does not say what there is to be found."""


def updatable(named: Sequence[Named]) -> None:
    """Raise UsageError where a model stands in no tokparity.toml, before anything is run."""
    for name in named:
        if name.own is None:
            raise UsageError(
                f"--update writes to {repository.NAME}, and no {repository.NAME} has the model {name.model.name!r}",
                "`tokparity init FILE...` writes one; then name the model as it is called there",
            )


def update(done: Finished) -> None:
    """Write what the run found into the file and print the change; UpdateRefusedError where the run can't tell."""
    for own in {name.own.path: name.own for name in done.named if name.own is not None}.values():
        _update(done, own)


def _update(done: Finished, own: Repository) -> None:
    report = done.report
    if why := _refusal(done):
        raise UpdateRefusedError(f"{own.path} was not updated: {why}", "let `tokparity check --update` run to its end")
    changes = {name: change for name in report.models() if (change := _change(report, name)) is not None}
    if own.path.read_bytes().decode("utf-8") != own.text:
        raise UpdateRefusedError(f"{own.path} was not updated: it has changed since the run began", "run again")
    text = rewritten(own.text, changes)
    _check(own, text, changes)
    for line in _diff(own, text):
        say(line)
    if text == own.text:
        say(f"{own.path} is unchanged: it already accepts what was found")
        return
    try:
        put(own.path, text.encode("utf-8"))
    except OSError as error:
        again = "make it writable and run again, or change it by hand as shown"
        raise UnwritableError(f"cannot write {str(own.path)!r}: {error.strerror}", again) from error
    say(f"{own.path}: {_sum(changes.values())}")


def _sum(changes: Collection[ListChange]) -> str:
    """What was written, and what is left for the user to do."""
    added, removed = sum(len(change.added) for change in changes), sum(len(change.removed) for change in changes)
    told = [f"{count(added, 'entry', 'entries')} added"] if added else []
    told += [f"{count(removed, 'entry', 'entries')} removed, for what did not occur any more"] if removed else []
    return ", ".join(told) + ("; say in the reason of each that was added why it may stay" if added else "")


def _refusal(done: Finished) -> str:
    """Why the run says too little to be written down; empty where it says enough."""
    if done.lost is not None:
        return str(done.lost)
    footer = done.report.footer
    if done.signal or footer is None or footer.ended == "interrupted":
        return "the run was interrupted"
    if footer.ended != "complete":
        return "the run was ended by its time limit, so that cases and causes are missing"
    return "; ".join(why_none(done.report))


def _change(report: Report, model: str) -> ListChange | None:
    """What the list of a model has too few or too many; None where it is right."""
    removed = {one.entry for one in report.vanished if one.model == model and one.entry is not None}
    faults = [_of_fault(fault) for fault in report.faults if fault.model == model and not fault.reason]
    new = [one for one in report.findings if one.model == model and one.is_new and not one.is_of_file]
    findings = [entry for found in new for entry in entries_of(found, report)]
    return ListChange((*faults, *findings), removed) if removed or faults or findings else None


def entries_of(finding: Finding, report: Report) -> Iterator[AcceptedFinding]:
    """The entries that accept a finding, with today's date.

    If its mismatches have no known cause and nothing in common, there is one entry for each text that contains no
    other, as long as these are few. Later mismatches on other texts are not accepted with them. So it is where a file
    differs and nobody can say in what.
    """
    from tokparity.session.acceptance import said_by_file
    from tokparity.session.as_accepted import as_it_shows

    told = finding.told[0] if finding.character else said_by_file(finding)
    members = [report.mismatches[index] for index in report.members.get((finding.model, finding.name), ())]
    put = sum(pair.put for pair in report.pairs if (pair.model, pair.engine) == (finding.model, finding.engine))
    if finding.quirks and (told or SOURCE_DIFFERS not in finding.quirks):
        yield _of_mismatch(finding, finding.smallest, told)
        return
    covering = None if told else _covering(members)
    if covering is None:
        entry = _of_mismatch(finding, finding.smallest, told or ("" if finding.quirks else finding.told[0]))
        yield as_it_shows(entry, finding.smallest, members, finding.mismatches, put)
        return
    for own in covering:
        share = finding.mismatches * len(own) // len(members)
        yield as_it_shows(_of_mismatch(finding, own[0]), own[0], own, max(share, len(own)), put)


def _covering(members: Sequence[Mismatch]) -> list[list[Mismatch]] | None:
    """Each mismatch whose text contains that of no other, with those that contain its text.

    None where they are many, long, or no texts.
    """
    from tokparity.session.as_accepted import holds

    kept: list[tuple[bytes, list[Mismatch]]] = []
    for mismatch in sorted(members, key=lambda one: one.case.question.order):
        question = mismatch.case.question
        if type(question) is not Encode:
            return None
        own = next((own for text, own in kept if holds(question.text, text)), None)
        if own is None:
            kept.append((question.text, own := []))
        own.append(mismatch)
        if len(kept) > _TEXTS or question.size > _LONGEST:
            return None
    return [own for _, own in kept]


def _of_mismatch(finding: Finding, mismatch: Mismatch, told: str = "") -> AcceptedFinding:
    question = mismatch.case.question
    of_text = type(question) is Encode  # spans are asked of the texts of a run alone
    short = of_text and question.size <= _LONGEST
    return AcceptedFinding(
        engine=finding.engine,
        quirks=finding.quirks,
        text=question.literal if short else "",
        kind=mismatch.difference.aspect,
        origins=() if short or (finding.quirks and of_text) else (str(mismatch.case.origin._replace(shrunk=False)),),
        told=told,
        reason=reason(finding),
        link=next((link for name in finding.quirks if name in quirks.names() for link in quirks.get(name).links), ""),
        date=_today(),
    )


def reason(finding: Finding) -> str:
    """Why a finding is there: in the words of the catalog, with what the file says.

    The user is to say why it may stay.
    """
    titles = [quirks.get(name).title for name in finding.quirks if name in quirks.names()]
    if SOURCE_DIFFERS in finding.quirks:
        about = ", ".join(f"{key}: {value}" for key, value in finding.context)
        titles.append(f"the file says something else than the oracle's: {about}" if about else "the file differs")
        return plain("; ".join(titles))
    why = finding.why_unexplained or (finding.told[0] if finding.character else finding.nearest) or finding.told[0]
    return plain("; ".join(titles) or f"unexplained: {why}")


def _of_fault(fault: FileFault) -> AcceptedFinding:
    from tokparity.doctor import bare

    told = f"{fault.against} says otherwise: {fault.key} {fault.told}"
    return AcceptedFinding(key=fault.key, value=bare(fault.value), reason=plain(told), date=_today())


def _today() -> str:
    return datetime.date.today().isoformat()


def _check(own: Repository, text: str, changes: Mapping[str, ListChange]) -> None:
    """Read the new text as any other, so that nothing is written that can't be read or says something else."""
    from tokparity.models.repository import parsed

    new = parsed(own.path, text)
    for name, change in changes.items():
        kept = [one for index, one in enumerate(own.accepted(name)) if index not in change.removed]
        if (*kept, *change.added) != new.accepted(name):
            raise UsageError(f"{own.path} can't be changed for {name!r}", f"write it as a table [models.{name}]")


def _diff(own: Repository, text: str) -> Iterator[str]:
    before, after = own.text.splitlines(), text.splitlines()
    return difflib.unified_diff(before, after, str(own.path), f"{own.path} (new)", lineterm="")
