"""`tokparity doctor`: finds what is wrong in a GGUF's tokenizer, and repairs the file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, completion, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say, terminal
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.cli.one_model import demand_one_model
from tokparity.errors import CannotExpressError, FormatError, UsageError
from tokparity.questions.json_text import plain
from tokparity.questions.shell import command_line

if TYPE_CHECKING:
    from tokparity.doctor import Examination, KeyChange
    from tokparity.formats import Source

HELP = "Is my converted file right? Check a GGUF against its original tokenizer, and repair it"
SECTION = "Three questions"
EXAMPLES = (
    "tokparity doctor model.gguf --against tokenizer.json",
    "tokparity doctor model.gguf --against gpt-2 --write fixed.gguf",
)
EXIT_1 = "the GGUF differs from its source; with --write, the written file does"
_NO_TENSORS = hashlib.sha256().hexdigest()


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity doctor`."""
    return [
        options.Words("MODEL.gguf [SOURCE]", "the file to check, which is never changed; SOURCE as in --against"),
        options.Option(
            "--against",
            metavar="SOURCE",
            help="the model's own tokenizer: a file of any format, a directory, a known model, hf:NAME",
            shell_complete=completion.models_and_files,
        ),
        options.Option("--write", type=options.path(), metavar="FIXED.gguf", help="write a repaired copy of the file"),
    ]


def main(args: Arguments) -> int:
    """Examine, diagnose, propose, repair and examine again.

    Exit 1 if the file (or what was written) is not right, 3 if no key is wrong and an engine does not open it.
    """
    from tokparity.cli.progress import one_bar
    from tokparity.doctor import TooFewPiecesError, examine, granted, sayable
    from tokparity.report.rule import Facts, judge, noted, weight

    words = args.words if args.against is None else [*args.words, args.against]
    if len(words) != 2:
        raise UsageError(
            f"doctor takes one GGUF and its source, found {len(words)}: {words!r:.80}",
            "write: tokparity doctor model.gguf --against SOURCE",
        )
    path, source = Path(words[0]), arguments.source(words[1])
    _check(path, source, args.write)
    given = granted(path, source)
    with one_bar(terminal(stderr=True), "checking") as tell:
        before = examine(path, given, path.stem, tell=tell)
    for line in _told("before", before):
        say(line)
    changes, unsaid = sayable(path, source)
    keys = [change.fault(path.stem, path, source.path) for change in changes]
    found = [change for change, key in zip(changes, keys, strict=True) if weight(key) != "note"]
    # Keys that say all of the source explain all that differs; only what they leave is diagnosed.
    rest = _diagnosed(path, given, before, found) if unsaid or all(one.is_of_prompts for one in found) else ()
    notes = [f"note: {noted(key)}" for key in keys if weight(key) == "note"]
    for line in (*rest, *_proposed(found, unsaid, before), *notes, *_contradicted(path, source, words[1])):
        say(line)
    too_few = [unsaid] if isinstance(unsaid, TooFewPiecesError) else []
    facts = Facts(keys=keys, findings=[*_shown(before), *(one.message for one in too_few)], away=_away(before))
    exit_code = judge(facts).exit_code
    cannot = exit_code == DIFFERENT and all(change.unsaid for change in found)
    if args.write is None or too_few or cannot:
        if args.write:
            hint = f"; {unsaid.hint}" if unsaid else ""
            say(f"{args.write} is not written: no change of keys makes the file right{hint}")
        return exit_code
    return _write(path, given, found, args.write, [one for one in before if one.unavailable])


def _contradicted(path: Path, source: Source, word: str) -> Iterator[str]:
    """Of a directory that was named: its other files with other ids, so that the user says which of them is right."""
    from tokparity.lint.neighbors import contradicting

    if not Path(word).is_dir():
        return
    for other, (case, ours, its) in contradicting(source):
        yield f"note: {other} lies beside {source.path.name} and gives other ids: for {case.question.literal}"
        for name, ids in ((source.path.name, ours), (other.name, its)):
            yield f"    {name:16} {list(ids)}"
        command = command_line(["tokparity", "doctor", str(path), str(other)])
        yield f"  The GGUF was compared with {source.path.name}. If {other.name} is right: {command}"


def _shown(examinations: Sequence[Examination]) -> list[str]:
    """That the reference gives other ids with the file; what an engine alone does is not a fault of it."""
    told = [one for one in examinations if one.mismatches and one.engine == "reference"]
    return [f"{one.engine} gives other ids on {len(one.mismatches):,} texts" for one in told]


def _away(examinations: Sequence[Examination]) -> list[str]:
    """Which engines do not open the file; why is told once, with what each engine gives."""
    return [_why(one) for one in examinations if one.refuses]


def _check(path: Path, source: Source, out: Path | None) -> None:
    """Raise UsageError where the two are not one model, or the original would be written to."""
    from tokparity.doctor import legible
    from tokparity.lint import SAME_MODEL

    ours = legible(path, source)
    if ours.format != "gguf":
        raise FormatError(f"{str(path)!r} is a {ours.format}, not a GGUF", "doctor repairs GGUF files")
    demand_one_model(ours, source, SAME_MODEL)
    if out is not None and out.exists() and out.samefile(path):
        raise UsageError(f"--write {str(out)!r} is the original, which is never written to", "choose another name")


