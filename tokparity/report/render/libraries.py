"""How to call each engine's library in a few lines, for a reader who does not have tokparity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from tokparity.finding import Mismatch
from tokparity.formats.tiktoken import KNOWN
from tokparity.questions import Encode, Spans, Stream
from tokparity.questions.json_text import as_bytes
from tokparity.report.render.library import Library, always, ends
from tokparity.report.render.wheel_libraries import WHEEL_LIBRARIES

_ENCODING = 'encoding = tiktoken.Encoding("reproduction", mergeable_ranks=ranks, {})'


def _tokenizers(question: Encode) -> list[str]:
    return [
        f"tokenizer.encode_special_tokens = {not question.parse_special}",
        f"actual = tokenizer.encode(text, add_special_tokens={question.add_special}).ids",
    ]


def _transformers(question: Encode) -> list[str]:
    flags = f"add_special_tokens={question.add_special}, split_special_tokens={not question.parse_special}"
    return [f'actual = tokenizer(text, {flags})["input_ids"]']


def _sentencepiece(question: Encode) -> list[str]:
    return [f"actual = processor.encode(text, out_type=int){ends(question)}"]


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


def _tokenizers_spans(question: Spans) -> list[str]:
    *before, call = _tokenizers(question)
    return [*before, call.replace(".ids", ".offsets")]


def _transformers_spans(question: Spans) -> list[str]:
    flags = f"add_special_tokens={question.add_special}, split_special_tokens={not question.parse_special}"
    return [f'actual = tokenizer(text, {flags}, return_offsets_mapping=True)["offset_mapping"]']


def _sentencepiece_spans(question: Spans) -> list[str]:
    return [
        'pieces = processor.encode(text, return_type="proto").pieces  # counts bytes',
        f"at = lambda place: len(text.encode()[:place].decode()){ends(question)}",
        "actual = [(at(piece.begin), at(piece.end)) for piece in pieces]",
    ]


def _tokenizers_stream(question: Stream) -> list[str]:
    given = f"ids={list(question.prefill)}, " if question.prefill else ""
    return [
        "from tokenizers.decoders import DecodeStream",
        f"stream = DecodeStream({given}skip_special_tokens={question.skip_special})",
        'actual = [stream.step(tokenizer, i) or "" for i in ids] + [""]',
    ]


def _transformers_stream(question: Stream) -> list[str]:
    flags = f"skip_prompt={bool(question.prefill)}, skip_special_tokens={question.skip_special}"
    return [
        "import numpy",
        "from transformers import TextStreamer",
        f"streamer, actual = TextStreamer(tokenizer, {flags}), []",
        "streamer.on_finalized_text = lambda text, stream_end=False: actual.append(text)",
        *([f"streamer.put(numpy.array({list(question.prefill)}))"] if question.prefill else []),
        "for i in ids:",
        "    streamer.put(numpy.array([i]))",
        "streamer.end()",
    ]


def _sentencepiece_stream(question: Stream) -> list[str]:
    return [
        f"rows = [{list(question.prefill)} + ids[:count] for count in range(len(ids) + 1)]",
        "texts = [processor.decode(row, out_type=bytes) if row else b'' for row in rows]",
        "actual = [text[len(before):] for before, text in zip(texts, texts[1:])] + [b'']",
    ]


def _llama_cpp_stream(question: Stream) -> list[str]:
    arguments = f"vocab, i, room, len(room), 0, {not question.skip_special}"
    return [
        "room = ctypes.create_string_buffer(65536)",
        f"actual = [room.raw[: library.llama_token_to_piece({arguments})] for i in ids] + [b'']",
    ]


def _mistral(file: str, mismatch: Mismatch) -> Sequence[str]:
    """A tekken.json, or one of the SentencePiece models before it."""
    base = "from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy"
    if file.endswith(".json"):
        module, opened = "tekken import Tekkenizer", "Tekkenizer.from_file(FILE)"
    else:
        module = "sentencepiece import SentencePieceTokenizer"
        opened = 'SentencePieceTokenizer(FILE, TokenizerVersion("v3"))'
        base += ", TokenizerVersion"
    return (base, f"from mistral_common.tokens.tokenizers.{module}", "", f"tokenizer = {opened}")


def _tiktoken(file: str, mismatch: Mismatch) -> Sequence[str]:
    """The ranks; the pattern and the special tokens by the file's name, or from the JSON beside it."""
    known = KNOWN.get(PurePath(file).stem)
    if not file:
        return ()
    ranks = 'ranks = {base64.b64decode(piece): int(rank) for piece, rank in map(bytes.split, open(FILE, "rb"))}'
    if known is None:
        more = "more = json.load(open(FILE + '.json'))"
        asks = 'pat_str=more["pattern"], special_tokens=more.get("special_tokens", {})'
        return ("import base64", "import json", "import tiktoken", "", ranks, more, _ENCODING.format(asks))
    special = {name: i for name, i in known.special.items() if _is_about(mismatch, name, i)}
    asks = f"pat_str={known.pattern!a}, special_tokens={special!a}"
    return ("import base64", "import tiktoken", "", ranks, _ENCODING.format(asks))


