"""`tokparity bisect`: finds the release since which an engine returns other ids for a text."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tokparity.case import Case, Origin
from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments, Named
from tokparity.cli.console import flush, row, say
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.outcomes import told
from tokparity.cli.pulling import pull_missing
from tokparity.errors import EngineError, UsageError
from tokparity.questions.shell import command_line
from tokparity.report.rule import count

if TYPE_CHECKING:
    from tokparity.engines.engine_name import EngineName
    from tokparity.questions import Encode
    from tokparity.session.bisect import Probe, Search

HELP = "Find the release of an engine in which the ids of a text changed"
SECTION = "Find differences"
EXAMPLES = (
    "tokparity bisect sentencepiece 0.2.1 0.2.2 small-unigram :::a",
    'tokparity bisect tokenizers 0.19.1 0.22.2 --scan llama-bpe "naïve café"',
)
EXIT_1 = "the ids changed in a version between the two"


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity bisect`."""
    words = options.Words(
        "ENGINE GOOD BAD MODEL TEXT",
        'an engine, the older and the newer version, a model and a text ("-": one line of JSON from standard input)',
    )
    scan = options.Option("--scan", is_flag=True, help="try every version, and group those that behave alike")
    pre = options.Option("--pre", is_flag=True, help="also release candidates and the like")
    return [words, scan, pre, *options.flags(), *options.model_files()]


def main(args: Arguments) -> int:
    """Show each step and the result; return 1 if a version differs from GOOD."""
    from tokparity import engines
    from tokparity.engines import engine_name
    from tokparity.engines.environment.releases import releases
    from tokparity.session.bisect import Search, asking, environments

    if len(args.words) < 3:
        raise UsageError(f"too few words: {' '.join(args.words)!r}", "write: bisect ENGINE GOOD BAD MODEL TEXT")
    engine, good, bad, *args.words = args.words
    engines.get(engine)
    name = engine_name.parse(engine)
    if name.version or name.is_outside:
        message = f"{engine!r} is not the plain name of an engine with releases"
        raise UsageError(message, "name such an engine without a version, for example: tokenizers")
    named, (word,) = arguments.one_model(args, texts=1)
    pull_missing([named.model])
    question = _question(args, word)
    versions = _between(releases(name.base, args.pre), name.base, good, bad, args.pre)
    most = len(versions) if args.scan else environments(len(versions))
    say(f"{engine}: {count(len(versions), 'release')} from {good} to {bad}; at most {most} are tried")
    search = Search(versions, asking(named.model, name, Case(question, Origin("given", "command line"))))
    for probe in search.every() if args.scan else search.steps():
        row(
            f"  {probe.version:10} {search.relation(probe):16}", told(probe.outcome) if probe.outcome else probe.why_not
        )
        flush()
    if args.scan:
        return _runs(search)
    return _change(search, named, name, question)


def _question(args: Arguments, word: str) -> Encode:
    from tokparity.questions import Encode

    return Encode(arguments.text_of(word), not args.no_special, args.parse_special)


def _between(versions: Sequence[str], engine: str, good: str, bad: str, pre: bool) -> Sequence[str]:
    """The releases from one version to another one, both included; UsageError where that says nothing."""
    from tokparity.engines.environment.releases import is_pre_release

    for version in (good, bad):
        if version not in versions:
            near = ", ".join(difflib.get_close_matches(version, versions, n=3)) or ", ".join(versions[-3:])
            hint = "add --pre" if is_pre_release(version) and not pre else f"these are nearest: {near}"
            raise UsageError(f"the index has no release {version!r} of {engine}", hint)
    first, last = versions.index(good), versions.index(bad)
    if first >= last:
        why = "is the same as" if first == last else "is newer than"
        raise UsageError(f"GOOD {good!r} {why} BAD {bad!r}", "name the older version first")
    return versions[first : last + 1]


def _change(search: Search, named: Named, name: EngineName, question: Encode) -> int:
    """What the search came to, with the evidence."""
    good, bad = search.versions[0], search.versions[-1]
    asked = f"{sum(probe.outcome is not None for probe in search.probes.values())} of {len(search.versions)}"
    if search.high == len(search.versions):
        return _no_change(search, asked)
    low, high = search.probes[search.low], search.probes[search.high]
    does = "refuses" if search.relation(high) == "refuses" else "returns other ids"
    if search.between:
        passed = ", ".join(probe.version for probe in search.between)
        say(f"It changed between {low.version} and {high.version}; the versions between cannot run here: {passed}")
    elif search.low == 0:
        say(f"It changed in {high.version}, the release after {good}: it {does}")
    else:
        say(f"It changed in {high.version}, which {does}; the release before, {low.version}, returns what {good} does")
    _evidence(named, name, question, low, high)
    last = search.probes.get(len(search.versions) - 1)
    if last is not None and search.relation(last) == "equal":
        say(f"{bad} returns what {good} returns again: the answer changed more than once")
    if len(search.probes) < len(search.versions):
        missing = "" if last is not None else f", {bad} not among them"
        say(f"{asked} releases were run{missing}; --scan runs all, and shows whether the answer changed more than once")
    return DIFFERENT


def _no_change(search: Search, asked: str) -> int:
    good, bad = search.versions[0], search.versions[-1]
    if search.low < len(search.versions) - 1:
        last, why = search.versions[search.low], search.probes[len(search.versions) - 1].why_not
        raise EngineError(f"{bad} cannot run here ({why}), and {last} still returns what {good} returns")
    say(f"No change: {bad} returns what {good} returns; {asked} releases were run, and none returns anything else")
    return 0


def _evidence(named: Named, name: EngineName, question: Encode, low: Probe, high: Probe) -> None:
    """The two outcomes, and the command that shows them again."""
    from dataclasses import replace

    versions = [str(replace(name, version=probe.version)) for probe in (low, high)]
    for version, probe in zip(versions, (low, high), strict=True):
        row(f"  {version}: ", told(probe.outcome))
    engines = " --engine ".join(command_line([version]) for version in versions)
    say(f"  {question.command(command_line(named.words), engines)}")


def _runs(search: Search) -> int:
    """Which versions behave alike, one line for each run of them."""
    from tokparity.session.bisect import runs

    found = runs(search.probes)
    for same in found:
        span = same[0].version + (f" to {same[-1].version}" if len(same) > 1 else "")
        row(f"{span} ({count(len(same), 'version')}, {search.relation(same[0])}): ", told(same[0].outcome))
    absent = [probe for probe in search.probes.values() if probe.outcome is None]
    if absent:
        say(f"cannot run here: {', '.join(probe.version for probe in absent)}")
    if len(found) == 1 and search.probes[len(search.versions) - 1].outcome is None:
        raise EngineError(f"{search.versions[-1]} cannot run here, and all others return the same")
    return DIFFERENT if len(found) > 1 else 0
