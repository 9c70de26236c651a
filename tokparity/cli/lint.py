"""`tokparity lint`: two sources of one model, compared without text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say
from tokparity.errors import TokparityError, UsageError
from tokparity.questions.json_text import literal, plain

if TYPE_CHECKING:
    from tokparity.case import TextCase
    from tokparity.formats import Source
    from tokparity.lint import Lint, Shown
    from tokparity.outcome import Outcome
    from tokparity.report.model import FileFault

HELP = "Compare two tokenizer files of one model, and show the texts on which they differ; of one, what is odd in it"
SECTION = "Files"
EXAMPLES = (
    "tokparity lint model.gguf tokenizer.json",
    "tokparity lint model.gguf --against gpt-2",
    "tokparity lint tokenizer.json",
    "tokparity lint DIRECTORY",
)
EXIT_1 = "the files differ, and a text, a prompt or an effect shows it; or they are two models"
_NOTE = "note: "
_ENGINES = {
    "gguf": "llama.cpp",
    "tokenizer.json": "tokenizers",
    "sentencepiece": "sentencepiece",
    "tiktoken": "tiktoken",
    "tekken": "mistral-common",
}


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity lint`."""
    return [
        options.Words(
            "SOURCE [SOURCE]",
            "one or two: a GGUF, tokenizer.json, .model, .tiktoken, tekken.json, a directory, a known model, hf:NAME; "
            "of one directory with several files, these are compared",
        ),
        options.Option("--no-engines", is_flag=True, help="try the texts on the reference alone"),
        options.Option("--against", metavar="SOURCE", help="the second source"),
    ]


def main(args: Arguments) -> int:
    """Print the differences; exit 1 if a text or a conversation shows one, or if these are different models."""
    words = args.words if args.against is None else [*args.words, args.against]
    if len(words) not in (1, 2):
        raise UsageError(f"lint takes one or two sources, found {len(words)}", "see `tokparity lint --help`")
    sources = [arguments.source(word) for word in words]
    if len(words) == 1:
        sources += _beside(sources[0], Path(words[0]))
        _alone(sources)
    verdicts = []
    for other in sources[1:]:
        if len(words) == 1:
            say(f"{words[0]} holds several tokenizer files: left {sources[0].path.name}, right {other.path.name}")
        verdicts.append(_compared(sources[0], other, not args.no_engines))
    return max(verdicts, default=0)


def _compared(left: Source, right: Source, with_engines: bool) -> int:
    """Print the differences of two; exit 1 as `main`."""
    from tokparity.doctor.chat import of_both
    from tokparity.lint import lint
    from tokparity.report.rule import SENTENCES, Facts, count, judge

    found = lint(left, right)
    prompts = [one.fault("", left.path, right.path) for one in of_both(left, right)] if found.same_model else []
    settings = _settings(left, right)
    for line in lines(found, prompts, list(settings.values())):
        say(line)
    if found.same_model and with_engines:
        for line in _engines(left, right, found.differences):
            say(line)
    told = [f"{one.difference.part}: {one.difference.what}" for one in found.differences if one.case is not None]
    tried = [one for one in found.differences if not one.difference.unsaid]
    if found.same_model and tried and not told:
        say(SENTENCES["none shows"].format(differences=count(len(tried), "difference")))
    told += [setting for setting, line in settings.items() if not line.startswith(_NOTE)]
    other = [] if found.same_model else [f"{100 * found.common:.1f} % of the pieces are common"]
    return judge(Facts(keys=prompts, findings=(*other, *told))).exit_code


def _settings(left: Source, right: Source) -> dict[str, str]:
    """What only one of the files tells a library to do with rows of ids, with the line that says it.

    It is a difference of files of one format. Another format has no place for it, so there it is a note.
    """
    from tokparity.lint.oddities import settings

    told = {side: {*settings(source)} for side, source in (("left", left), ("right", right))}
    begin = "setting: " if left.format == right.format else _NOTE
    sides = (("left", "right"), ("right", "left"))
    found = [f"on the {side}, {line}" for side, other in sides for line in sorted(told[side] - told[other])]
    return {line: f"{begin}{line}" for line in found}


def _beside(source: Source, folder: Path) -> Iterator[Source]:
    """Of a folder the other tokenizer files, for some libraries open these; the first is compared with each."""
    from tokparity import formats
    from tokparity.lint.neighbors import neighbors

    for path in neighbors(source) if folder.is_dir() else ():
        try:
            other = formats.read(path)
        except TokparityError as error:
            say(f"{path.name} is not compared: {plain(error.message)}")
            continue
        yield other


