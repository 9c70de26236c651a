"""`tokparity chat`: the prompt that each renderer makes of a conversation, with its ids and pieces."""

from __future__ import annotations

import json
import sys
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokparity.cli import arguments, chat_templates, options
from tokparity.cli.arguments import Arguments
from tokparity.cli.console import say
from tokparity.cli.exit_codes import DIFFERENT
from tokparity.errors import FormatError, UsageError
from tokparity.questions.json_text import literal, plain, strict
from tokparity.questions.render import MOST_CONVERSATION, Conversation, Render, Template

if TYPE_CHECKING:
    from tokparity.chat.compare import Answer
    from tokparity.chat.prompts import Prompt
    from tokparity.formats import Source

HELP = "Show the prompt of a conversation, its ids and pieces, from each renderer of chat templates"
SECTION = "Look at one tokenizer"
EXAMPLES = (
    "tokparity chat model.gguf conversation.json",
    "tokparity chat ./model conversation.json --engine jinja2 --engine llama.cpp",
    "tokparity chat --templates ./templates --engine minijinja --out today",
)
EXIT_1 = "a renderer writes another prompt than jinja2 as transformers sets it up"


_WIDE = 100
"""Characters of a prompt, of ids and of pieces that are shown where not all are asked for."""


def parameters() -> list[click.Parameter]:
    """Declare the arguments of `tokparity chat`."""
    return [
        options.Words(
            "MODEL CONVERSATION.json",
            "a file, a directory or a model; a JSON list of messages, or an object (- reads it from standard input)",
        ),
        options.Option(
            "--engine",
            multiple=True,
            metavar="RENDERER",
            help="jinja2, transformers, llama-cpp-python, llama.cpp (these by default), mistral-common, minijinja, "
            "huggingface-jinja, xllamacpp-server, exec:COMMAND, http:URL (again for more)",
        ),
        options.Option("--template", metavar="NAME", help="the chat template of this name, where a model has several"),
        options.Option(
            "--templates",
            multiple=True,
            metavar="FOLDER",
            help="instead of a conversation: all .jinja files of a folder, or a model (again for more)",
        ),
        options.Option(
            "--conversations", callback=options.count, metavar="N", help="conversations for each template (default: 25)"
        ),
        options.Option("--out", metavar="DIR", help="--templates: write differences.csv, chat.md and index.html there"),
        options.Option("--json", is_flag=True, help="one JSON object per renderer, for programs"),
        whole(),
    ]


def whole() -> click.Parameter:
    """Declare the option that shows all of what is long."""
    return options.Option("-v", "--verbose", is_flag=True, help="chat: whole prompts, ids and pieces")


def main(args: Arguments) -> int:
    """Render, encode, compare; exit 1 where a renderer differs, 3 where there is no prompt to compare with."""
    from tokparity.chat.of_source import tekken_of, tokens_of
    from tokparity.chat.prompts import ORACLE, broken_laws, differing, prompts
    from tokparity.engines.renderers import UNASKED, engine_of
    from tokparity.outcome import Rendering
    from tokparity.reference.tokenizer import Tokenizer

    for name in args.engine:
        engine_of(name)
    if args.templates:
        return chat_templates.main(args)
    if len(args.words) != 2:
        raise UsageError(
            f"chat takes a model and a conversation, found {len(args.words)} words",
            "write: tokparity chat MODEL CONVERSATION.json",
        )
    source = arguments.source(args.words[0])
    question = Render(_template(source, args.template), conversation_in(Path(args.words[1])), tokens_of(source))
    tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    names = dict.fromkeys((ORACLE, *(args.engine or UNASKED)))
    path = tekken_of(source)
    found = prompts(list(names), question, tokenizer, path)
    other = differing(found)
    for line in map(_json, found) if args.json else _told(found, other, question, path, args.verbose):
        say(line)
    right = found[0].answer
    if not isinstance(right, Rendering):
        return 3
    if right.prompt is not None and not args.json:
        for line in broken_laws(question, right.prompt, tokenizer):
            say(plain(line))
    return DIFFERENT if other else 0


