"""A report: what was run, what disagreed, and the counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tokparity.finding import Control, Finding, Mismatch
from tokparity.questions import Question
from tokparity.report.extent import LeftOut, Lost, Put
from tokparity.report.file_fault import FileFault as FileFault
from tokparity.report.tally import Tally

Ended = Literal["complete", "time", "interrupted"]


@dataclass(frozen=True)
class Header:
    """What was run: enough to run it again.

    `engines` maps a name to its version, or "" where it could not be asked. `models` maps a name to the sha256 of each
    of its files, `arguments` to its words on the command line. `places` maps it to the file and the line for remarks
    about it. `command` is the command line, `started` an ISO 8601 time with its zone. `recordings` maps an engine of
    which there is only a recording to that file. `origins` say where anybody gets a model's files, by name. `demanded`
    are the engines that the user named: without one of them there is no verdict. `asked` are the kinds of question;
    empty where the command has no choice of them.
    """

    tokparity: str
    unicode: str
    engines: Mapping[str, str]
    models: Mapping[str, Mapping[str, str]]
    seed: int
    command: tuple[str, ...]
    started: str
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    recordings: Mapping[str, str] = field(default_factory=dict)
    environments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    origins: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    demanded: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair(Tally):
    """Counts of one model before one engine.

    cases = equal + mismatches + failures + unsupported + unjudged. `equal` and `mismatches` are about ids; `decode`
    and `round_trip` count the equal ones among them that decode differently. `failures` are cases on which the engine
    crashed, hung or gave an error; `unjudged` those that nobody could say the right answer to. `not_stored` are the
    differences of any kind that were counted, and neither kept in full nor looked at: no finding counts them.
    `unrecorded` are those of the unsupported that are not in the recording which represents the engine. `rows` are
    rows of ids that were decoded, apart from the other cases. `rows_differ` are those that decode differently or at
    which the engine failed. `streams` and `streams_differ` count the same of ids that came one by one. `again` are
    texts that were encoded, decoded and encoded again, `again_same` those with the same ids, `again_stable` those that
    no further round changes. `again_rows` and the like are the same of random ids. `again_differ` counts those of both
    at which the engine is wrong. `spans` and `spans_differ` count texts whose ids came with their characters.
    `prompts` and `prompts_differ` count conversations of which the engine or the reference made a prompt.
    `prompts_not_run` are others, of which the reference makes one and which the engine cannot express. `kinds`
    counts all that differ by kind (see `Mismatch.kind`). `unavailable` says why the engine was not run. `source` is
    what it opened. `independent`: the oracle opened no export of the very file under test. `compares_files`: both
    opened files of the user's that are not the same.
    """

    model: str
    engine: str
    oracle: str
    version: str = ""
    source: str = ""
    equal: int = 0
    again_smallest: Question | None = None
    """The smallest text found whose ids do not come back; `again_cause` says in words why."""
    again_cause: str = ""
    kinds: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    """0 where nobody took the time of its cases, as in a sweep's report."""
    unavailable: str = ""
    independent: bool = True
    compares_files: bool = False

    @property
    def is_oracle(self) -> bool:
        """Whether the engine is the one that is right by definition."""
        return self.engine == self.oracle

    @property
    def compared(self) -> int:
        """Cases on which the engine could be right or wrong."""
        return self.equal + self.mismatches + self.failures

    @property
    def share(self) -> float | None:
        """Share of the compared cases that are equal; None where nothing was compared."""
        return self.equal / self.compared if self.compared else None


@dataclass(frozen=True)
class Vanished:
    """An accepted finding that did not occur, though its engine was run to the end; `what` says which one.

    `entry` is its place in the model's list, from 0 on; None: it stands in no list. `engine` is empty: it is of a file.
    """

    model: str
    engine: str
    what: str
    reason: str
    entry: int | None = None


@dataclass(frozen=True)
class Footer:
    """How the run ended, and after how many seconds."""

    ended: Ended
    seconds: float


@dataclass(frozen=True)
class Report:
    """All of a report.

    `puts` say how many cases of each model were compared, `refused` why models could not be run. `left_out` says what
    engines were not asked. `members` maps (model, finding) to the indices of its stored mismatches. `controls` are some
    of the cases on which engines that have mismatches were right. `notes` say in words what was left out. `faults` are
    wrong keys of files, `unsaid` those of which the source does not say what they should be.
    """

    header: Header
    pairs: tuple[Pair, ...]
    mismatches: tuple[Mismatch, ...] = ()
    findings: tuple[Finding, ...] = ()
    members: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    vanished: tuple[Vanished, ...] = ()
    faults: tuple[FileFault, ...] = ()
    unsaid: tuple[FileFault, ...] = ()
    notes: tuple[str, ...] = ()
    controls: tuple[Control, ...] = ()
    footer: Footer | None = None
    puts: tuple[Put, ...] = ()
    refused: tuple[Lost, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def truncated(self) -> bool:
        """The run did not live to write its footer."""
        return self.footer is None

    @property
    def is_whole(self) -> bool:
        """It ran to its end, so that what it did not find was not there."""
        return self.footer is not None and self.footer.ended == "complete"

    @property
    def is_cut(self) -> bool:
        """It was interrupted, or did not live to its end: what it does not tell of may be there all the same."""
        return self.footer is None or self.footer.ended == "interrupted"

    @property
    def lost(self) -> tuple[str, ...]:
        """The models without results: they could not run, or the run ended before them."""
        return tuple(name for name in self.header.models if name not in self.models())

    def findings_of(self, model: str, engine: str) -> tuple[Finding, ...]:
        """The findings about one engine on one model."""
        return tuple(finding for finding in self.findings if (finding.model, finding.engine) == (model, engine))

    def finding_names(self) -> tuple[str, ...]:
        """For each stored mismatch the name of its finding, "" where it has none."""
        names = [""] * len(self.mismatches)
        for (_, name), indices in self.members.items():
            for index in indices:
                names[index] = name
        return tuple(names)

    def models(self) -> tuple[str, ...]:
        """The models, in the order in which they were run."""
        return tuple(dict.fromkeys(pair.model for pair in self.pairs))

    def versions(self) -> dict[str, str]:
        """What each engine said of itself: most before anything was run, some only when they had opened a model."""
        told = {pair.engine: pair.version for pair in self.pairs if pair.version}
        return {**self.header.engines, **told}

    def engines(self) -> tuple[str, ...]:
        """The engines, in the order in which they were first met."""
        return tuple(dict.fromkeys(pair.engine for pair in self.pairs))
