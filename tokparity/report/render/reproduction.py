"""A script of about ten lines that shows a mismatch with only the engine's own library."""

from __future__ import annotations

from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure, Spanning, Streaming
from tokparity.questions import Again, Decode, Render, Spans, Stream
from tokparity.report.changes import family
from tokparity.report.oracles import EXPORTED
from tokparity.report.render.libraries import LIBRARIES
from tokparity.report.render.library import Library

_USUAL = {library.format: library.file for library in LIBRARIES.values() if library.file}
"""The usual name of a file, by what `tokparity convert` calls its format."""
_LONGEST = 2000  # bytes of a text that is still written into a script


def script(mismatch: Mismatch, source: str) -> list[str] | None:
    """The lines of the script, for the file that the engine opened; None where none of so few lines would do."""
    library = library_of(mismatch.engine)
    question = mismatch.case.question
    load = library.load(file_name(library, source), mismatch) if library else ()
    if library is None or not load or question.size > _LONGEST:
        return None
    if isinstance(question, Decode):
        asks, calls = [f"ids = {list(question.ids)}"], list(library.decode(question.skip_special))
    elif isinstance(question, Stream):
        asks, calls = [f"ids = {list(question.ids)}"], list(library.stream(question))
        if not calls:
            return None
    elif isinstance(question, Again | Render):
        return None  # a report has the plain question that is wrong on the way; a prompt needs no file of the model
    else:
        is_spans = isinstance(question, Spans)
        text = _text(question.text, library.takes_bytes and not is_spans)
        if text is None:
            return None
        asks = [f"text = {text}"]
        calls = list(library.spans(question) if isinstance(question, Spans) else library.encode(question))
        if not calls:
            return None
        if mismatch.difference.is_of_decoding:
            calls += ["ids = actual", *library.decode(True)]
    # What is expected is said first, for an engine that dies says nothing after it.
    says = [
        f'print("expected", ascii({_expected(mismatch, library)!a}), flush=True)',
        *calls,
        'print("actual  ", ascii(actual))',
    ]
    imports = ["import ctypes", ""] if any("ctypes." in line for line in calls) else []
    opens = [line.replace("FILE", ascii(file_name(library, source))) for line in load]
    return [*imports, *opens, *asks, *says]


def file_name(library: Library, source: str) -> str:
    """What the script calls the model's file: as it was called, or, where tokparity made it, as such files are."""
    if source and not source.endswith(EXPORTED):
        return source
    return _USUAL.get(source.partition(",")[0], library.file)


def _text(text: bytes, takes_bytes: bool) -> str | None:
    """A literal of ASCII only; None where a library that takes characters cannot be given these bytes."""
    if takes_bytes:
        return repr(text)
    try:
        return ascii(text.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _expected(mismatch: Mismatch, library: Library) -> object:
    """What the script should have printed."""
    expected = mismatch.expected
    if isinstance(expected, Failure):
        return f"{expected.kind}: {expected.message}"
    if isinstance(expected, Streaming):
        return [delta if library.gives_bytes else delta.decode("utf-8", "replace") for delta in expected.deltas]
    if isinstance(expected, Spanning):
        return list(expected.spans)
    if isinstance(expected, Encoding) and not mismatch.difference.is_of_decoding:
        return list(expected.ids)
    decoded = expected.decoded or b""
    return decoded if library.gives_bytes else decoded.decode("utf-8", "replace")


def library_of(engine: str) -> Library | None:
    """The library of an engine, in whatever version; None where it is not known how it is called."""
    return LIBRARIES.get(family(engine))
