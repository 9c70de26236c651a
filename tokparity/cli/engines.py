"""`tokparity engines`: lists the engines that can be compared on this machine."""

from __future__ import annotations

import click

from tokparity.cli import options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import row, say
from tokparity.errors import TokparityError, UsageError

HELP = "List the engines, their versions and their limits"
SECTION = "Lists"
EXAMPLES = (
    "tokparity engines",
    "tokparity engines --installed",
    "tokparity engines prune",
    "tokparity diff small-spm 'a b' --engine llama.cpp --engine reference+omits_bos",
)
EXIT_1 = ""
NOTES = {
    "how to name an engine": (
        ("NAME", "an engine of the list: llama.cpp, tokenizers, ..."),
        ("reference+QUIRK", "the reference with a quirk of `tokparity quirks`; again for more quirks"),
        ("NAME@VERSION", "another version, installed once: tokenizers@0.19.1; NAME@PYTHON: the one of that Python"),
        (
            "llama.cpp@VERSION",
            "of llama-cpp-python, built once, in minutes; a wheel of xllamacpp@VERSION takes seconds",
        ),
        ("NAME[option=value]", "an engine with its own options: transformers[legacy=false]"),
        (
            "./file.py:name",
            "or module:name: a function from text to ids, or an object with encode",
        ),
        ("replay:FILE", "a recording by `tokparity record`, in place of the engine"),
        ("exec:COMMAND", "any program that reads and writes JSON Lines (docs/engines-exec.md); {gguf}: the model"),
        (
            "stream:NAME",
            "how a server (vllm, sglang, tgi, dynamo) streams, over tokenizers; NAME/ENGINE: over another",
        ),
        ("http:URL", "a running server: llama.cpp, llama-cpp-python, vLLM, SGLang, text-generation-inference"),
    )
}


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity engines`."""
    return [
        options.Words("[prune]", '"prune" removes the environments of ENGINE@VERSION', shell_complete=None),
        options.Option("--installed", is_flag=True, help="list the environments of ENGINE@VERSION"),
    ]


def main(args: Arguments) -> int:
    """Print one line per engine or per environment, or remove environments."""
    if args.words not in ([], ["prune"]) or (args.words and args.installed):
        raise UsageError(f"engines knows no {' '.join(args.words)!r}", "write `tokparity engines prune`, or no word")
    if args.words:
        return _prune()
    return _list_installed() if args.installed else _list()


def _prune() -> int:
    from tokparity.engines.environment.build import prune

    count, size = prune()
    say(f"removed {count} environment{'' if count == 1 else 's'}, {size / 1e6:.0f} MB")
    return 0


def _list_installed() -> int:
    """One line for each environment, with what is installed in it."""
    from tokparity.engines.environment.build import installed

    for found in installed():
        head = f"{found.engine}@{found.version}"
        row(f"{head:24}", f"{found.runtime}; {found.bytes / 1e6:.0f} MB; {', '.join(found.pins)}")
    return 0


def _list() -> int:
    """One line per engine; one that is not installed says what to install."""
    from tokparity import engines
    from tokparity.engines.environment.released import RELEASED

    for name in engines.names():
        engine = engines.get(name)
        able = engine.CAPABILITIES
        try:
            state = engine.version()
        except TokparityError as error:
            row(f"{name:23}", f"unavailable: {error}")
            continue
        limits = [
            "" if able.invalid_utf8 else "only UTF-8",
            "" if len(able.add_special) == 2 else f"add_special only {able.add_special[0]}",
            "" if len(able.parse_special) == 2 else f"parse_special only {able.parse_special[0]}",
            "" if able.decodes else "no decoding",
        ]
        row(f"{name:23}", f"{state}; {', '.join(able.formats)}; {'; '.join(filter(None, limits)) or 'no limits'}")
    for name, released in RELEASED.items():
        row(f"{name:23}", f"{released.version}, installed when it is named; {', '.join(released.formats)}")
    return 0
