"""A fault of found/ as a Markdown issue for the engine's project, which needs no tokparity to reproduce it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tokparity.case import Case
from tokparity.difference import Difference
from tokparity.errors import UsageError
from tokparity.finding import Mismatch
from tokparity.models import load
from tokparity.models.record import names
from tokparity.outcome import Encoding
from tokparity.questions import Decode, Encode
from tokparity.questions.json_text import inert, to_json
from tokparity.questions.shell import command_line
from tokparity.report.found import Fault, Found, Package
from tokparity.report.render.markup import cell, code, indented
from tokparity.report.render.reproduction import library_of


def issue(found: Found, name: str) -> str:
    """The issue of the fault with this name; without one, of the only fault."""
    known = {fault.name: fault for fault in found.faults}
    if not name and len(known) == 1:
        (name,) = known
    if name not in known:
        message = f"an issue is about one fault, and {found.package.engine} has {len(known)}"
        raise UsageError(message, f"name one with --finding: {', '.join(known)}")
    return inert("\n".join(_lines(found.package, known[name])) + "\n")


def command(package: Package, fault: Fault) -> str:
    """The command that shows a fault: one of tokparity, or that which puts it again where `diff` does not."""
    if fault.lengths or fault.printed_by:
        return command_line(["nox", "-s", "found", "--", package.engine])
    return fault.question.command(fault.model, f"{package.engine}@{fault.version}")


def _lines(package: Package, fault: Fault) -> Iterator[str]:
    asked = f"{'Encoding' if fault.text else 'Decoding'} {code(fault.asked.removeprefix('ids '))}"
    yield from (f"# {cell(fault.title)}", "")
    yield f"- Version: {cell(package.package)} {cell(fault.version)}, from {cell(package.registry)}"
    yield f"- Vocabulary: {cell(_vocabulary(fault.model))}"
    if fault.since:
        yield f"- There since {cell(fault.since)}"
    if fault.until:
        yield f"- Healed in {cell(fault.until)}"
    yield from ("", "## Reproduction", "")
    if file := _file(package, fault):
        yield from (f"{_how_had(fault.model, file)}:", "")
    yield from (*indented("\n".join(script(package, fault))), "")
    verb = "takes" if fault.lengths else "gives"
    yield from ("## Expected and actual", "", f"{asked} {verb} {code(fault.given)}. Expected is {code(fault.right)}.")
    yield f"{cell(fault.oracle)} {verb} what is expected. {cell(fault.second)} {verb} {code(fault.second_gives)}."
    yield from ("", f"Who is hurt: {cell(fault.hurts)}.", "", "## Cause", "", cell(fault.cause), "")
    yield from ("## Proposed fix", "", cell(fault.fix))


def _vocabulary(model: str) -> str:
    """The model, and whose tokenizer it is where we know: people of the engine know it by that name."""
    origin = load(model).origin if model in names() else ""
    return f"{model}, the tokenizer of {origin}" if origin else model


def _how_had(model: str, file: Sequence[str]) -> str:
    """Where the file comes from: from llama.cpp itself, if it is one of the vocabularies of its tests."""
    own = [one.name for one in load(model).pulled if one.name.endswith(".gguf")] if model in names() else []
    if own and file[0] == "gguf":
        return f"The vocabulary {code(file[-1])} is {code(own[0])} of llama.cpp's folder {code('models')}"
    convert = command_line(["tokparity", "convert", model, "--to", *file])
    return f"The vocabulary is the file that {code(convert)} writes"


def _file(package: Package, fault: Fault) -> Sequence[str]:
    """The format, -o and the name of the file that the script opens; nothing where the package brings its own."""
    library = library_of(package.engine) or library_of(package.package)
    if library is None:
        return ("tokenizer.json", "-o", "tokenizer.json") if "tokenizer.json" in package.script else ()
    name = fault.file or library.file
    return ("sentencepiece" if name.endswith(".model") else library.format, "-o", name)


def script(package: Package, fault: Fault) -> Sequence[str]:
    """A few lines in the language of the engine's users."""
    own = fault.script or (package.script if fault.text else package.decode_script)
    question = fault.question
    if own:
        asked = json.dumps(to_json(question.text) if isinstance(question, Encode) else question.ids)
        return own.strip().replace("TEXT", asked).splitlines()
    library = library_of(package.engine) or library_of(package.package)
    if library is None:
        raise UsageError(f"no library of {package.engine!r} is known", "write a script into its file in found/")
    mismatch = Mismatch(
        Case(question), fault.model, package.engine, fault.oracle, Encoding(()), Encoding(()), Difference("ids")
    )
    file = fault.file or library.file
    load = [line.replace("FILE", ascii(file)) for line in library.load(file, mismatch)]
    if isinstance(question, Decode):
        return [*load, f"ids = {list(question.ids)}", *library.decode(fault.skip_special), "print(ascii(actual))"]
    text = question.text if library.takes_bytes else question.text.decode("utf-8", "replace")
    return [*load, f"text = {text!a}", *library.encode(question), "print(ascii(actual))"]
