"""`tokparity` and its commands as click sees them: words and options in any order, help in sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import click

from tokparity import __version__
from tokparity.cli import exit_codes
from tokparity.cli.arguments import Arguments
from tokparity.cli.options import Option, Words
from tokparity.errors import UsageError, nearest

SECTIONS = ("Three questions", "Find differences", "Look at one tokenizer", "Files", "Lists", "For developers")
"""The sections of `tokparity --help`, in this order; a command's SECTION is one of them."""

_GIVEN = "tokparity.given"
_HELP = {"help_option_names": ["-h", "--help"]}
_A_NUMBER = re.compile(r"-\d*\.?\d+")


class Command(Protocol):
    """The interface of a command's module in this folder; NOTES and TAKES_ALL are optional."""

    HELP: str
    SECTION: str
    EXAMPLES: tuple[str, ...]
    EXIT_1: str

    def parameters(self) -> list[click.Parameter]:
        """The command's options, and its words."""

    def main(self, args: Arguments) -> int:
        """Do it; the exit code."""


class One(click.Command):
    """A command of the command line, made from its module."""

    def __init__(self, name: str, module: Command) -> None:
        self.module = module
        self._takes_all = getattr(module, "TAKES_ALL", False)
        super().__init__(name, params=module.parameters(), context_settings=_HELP, help=module.HELP)
        # Where the words are another program's, its options are none of ours.
        self.allow_interspersed_args = not self._takes_all

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; the words come after them, whatever they begin with."""
        ctx.meta[_GIVEN] = tuple(args)
        completing = ctx.resilient_parsing
        return super().parse_args(ctx, args if self._takes_all or completing else self._words_last(ctx, args))

    def _words_last(self, ctx: click.Context, args: Sequence[str]) -> list[str]:
        """The options, then "--", then the words; what follows a "--" is a word, and so are -1 and "- a text"."""
        declared = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        takes_value = {name: not param.is_flag for param in declared for name in param.opts}
        options: list[str] = []
        words: list[str] = []
        rest = iter(args)
        for arg in rest:
            if arg == "--":
                words += rest
            elif _is_word(arg, takes_value):
                words.append(arg)
            else:
                options.append(arg)
                if takes_value.get(arg):
                    options.append(_value(arg, next(rest, None), takes_value, ctx))
        return [*options, "--", *words]

    def invoke(self, ctx: click.Context) -> int:
        """Remove what a killed run left behind, then do it; the exit code."""
        from tokparity.engines.process.temporary import sweep

        sweep()
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in ctx.params.items()}
        return self.module.main(Arguments(**given, command=("tokparity", str(self.name), *ctx.meta[_GIVEN])))

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first line of the help."""
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix="usage: ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The words, then the options under their titles."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if isinstance(param, Words):
                sections.setdefault("words", []).append((param.make_metavar(ctx), param.explanation))
            elif record is not None:
                sections.setdefault(param.title if isinstance(param, Option) else "options", []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Notes, examples, and what exit code 1 means here."""
        for title, lines in getattr(self.module, "NOTES", {}).items():
            with formatter.section(title):
                formatter.write_dl(lines)
        with formatter.section("examples"):
            for example in self.module.EXAMPLES:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
        if self.module.EXIT_1:
            with formatter.section("exit code 1"):
                formatter.write_text(self.module.EXIT_1)


def _is_word(arg: str, takes_value: Mapping[str, bool]) -> bool:
    if not arg.startswith("-") or arg == "-" or _A_NUMBER.fullmatch(arg):
        return True
    name = arg.partition("=")[0] if arg.startswith("--") else arg[:2]
    return " " in arg and name not in takes_value


def _value(option: str, value: str | None, takes_value: Mapping[str, bool], ctx: click.Context) -> str:
    """The word after an option that needs one."""
    if value is None or value in takes_value or value == "--":
        found = "nothing" if value is None else repr(value)
        raise click.BadOptionUsage(option, f"{option} needs a value, and {found} follows it", ctx)
    return value


class Program(click.Group):
    """All commands."""

    def __init__(self, names: Callable[[], Sequence[str]], load: Callable[[str], Command]) -> None:
        version = click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help="show the version"
        )
        about = "Prove that two tokenizers agree, or find out why not."
        super().__init__("tokparity", params=[version], context_settings=_HELP, help=about)
        self._names, self._load = names, load

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, sorted."""
        return list(self._names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> One | None:
        """The command of that name; None where there is none."""
        return One(cmd_name, self._load(cmd_name)) if cmd_name in self._names() else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that the first word names; UsageError with the nearest name if there is none."""
        if not ctx.resilient_parsing and args[0] not in self._names():
            hint = nearest(args[0], self._names(), f"commands: {', '.join(self._names())}")
            raise UsageError(f"unknown command {args[0]!r}", hint)
        return super().resolve_command(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first line of the help."""
        formatter.write_usage(ctx.command_path, "[--version] [--help] COMMAND ...", prefix="usage: ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by section."""
        found = {name: self._load(name) for name in self._names()}
        for section in SECTIONS:
            with formatter.section(section):
                formatter.write_dl([(name, one.HELP) for name, one in found.items() if one.SECTION == section])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Exit codes, and where more is told."""
        with formatter.section("Exit codes, the same for all commands"):
            formatter.write_dl(exit_codes.MEANINGS)
        with formatter.section("More"):
            formatter.write_dl(
                [
                    ("one command", "`tokparity COMMAND --help`, with examples"),
                    ("engines and quirks", "how to write them: `tokparity engines --help`"),
                    ("completion in bash", 'eval "$(_TOKPARITY_COMPLETE=bash_source tokparity)"; or zsh_, fish_source'),
                ]
            )


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        click.echo(f"tokparity {__version__}")
        ctx.exit()