def _is_about(mismatch: Mismatch, name: str, i: int) -> bool:
    """Whether a special token has a part in it; a file may have hundreds."""
    ids = [getattr(side, "ids", ()) for side in (mismatch.case.question, mismatch.expected, mismatch.actual)]
    return as_bytes(name) in mismatch.case.question.shown or any(i in row for row in ids)


def _tiktoken_encode(question: Encode) -> list[str]:
    call = 'encode(text, allowed_special="all")' if question.parse_special else "encode_ordinary(text)"
    return [f"actual = encoding.{call}{ends(question)}"]


def _decode(skip_special: bool) -> list[str]:
    return [f"actual = tokenizer.decode(ids, skip_special_tokens={skip_special})"]


LIBRARIES: Mapping[str, Library] = {
    **WHEEL_LIBRARIES,
    "tokenizers": Library(
        "tokenizers", "tokenizer.json", "tokenizer.json",
        always("from tokenizers import Tokenizer", "", "tokenizer = Tokenizer.from_file(FILE)",
                "tokenizer.no_truncation()", "tokenizer.no_padding()"),
        _tokenizers, _decode, _tokenizers_stream, _tokenizers_spans,
    ),
    "transformers": Library(
        "transformers", "directory", "./model",
        always("from transformers import AutoTokenizer", "", "tokenizer = AutoTokenizer.from_pretrained(FILE)"),
        _transformers, _decode, _transformers_stream, _transformers_spans,
    ),
    "sentencepiece": Library(
        "sentencepiece", "sentencepiece", "tokenizer.model",
        always("from sentencepiece import SentencePieceProcessor", "",
                "processor = SentencePieceProcessor(model_file=FILE)"),
        _sentencepiece, lambda _: ["actual = processor.decode(ids, out_type=bytes)"],
        _sentencepiece_stream, _sentencepiece_spans, takes_bytes=True, gives_bytes=True,
    ),
    "llama.cpp": Library(
        "llama-cpp-python", "gguf", "model.gguf",
        always("from llama_cpp import llama_cpp as library", "",
                "library.llama_backend_init()",
                "params = library.llama_model_default_params()", "params.vocab_only = True",
                "model = library.llama_model_load_from_file(FILE.encode(), params) or exit('no model')",
                "vocab = library.llama_model_get_vocab(model)"),
        _llama_cpp, _llama_cpp_decode, _llama_cpp_stream, takes_bytes=True, gives_bytes=True,
    ),
    "mistral-common": Library(
        "mistral-common", "sentencepiece", "tokenizer.model", _mistral,
        lambda question: [f"actual = tokenizer.encode(text, bos={question.add_special}, eos=False)"],
        lambda skip: ["actual = tokenizer.decode(ids, special_token_policy=SpecialTokenPolicy."
                      f"{'IGNORE' if skip else 'KEEP'})"],
    ),
    "tiktoken": Library(
        "tiktoken", "tiktoken", "", _tiktoken, _tiktoken_encode,
        lambda _: ["actual = encoding.decode_bytes(ids)"], gives_bytes=True,
    ),
}  # fmt: skip
"""By engine. tiktoken has no usual name of a file, for a file of another name holds too little."""
