"""`tokparity chat --templates`: many templates, each on conversations that it asks for, by several renderers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tokparity.cli import arguments
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import complain, say
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.errors import UsageError
from tokparity.questions.json_text import literal, plain
from tokparity.questions.render import MOST_TEMPLATE, Template

if TYPE_CHECKING:
    from tokparity.chat.sweep import Subject, Sweep

_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
"""The special tokens of a template that comes without a model."""

_SHOWN = 5
"""Reasons of each renderer that are printed; the files have all."""


def main(args: Arguments) -> int:
    """Compare, print the counts and the main reasons, write the files; 1 where a prompt differs, 3 where none can."""
    from tokparity.chat.prompts import ORACLE
    from tokparity.chat.sheets import COMPARED, FILES, totals
    from tokparity.chat.sweep import EQUAL, sweep
    from tokparity.engines.renderers import UNASKED
    from tokparity.report.render.inert import write_inert

    subjects = list(subjects_in(args.templates))
    names = [name for name in dict.fromkeys(args.engine or UNASKED) if name != ORACLE]
    if not names:
        raise UsageError("jinja2 is the reference, and there is nothing to compare it with", "name another renderer")
    found = sweep(subjects, names, args.conversations or _CONVERSATIONS, lambda line: complain(plain(line)))
    for line in _told(found):
        say(line)
    if args.out:
        Path(args.out).mkdir(parents=True, exist_ok=True)
        for name, written in FILES.items():
            write_inert(Path(args.out) / name, written(found))
    counts = totals(found)
    if not any(sums[kind] for sums in counts.values() for kind in COMPARED):
        return 3
    return DIFFERENT if any(sums[kind] for sums in counts.values() for kind in COMPARED if kind != EQUAL) else 0


_CONVERSATIONS = 25


def subjects_in(words: Sequence[str]) -> Iterator[Subject]:
    """The templates of folders of .jinja files, of such files, and of models."""
    for word in words:
        path = Path(word)
        files = sorted(path.glob("*.jinja")) if path.is_dir() else [path] if path.suffix == ".jinja" else []
        is_model = path.is_dir() and any((path / f"tokenizer{end}").exists() for end in ("_config.json", ".json"))
        if files and not is_model:
            yield from map(_of_file, files)
        else:
            yield from _of_model(word)


def _of_file(path: Path) -> Subject:
    from tokparity.chat.sweep import Subject

    if not path.is_file() or path.stat().st_size > MOST_TEMPLATE:
        raise UsageError(f"{str(path)!r} is no template of at most {MOST_TEMPLATE} bytes", "name a .jinja file")
    text = path.read_bytes().decode("utf-8", "replace")
    return Subject(path.stem, Template(text, path.name), _TOKENS)


def _of_model(word: str) -> Iterator[Subject]:
    from tokparity.chat.of_source import templates_of, tokens_of
    from tokparity.chat.sweep import Subject

    source = arguments.source(word)
    found = templates_of(source)
    if not found:
        raise UsageError(f"{word!r:.80} has no chat template", "name a folder of .jinja files, or a model that has one")
    for key, text in found.items():
        yield Subject(f"{source.path.name} {key}", Template(text, source.path.name), tokens_of(source))


def _told(found: Sweep) -> Iterator[str]:
    from tokparity.chat.sheets import sides, totals

    for name, sums in totals(found).items():
        said = ", ".join(f"{number} {kind}" for kind, number in sums.items() if number)
        yield f"{name} ({plain(found.versions[name])}): {said}"
        mine = [one for one in found.reasons if one.renderer == name]
        for one in mine[:_SHOWN]:
            counted = f"{one.conversations} conversations of {one.templates} templates, such as {plain(one.template)}"
            yield f"  {plain(one.name)} ({one.status}): {counted}"
            ours, its = sides(one.smallest)
            yield f"    on {one.smallest.question.conversation.literal}"
            yield f"    jinja2 writes {ours}, it writes {its}"
            if one.smallest.template:
                yield f"    the smallest template that shows it: {literal(one.smallest.template)}"
        if len(mine) > _SHOWN:
            yield f"  and {len(mine) - _SHOWN} more reasons, which --out DIR writes"
    for name, why in found.unavailable.items():
        yield f"{name} is unavailable: {plain(why)}"
