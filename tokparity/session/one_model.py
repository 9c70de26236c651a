"""The part of a run about one model: all its engines, on corpora and random texts, judged by its oracle."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tokparity.case import AnyCase
from tokparity.chat.cases import prompts_of
from tokparity.diagnose import Limits
from tokparity.engines.engine_name import parse
from tokparity.engines.process.fork_servers import servers_seconds
from tokparity.engines.process.temporary import TemporaryFolder
from tokparity.finding import Finding
from tokparity.formats.beside import is_of_prompts
from tokparity.garbage import collected_rarely
from tokparity.generators import Prepared, prepared
from tokparity.generators.subject import Subject
from tokparity.lint.oddities import told_in_runs
from tokparity.models import Model, other_vocabularies
from tokparity.outcome import TIMEOUT
from tokparity.questions import Decode, Encode
from tokparity.report.model import Ended, FileFault, Pair, Vanished
from tokparity.session import ASKED, CASES, SAMPLE, TEXTS, THINNED
from tokparity.session.as_accepted import accepted_cases
from tokparity.session.belonging import turn_away
from tokparity.session.clock import Clock
from tokparity.session.costs import Costs
from tokparity.session.deviations import known_cases
from tokparity.session.events import LeftOut, Listener
from tokparity.session.evidence import Keep
from tokparity.session.explain import Explainer
from tokparity.session.judge import REFERENCE
from tokparity.session.outage import WAIT
from tokparity.session.panel import EnginePanel
from tokparity.session.seats import Seating, seat
from tokparity.session.session import Session
from tokparity.session.writer import Writer
from tokparity.session.wrong_keys import mended_base, mended_copy
from tokparity.sources.beside_texts import beside_texts
from tokparity.sources.corpora import CorpusCases
from tokparity.sources.list_ends import list_ends
from tokparity.sources.parsed_again import ParsedAgain
from tokparity.sources.probe_rows import probe_rows
from tokparity.sources.probes import of_other_files, probes
from tokparity.sources.random_texts import random_cases
from tokparity.sources.source import CaseSource, Listed
from tokparity.sources.stress import Stress

KEEP = Keep()


@dataclass(frozen=True)
class Options:
    """What to run. Empty `engines`, `corpora` and `generators` mean all of them, None for `corpora` none at all.

    `seconds` bounds the whole run. `timeout` is the seconds a small batch may take; `jobs` how many models are run at a
    time. `thinned` names models of which one of THINNED texts is put, the probe set aside. `faults` are the keys of the
    models' files that are known to be wrong.
    """

    engines: tuple[str, ...] = ()
    corpora: tuple[str, ...] | None = ()
    generators: tuple[str, ...] = ()
    cases: int = CASES
    thinned: frozenset[str] = frozenset()
    seconds: float | None = None
    seed: int = 0
    jobs: int = 1
    keep: Keep = KEEP
    timeout: float = TIMEOUT
    wait: float = WAIT
    """Seconds for which a server that is away is waited for."""
    faults: tuple[FileFault, ...] = ()
    mended: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By model, the keys of its GGUF with which none of them would be wrong; None for a key that is to go."""
    about_files: frozenset[str] = frozenset()
    """The models of which it is asked whether a file is right, and not whether engines are."""
    stress: bool = False
    """Whether very long texts are put as well."""
    second: str = REFERENCE
    """Who judges what the oracle cannot be asked; the oracle itself where nobody does."""
    probes: bool = True
    """Whether the probe set is put; only what counts every case leaves it out."""
    ask: tuple[str, ...] = ASKED
    """The kinds of question. With "decode" alone nothing is encoded but the probe set, and with neither nothing."""
    sampled: tuple[str, ...] = ()
    """Other kinds, of which a sample is put."""
    quick: bool = False
    """Whether nothing is put but what a verdict rests on (no random texts, no corpora), and what is known of an engine
    is recognized alone."""
    parses_again: bool = False
    """Whether what one engine can only be asked with special tokens recognized is asked so of all."""
    recorded: bool = False
    """Whether all is put again that the oracle, which is a recording, was asked."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of question that are put."""
        return (*self.ask, *(self.sampled if self.cases else ()))

    def corpus_cases(self) -> CorpusCases:
        """The cases of the corpora; a run with few random texts takes so much less of the large ones."""
        return CorpusCases(self.corpora, min(self.cases / CASES, 1.0) if self.cases else 1.0)


@dataclass(frozen=True)
class ModelResult:
    """What came of one model. `taken` are the seconds of its session; `own` the processor seconds of a process of its
    own, 0 where it had none."""

    model: str
    pairs: Sequence[Pair]
    findings: Sequence[Finding]
    vanished: Sequence[Vanished]
    ended: Ended
    costs: Costs
    taken: float
    own: float = 0.0

    @classmethod
    def of(cls, session: Session) -> ModelResult:
        """What came of a session that has ended."""
        came = session.pairs, session.findings, session.vanished, session.ended
        return cls(session.model.name, *came, session.costs, session.clock.taken)


def one_model(
    model: Model, options: Options, corpora: CorpusCases, writer: Writer, listener: Listener, clock: Clock
) -> ModelResult:
    """One model's session, from its first event to its last, in this very process."""
    costs, before = Costs(), servers_seconds()
    with collected_rarely():
        session = _session(model, options, corpora, writer, listener, clock, costs)
    costs.seconds["opening"] += servers_seconds() - before
    return ModelResult.of(session)