def _alone(sources: Sequence[Source]) -> None:
    """What is odd in each file, which is not a verdict on it."""
    from tokparity.lint.oddities import odd

    found = [(source, line) for source in sources for line in odd(source)]
    for source, line in found:
        say(line if len(sources) == 1 else f"{source.path.name}: {line}")
    if not found and len(sources) == 1:
        say("Nothing is odd in the file. To compare it with its source: --against SOURCE")


def lines(found: Lint, prompts: Sequence[FileFault] = (), settings: Sequence[str] = ()) -> Iterator[str]:
    """The findings in sentences; if the models are different, that comes first. `prompts` and `settings` come last."""
    from tokparity.report.rule import SENTENCES

    share = f"{100 * found.common:.1f}"
    if not found.same_model:
        yield SENTENCES["other models"].format(share=share)
    if not (found.differences or prompts or settings):
        yield SENTENCES["no differences"].format(share=share)
    for one in found.differences:
        yield f"{one.difference.part}: {plain(one.difference.what)}"
        yield f"  likely effect: {one.difference.effect}"
        if one.case is not None:
            yield f"  shows on {one.case.question.literal}{_remarks(one.case)}"
            yield f"    left  {_answer(one.left)}"
            yield f"    {'right' if one.is_whole else 'left with this change'} {_answer(one.right)}"
        elif found.same_model and not one.difference.unsaid:
            yield "  no text that was tried shows it"
    for fault in prompts:
        yield from _of_prompts(fault)
    yield from settings


def _of_prompts(fault: FileFault) -> Iterator[str]:
    """That two chat templates differ, with the smallest conversation that shows it; the right one is the source."""
    from tokparity.report.rule import noted, weight

    is_note = weight(fault) == "note"
    told = noted(fault) if is_note else fault.sentence
    yield f"{'note: ' if is_note else ''}with the right as the source: {told}"
    if fault.text:
        yield f"  shows on {fault.text}"
        yield f"    left  {fault.ours}"
        yield f"    right {fault.its}"


def _answer(answer: tuple[int, ...] | bytes) -> str:
    return f"decodes to {literal(answer)}" if isinstance(answer, bytes) else str(list(answer))


def _remarks(case: TextCase) -> str:
    remarks = list(case.question.remarks)
    return f" ({', '.join(remarks)})" if remarks else ""


def _engines(left: Source, right: Source, found: Sequence[Shown]) -> Iterator[str]:
    """The same texts, put to the engine of each format; where decoded text differs, the ids are decoded as well."""
    cases = list(dict.fromkeys(one.case for one in found if one.case is not None))
    decoded = {one.case for one in found if isinstance(one.left, bytes)}
    if not cases:
        return
    yield ""
    yield "The same texts before the engines:"
    answers = {}
    for side, source in (("left", left), ("right", right)):
        engine = _ENGINES[source.format]
        try:
            answers[f"{side} {engine}"] = _asked(engine, source, cases, [case in decoded for case in cases])
        except TokparityError as error:
            yield f"  {engine} could not be asked: {plain(str(error))}"
    for number, case in enumerate(cases):
        yield f"  {case.question.literal}{_remarks(case)}"
        for name, outcomes in answers.items():
            for shift, outcome in enumerate(outcomes[number]):
                yield f"    {'' if shift else name:22} {_outcome(outcome)}"


def _outcome(outcome: Outcome) -> str:
    from tokparity.outcome import Encoding, Failure

    if isinstance(outcome, Failure):
        return f"{outcome.kind}: {plain(outcome.message)}"
    return str(list(outcome.ids)) if isinstance(outcome, Encoding) else f"decodes to {literal(outcome.decoded)}"


def _asked(engine: str, source: Source, cases: Sequence[TextCase], decodes: Sequence[bool]) -> list[list[Outcome]]:
    """What the engine gives for each case: ids, and where that is asked what it decodes these to."""
    from tokparity.case import GIVEN, Case
    from tokparity.outcome import Encoding
    from tokparity.questions.decode import Decode
    from tokparity.session.panel import EnginePanel, Seat, ask

    behaviour = source.behaviour
    options: dict[str, object] = {"prefix_ids": behaviour.prefix_ids, "suffix_ids": behaviour.suffix_ids}
    options |= {key: source.metadata[key] for key in ("pattern", "special_tokens") if key in source.metadata}
    with EnginePanel([Seat(engine, str(source.path), options)], timeout=60.0) as engines:
        if engine in engines.unavailable:
            raise TokparityError(engines.unavailable[engine])
        given = [[outcome] for outcome in ask(engines, engine, cases)]
        for outcomes, is_decoded in zip(given, decodes, strict=True):
            if is_decoded and isinstance(outcomes[0], Encoding):
                outcomes += ask(engines, engine, [Case(Decode(outcomes[0].ids), GIVEN)])
        return given
