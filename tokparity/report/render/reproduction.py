"""A script of about ten lines that shows a mismatch with nothing but the engine's own library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tokparity.finding import Mismatch
from tokparity.outcome import Encoding, Failure
from tokparity.questions import Decode, Encode

_LONGEST = 2000  # bytes of a text that is still written into a script


@dataclass(frozen=True)
class Library:
    """How an engine's library is called: `format` is what `tokparity convert` calls its files, `file` their usual name.

    `load` are the lines that open `file`, `encode` and `decode` those that make `actual` of `text` and `ids`.
    """

    install: str
    format: str
    file: str
    load: Sequence[str]
    encode: Callable[[Encode], Sequence[str]]
    decode: Callable[[bool], Sequence[str]]
    takes_bytes: bool = False


def script(mismatch: Mismatch, source: str) -> list[str] | None:
    """The lines of the script, for the file that the engine opened; None where none of so few lines would do."""
    library = LIBRARIES.get(mismatch.engine)
    question = mismatch.case.question
    if library is None or question.size > _LONGEST:
        return None
    if isinstance(question, Decode):
        asks, calls = [f"ids = {list(question.ids)}"], list(library.decode(question.skip_special))
    else:
        text = _text(question.text, library.takes_bytes)
        if text is None:
            return None
        asks, calls = [f"text = {text}"], list(library.encode(question))
        if mismatch.difference.is_of_decoding:
            calls += ["ids = actual", *library.decode(True)]
    # What is expected is said first, for an engine that dies says nothing after it.
    says = [
        f'print("expected", ascii({_expected(mismatch)!a}), flush=True)',
        *calls,
        'print("actual  ", ascii(actual))',
    ]
    imports = ["import ctypes", ""] if any("ctypes." in line for line in calls) else []
    load = [line.replace("FILE", ascii(file_name(library, source))) for line in library.load]
    return [*imports, *load, *asks, *says]


def file_name(library: Library, source: str) -> str:
    """What the script calls the model's file: as it was called, or, where tokparity made it, as such files are."""
    return library.file if not source or source.endswith("exported by tokparity") else source


def _text(text: bytes, takes_bytes: bool) -> str | None:
    """A literal of ASCII only; None where a library that takes characters cannot be given these bytes."""
    if takes_bytes:
        return repr(text)
    try:
        return ascii(text.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _expected(mismatch: Mismatch) -> object:
    """What the script should have printed."""
    expected = mismatch.expected
    if isinstance(expected, Failure):
        return f"{expected.kind}: {expected.message}"
    if isinstance(expected, Encoding) and not mismatch.difference.is_of_decoding:
        return list(expected.ids)
    decoded = expected.decoded or b""
    library = LIBRARIES[mismatch.engine]
    return decoded if library.takes_bytes else decoded.decode("utf-8", "replace")


def _tokenizers(question: Encode) -> list[str]:
    return [
        f"tokenizer.encode_special_tokens = {not question.parse_special}",
        f"actual = tokenizer.encode(text, add_special_tokens={question.add_special}).ids",
    ]


def _transformers(question: Encode) -> list[str]:
    flags = f"add_special_tokens={question.add_special}, split_special_tokens={not question.parse_special}"
    return [f'actual = tokenizer(text, {flags})["input_ids"]']


def _sentencepiece(question: Encode) -> list[str]:
    note = "  # tokparity then adds the ids at both ends that the model wants" if question.add_special else ""
    return [f"actual = processor.encode(text, out_type=int){note}"]


def _llama_cpp(question: Encode) -> list[str]:
    flags = f"{question.add_special}, {question.parse_special}"
    return [
        "room = (library.llama_token * (len(text) + 16))()",
        f"count = library.llama_tokenize(vocab, text, len(text), room, len(room), {flags})",
        "actual = list(room[:count])",
    ]


def _llama_cpp_decode(skip_special: bool) -> list[str]:
    return [
        "row = (library.llama_token * len(ids))(*ids)",
        "room = ctypes.create_string_buffer(65536)",
        f"count = library.llama_detokenize(vocab, row, len(ids), room, len(room), False, {not skip_special})",
        "actual = room.raw[:count]",
    ]


def _decode(skip_special: bool) -> list[str]:
    return [f"actual = tokenizer.decode(ids, skip_special_tokens={skip_special})"]


LIBRARIES: Mapping[str, Library] = {
    "tokenizers": Library(
        "tokenizers", "tokenizer.json", "tokenizer.json",
        ("from tokenizers import Tokenizer", "", "tokenizer = Tokenizer.from_file(FILE)", "tokenizer.no_truncation()",
         "tokenizer.no_padding()"),
        _tokenizers, _decode,
    ),
    "transformers": Library(
        "transformers", "tokenizer.json", "./model",
        ("from transformers import AutoTokenizer", "", "tokenizer = AutoTokenizer.from_pretrained(FILE)"),
        _transformers, _decode,
    ),
    "sentencepiece": Library(
        "sentencepiece", "sentencepiece", "tokenizer.model",
        ("from sentencepiece import SentencePieceProcessor", "", "processor = SentencePieceProcessor(model_file=FILE)"),
        _sentencepiece, lambda _: ["actual = processor.decode(ids, out_type=bytes)"], takes_bytes=True,
    ),
    "llama.cpp": Library(
        "llama-cpp-python", "gguf", "model.gguf",
        ("from llama_cpp import llama_cpp as library", "",
         "library.llama_backend_init()",
         "params = library.llama_model_default_params()", "params.vocab_only = True",
         "model = library.llama_model_load_from_file(FILE.encode(), params)",
         "vocab = library.llama_model_get_vocab(model)"),
        _llama_cpp, _llama_cpp_decode, takes_bytes=True,
    ),
}  # fmt: skip
"""Libraries that open the model's file without more being said. tiktoken's pattern and special tokens are not in it."""