def _session(
    model: Model, options: Options, corpora: CorpusCases, writer: Writer, listener: Listener, clock: Clock, costs: Costs
) -> Session:
    seating = seat(model, options.engines, options.quick)
    seats = costs.each("preparing", seating.one_by_one())
    sources: list[Listed] = []
    held: list[Prepared] = []  # until the end: what looks for causes makes more texts for the same model

    def generate() -> None:
        with costs.of("generating"):
            held.append(prepared(seating.source.vocabulary, seating.source.behaviour))
            sources.extend(sources_of(model, held[0], seating.shown, options, corpora))

    panel_of = partial(EnginePanel, seats, options.timeout, clock.stop.is_set, wait=options.wait)
    with panel_of(decodes=Decode.KIND in options.ask, meanwhile=generate) as panel, ExitStack() as stack:
        session = Session.of(model, seating, panel, clock, writer, options.keep, costs, options.second)
        session.recorder.judge = replace(session.recorder.judge, spares_oracle=bool(options.sampled))
        session.faults = [one for one in options.faults if one.model == model.name and not is_of_prompts(one.key)]
        session.mended = mended_base(model, options.mended)
        session.about_file = model.name in options.about_files
        if options.quick:
            session.explainer = Explainer(Limits(quick_attack=0.0))
        if session.mended is not None:
            session.mended_file = mended_copy(model, options.mended, Path(stack.enter_context(TemporaryFolder())))
        sources += prompts_of(seating.source, options.ask, model.name, session.recorder.note)
        session.puts_accepted = any(source.is_whole for source in sources) and not TEXTS.isdisjoint(options.ask)
        if options.recorded:
            sources = _after_recorded(model.oracle, seating, sources)
        every: list[CaseSource] = [*sources, *([Stress()] if options.stress else [])]
        if options.parses_again and not options.recorded:  # `record` has asked it, or nobody can
            again = ParsedAgain()
            every = [*map(again.after, every), again]
        for why in turn_away(panel, seating.source, model):
            listener(LeftOut(model.name, "put", why))
        for told in told_in_runs(seating.source):
            session.recorder.note(f"{model.name}: {told}")
        for event in session.run(every):
            listener(event)
    return session


def _after_recorded(recording: str, seating: Seating, others: Sequence[Listed]) -> list[Listed]:
    """All that was recorded on the model, then what else is asked."""
    from tokparity.engines.replay import replay

    taken = seating.of(recording)
    again = replay(parse(recording)).cases(taken.path) if taken is not None else []
    put = {case.question for case in again}
    new = (case for source in others for case in source.cases if case.question not in put)
    return [Listed(again, len(again), is_whole=True), *([Listed(new)] if others else [])]


def sources_of(
    model: Model, made_for: Prepared, engines: Sequence[str], options: Options, corpora: CorpusCases
) -> list[Listed]:
    """What a verdict rests on, put whole: accepted texts, those of known deviations, and the probe set. Behind it come
    other kinds of question, random texts and corpora. Every second case of those kinds has its special tokens shown, so
    an odd number of them is passed over.

    Where the user asks for no text (no random ones, and empty corpora) there are none. A quick run ends before the
    random texts.
    """
    texts = _of_texts(model, made_for, engines, options, corpora)
    others = beside_texts(options.ask, made_for, options.generators, options.seed)
    if options.cases:
        step = SAMPLE * (THINNED if model.name in options.thinned else 1) * max(CASES // options.cases, 1) | 1
        others += beside_texts(options.sampled, made_for, options.generators, options.seed, step)
    return [*texts[:1], *others, *texts[1:]]


def _of_texts(
    model: Model, made_for: Prepared, engines: Sequence[str], options: Options, corpora: CorpusCases
) -> list[Listed]:
    if options.quick or Encode.KIND not in options.ask:
        needed = needed_cases(model, made_for.subject, engines, options.ask)
        return [Listed(needed, len(needed), is_whole=True)]
    texts = chain(random_cases(options.generators, options.seed, options.cases, made_for), corpora)
    first = next(texts, None)
    if first is None:
        return []
    count = None if corpora.count is None else corpora.count + options.cases
    if model.name in options.thinned:
        texts = chain(islice(texts, 0, None, THINNED))
        count = None if count is None else 1 + -(-(count - 1) // THINNED)  # with the first
    needed = needed_cases(model, made_for.subject if options.probes else None, engines)
    return [Listed(needed, len(needed), is_whole=True), Listed(chain([first], texts), count)]


def needed_cases(
    model: Model, subject: Subject | None, engines: Sequence[str], ask: Collection[str] = ASKED
) -> list[AnyCase]:
    """What is put first and whole, however little time there is: each question once. No subject: no probe set.

    Where neither "encode" nor "decode" is among the kinds that are asked, there is nothing.
    """
    if TEXTS.isdisjoint(ask):
        return []
    others = of_other_files(subject.vocabulary, other_vocabularies(model)) if subject else ()
    rows = probe_rows(subject) if subject is not None and Decode.KIND in ask else ()
    own = () if subject is None else chain(probes(subject), list_ends(subject), others)
    every: list[AnyCase] = [*accepted_cases(model.accepted), *known_cases(engines), *own, *rows]
    found: dict[object, AnyCase] = {}
    for case in every:
        found.setdefault(case.question, case)
    return list(found.values())