def _template(source: Source, name: str | None) -> Template:
    from tokparity.chat.of_source import templates_of
    from tokparity.formats.beside import CHAT

    found = templates_of(source)
    key = CHAT if name is None else f"{CHAT}.{name}"
    if key not in found:
        has = f"{', '.join(map(plain, found))}, but no {plain(key)}" if found else "no chat template"
        hint = (
            "give the directory that has the tokenizer_config.json or the chat_template.jinja of the model, or a GGUF"
        )
        raise UsageError(f"{source.path.name} has {has}", hint)
    return Template(found[key], source.path.name)


def conversation_in(path: Path) -> Conversation:
    """The conversation in a file of JSON, or in standard input for "-"; FormatError if there is none, or a long one."""
    if str(path) == "-":
        read = sys.stdin.buffer.read(MOST_CONVERSATION + 1)
        if len(read) > MOST_CONVERSATION:
            raise FormatError("standard input is too long", f"give at most {MOST_CONVERSATION} bytes")
        return Conversation.from_json(strict(read, "write a JSON list of messages"))
    if not path.is_file():
        raise FormatError(
            f"{str(path)!r} is not a file", 'write a JSON list such as [{"role": "user", "content": "Hi"}]'
        )
    if path.stat().st_size > MOST_CONVERSATION:
        raise FormatError(f"{str(path)!r} has {path.stat().st_size} bytes", f"give at most {MOST_CONVERSATION} bytes")
    return Conversation.from_json(strict(path.read_bytes(), "write a JSON list of messages"))


def _told(found: Sequence[Prompt], other: Sequence[Prompt], question: Render, path: str, whole: bool) -> Iterator[str]:
    from tokparity.chat.prompts import why

    right = found[0].answer
    for one in found:
        yield one.renderer + (f" ({plain(one.version)})" if one.version else "")
        answer = one.answer
        if one is not found[0] and answer == right:
            yield f"  the same prompt and the same {len(one.ids)} ids as {found[0].renderer}"
            continue
        parts = _both(answer, right) if one in other else None
        if parts:
            cause, *smallest = why(one, right, question, path)
            yield f"  {cause}"
            yield f"  differs: it writes {parts[0]}, {found[0].renderer} writes {parts[1]}"
            yield from (f"  {line if whole else _cut(line)}" for line in smallest)
        if whole or not parts:
            yield f"  prompt  {_prompt(answer, whole)}"
            yield from _ids(one, whole)


def _cut(line: str) -> str:
    left = len(line) - 2 * _WIDE
    return f"{line[: 2 * _WIDE]}... ({left:,} more characters: -v)" if left > 0 else line


def _prompt(answer: Answer, whole: bool) -> str:
    """An answer for a reader; a long prompt is cut."""
    from tokparity.chat.compare import told
    from tokparity.outcome import Rendering

    prompt = answer.prompt if isinstance(answer, Rendering) else None
    if prompt is None or whole or len(prompt) <= _WIDE:
        return told(answer)
    return f"{literal(prompt[:_WIDE])} and {len(prompt) - _WIDE:,} more characters (-v)"


def _ids(one: Prompt, whole: bool) -> Iterator[str]:
    """The ids and their pieces, as many as a line has room for."""
    for name, words in (("ids   ", [*map(str, one.ids)]), ("pieces", [*map(literal, one.pieces)])):
        ends = list(accumulate(len(word) + 1 for word in words))
        shown = words if whole else words[: bisect(ends, _WIDE)]
        more = f" and {len(words) - len(shown):,} more (-v)" if len(shown) < len(words) else ""
        if words:
            yield f"  {name}  {' '.join(shown)}{more}"


def _both(answer: Answer, right: Answer) -> tuple[str, str] | None:
    """Two prompts around the place where they differ."""
    from tokparity.chat.place import around
    from tokparity.difference import beside
    from tokparity.outcome import Rendering

    told = [one.prompt if isinstance(one, Rendering) else None for one in (answer, beside(right, answer))]
    return around(told[0], told[1]) if told[0] is not None and told[1] is not None else None


def _json(one: Prompt) -> str:
    from tokparity.outcome import Rendering

    made = one.answer if isinstance(one.answer, Rendering) else Rendering(None)
    failure = None if isinstance(one.answer, Rendering) else f"{one.answer.kind}: {one.answer.message}"
    said = {"renderer": one.renderer, "version": one.version, "prompt": made.prompt, "raised": made.raised}
    pieces = [piece.decode("utf-8", "replace") for piece in one.pieces]
    return json.dumps({**said, "failure": failure, "ids": list(one.ids), "pieces": pieces})
