"""The options that several commands share, and the kinds of values that options take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from tokparity.cli import completion
from tokparity.errors import nearest
from tokparity.questions import KINDS

FILES = ("gguf", "tokenizer_json", "sentencepiece", "tiktoken", "tekken")
_FILES_TITLE = "files instead of MODEL, any of them"


class Words(click.Argument):
    """What stands between the options, in any number; unlike click's own arguments it says what it is for."""

    def __init__(self, metavar: str, explanation: str, **more: Any) -> None:
        more.setdefault("shell_complete", completion.models_and_files)
        super().__init__(["words"], nargs=-1, type=click.UNPROCESSED, metavar=metavar, **more)
        self.explanation = explanation


class Option(click.Option):
    """An option that stands under a title of its own in the help."""

    def __init__(self, *names: str, title: str = "options", **more: Any) -> None:
        if "callback" in more:
            more.setdefault("type", click.UNPROCESSED)  # else click has a type of its own for the default
        super().__init__(list(names), **more)
        self.title = title


def seconds(ctx: click.Context, param: click.Parameter, word: str | None) -> float | None:
    """A number of seconds above zero; BadParameter for any other word."""
    if word is None:
        return None
    try:
        number = float(word)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise _refused(ctx, param, word, "number of seconds above 0")
    return number


def whole(ctx: click.Context, param: click.Parameter, word: str | int | None) -> int | None:
    """A whole number; BadParameter for any other word."""
    try:
        return None if word is None else int(word)
    except ValueError:
        raise _refused(ctx, param, word, "whole number") from None


def count(ctx: click.Context, param: click.Parameter, word: str | int | None) -> int | None:
    """A whole number, zero or more; BadParameter for any other word."""
    number = whole(ctx, param, word)
    if number is not None and number < 0:
        raise _refused(ctx, param, word, "whole number, 0 or more")
    return number


def _refused(ctx: click.Context, param: click.Parameter, word: object, kind: str) -> click.BadParameter:
    return click.BadParameter(f"{param.opts[-1]} {str(word)!r} is not a {kind}", ctx, param)


def verbose() -> Option:
    """Declare -v, which every command has that prints a report."""
    return Option("-v", "--verbose", is_flag=True, help="also show known and accepted findings")


def ask(default: Sequence[str], sampled: Sequence[str] = ()) -> Option:
    """Declare --ask, the kinds of question; where some are `sampled` without it, it may be None."""
    told = f"the kinds of question, with a comma between two: {', '.join(KINDS)} (default: {','.join(default)}"
    told += f", and a sample of {','.join(sampled)})" if sampled else ")"
    given = None if sampled else ",".join(default)
    return Option("--ask", callback=_kinds, default=given, metavar="KINDS", help=told)


def _kinds(ctx: click.Context, param: click.Parameter, words: str | None) -> tuple[str, ...] | None:
    if words is None:
        return None
    kinds = tuple(dict.fromkeys(word.strip() for word in words.split(",")))
    known = f"the known ones are {', '.join(KINDS)}"
    for kind in kinds:
        if kind not in KINDS:
            raise _refused(ctx, param, kind, f"kind of question: {nearest(kind, KINDS, known)}")
    return kinds


def keep() -> Option:
    """Declare --keep."""
    told = "number of mismatches of one kind that the report keeps for each engine and model; all are counted"
    return Option("--keep", callback=_positive, metavar="N", help=told)


def wait() -> Option:
    """Declare --wait."""
    told = "seconds for which an http: server that is away is asked again (default: 60); the rest is then not asked"
    return Option("--wait", callback=seconds, metavar="SECONDS", help=told)


def _positive(ctx: click.Context, param: click.Parameter, word: str | int | None) -> int | None:
    number = whole(ctx, param, word)
    if number is not None and number < 1:
        raise _refused(ctx, param, word, "whole number, 1 or more")
    return number


class _NamedPath(click.Path):
    """A path; none that is empty, as of a variable that is not set: it would be the current directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            named = param.opts[-1] if param is not None else "the path"
            self.fail(f"{named} is empty; write . for this directory", param, ctx)
        return super().convert(value, param, ctx)


def path() -> click.Path:
    """A path, which need not exist."""
    return _NamedPath(path_type=Path)


def engines() -> list[click.Parameter]:
    """Declare --engine, which may be given several times."""
    return [_engine("an engine (again for more; `tokparity engines --help` lists the ways to name one)", multiple=True)]


def engine(help: str) -> list[click.Parameter]:
    """Declare --engine, which is given once."""
    return [_engine(help, multiple=False)]


def _engine(help: str, multiple: bool) -> Option:
    return Option("--engine", metavar="E", help=help, multiple=multiple, shell_complete=completion.engines)


def flags() -> list[click.Parameter]:
    """Declare --no-special and --parse-special."""
    return [
        Option("--no-special", is_flag=True, help="add no BOS, EOS and the like"),
        Option("--parse-special", is_flag=True, help="find special tokens that the text spells"),
    ]


def model_files() -> list[click.Parameter]:
    """Declare the options that give a model as files instead of MODEL, and --online."""
    online = Option(
        "--online",
        is_flag=True,
        is_eager=True,  # known before the words are looked at
        help="take ORG/NAME for hf:ORG/NAME, a model of the Hugging Face hub",
    )
    files = (Option(f"--{name.replace('_', '-')}", metavar="FILE", title=_FILES_TITLE) for name in FILES)
    return [online, *files, repository()]


def against() -> Option:
    """Declare --against, of the commands that compare a file with its source and of those that such a report prints."""
    return Option(
        "--against",
        metavar="SOURCE",
        help="is my file right? The model's own tokenizer: a file, a directory, a known model, hf:NAME",
        shell_complete=completion.models_and_files,
    )


def repository() -> Option:
    """Declare --models."""
    help = "the tokparity.toml that names models of your own, or its directory (default: the one that is here)"
    return Option("--models", metavar="DIR", help=help)


def models(explanation: str) -> Words:
    """Declare arguments that each name a model."""
    return Words("[MODEL]...", explanation, callback=_each(on_hub_if_online))


def _each(change: Callable[[str, bool], str]) -> Callable[[click.Context, click.Parameter, Any], list[str]]:
    def changed(ctx: click.Context, param: click.Parameter, words: Any) -> list[str]:
        return [change(word, bool(ctx.params.get("online"))) for word in words]

    return changed


def on_hub_if_online(word: str, online: bool) -> str:
    """The word that names a model; with --online ORG/NAME that is not a path is the hub's."""
    from tokparity.models.given import HUB

    is_hub_id = "/" in word and ":" not in word and not Path(word).exists()
    return f"{HUB}{word}" if online and is_hub_id else word