def _told(when: str, examinations: Sequence[Examination]) -> Iterator[str]:
    for one in examinations:
        if one.unavailable:
            could_not = f"{one.engine} could not be asked: {plain(one.unavailable)}"
            yield f"{when}: {f'{_why(one)}: {_reason(one)}' if one.refuses else could_not}"
            continue
        yield f"{when}: {one.engine} gives other ids with the GGUF on {len(one.mismatches):,} of {one.cases:,} texts"
        if one.mismatches:
            smallest = min(one.mismatches, key=lambda m: m.case.question.order)
            yield f"  for one {smallest.case.question.literal}"
            for name, outcome in (("source", smallest.expected), ("GGUF", smallest.actual)):
                yield f"    {name:6} {getattr(outcome, 'ids', None) or getattr(outcome, 'message', ())}"


def _diagnosed(path: Path, source: Source, before: Sequence[Examination], named: Sequence[KeyChange]) -> Iterator[str]:
    """What the difference comes to, in the words of the catalog, and where neither it nor a key has a name for it."""
    from tokparity import quirks
    from tokparity.diagnose import diagnose
    from tokparity.doctor import base_of

    for one in before:
        if one.mismatches and one.engine == "reference":
            for found in diagnose([base_of(path, source)], one.mismatches, one.controls, quirks.all_quirks()):
                names = " or ".join(" + ".join(flips) for flips in (found.quirks, *found.alternatives))
                told = f"the file makes a tokenizer behave as one with {names}"
                if not found.quirks and named:
                    continue
                if not found.quirks:
                    told = f"no known quirk does what the file does; {found.nearest or 'see the keys'}"
                yield f"diagnosis: {told} ({len(found.members)} texts)"


def _proposed(
    found: Sequence[KeyChange], unsaid: CannotExpressError | None, before: Sequence[Examination]
) -> Iterator[str]:
    from tokparity.doctor import TooFewPiecesError
    from tokparity.report.rule import SENTENCES

    right = "no key that can be compared is wrong" if unsaid else "the GGUF says what the source says"
    too_few = isinstance(unsaid, TooFewPiecesError)
    refusing = [one for one in before if one.refuses]
    if too_few or not all(change.is_of_prompts and change.unsaid for change in found):
        yield ""
    elif refusing:
        yield from (SENTENCES["not opened"].format(why=_why(one)) for one in refusing)
    else:
        yield SENTENCES["nothing to change"].format(right=right)
    if unsaid and too_few:
        yield SENTENCES["no keys"].format(told=plain(unsaid.message))
    elif unsaid:
        yield SENTENCES["not all keys"].format(told=plain(unsaid.message))
        if not found and any(one.mismatches for one in before):
            yield SENTENCES["in no key"]
    for change in found:
        yield f"{change.key}: {plain(change.unsaid)}" if change.unsaid else f"change {change.describe()}"


def _write(path: Path, source: Source, found: Sequence[KeyChange], out: Path, told: Sequence[Examination]) -> int:
    from tokparity.cli.progress import one_bar
    from tokparity.doctor import examine
    from tokparity.engines.process.temporary import TemporaryFolder
    from tokparity.formats.gguf_rewrite import rewrite
    from tokparity.formats.gguf_shards import shards_of
    from tokparity.report.rule import SENTENCES, Facts, judge

    found = [change for change in found if not change.unsaid]
    digest = rewrite(path, {change.key: change.after for change in found}, out)
    say()
    tensors = f"tensors copied untouched (SHA-256 {digest[:16]}...)" if digest != _NO_TENSORS else "it has no tensors"
    say(f"wrote {out}{'' if found else ', with nothing changed'}; {tensors}")
    shards = shards_of(path)
    with one_bar(terminal(stderr=True), "checking what was written") as tell, TemporaryFolder() as folder:
        opened = shards.beside(Path(folder), out) if shards and not shards.missing else out
        after = examine(opened, source, path.stem, sick=path, tell=tell)
    known = {(one.engine, _reason(one)) for one in told}
    for line in _told("after", [one for one in after if (one.engine, _reason(one, opened, path)) not in known]):
        say(line)
    if shards and (still := shards.still_to_do(out)):
        say(SENTENCES["shard"].format(file=out, number=shards.number, of=shards.count, still=still))
    for one in after:
        if one.refuses:
            say(SENTENCES["may not be right"].format(file=out, why=_why(one)))
    return judge(Facts(findings=_shown(after), away=_away(after))).exit_code


def _why(one: Examination) -> str:
    return f"{one.engine} does not open the file"


def _reason(one: Examination, file: Path | None = None, instead: Path | None = None) -> str:
    """Why an engine could not be asked, with the name of one file replaced by that of another."""
    told = one.unavailable if file is None else one.unavailable.replace(str(file), str(instead))
    return plain(told).removeprefix("GGUF: ")
