"""How the libraries of the engines from wheels are called; xllamacpp has no function for a vocabulary alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokparity.finding import Mismatch
from tokparity.questions import Encode
from tokparity.report.render.library import Library, always, ends


def _kitoken(file: str, mismatch: Mismatch) -> Sequence[str]:
    reader = "from_sentencepiece_file" if file.endswith(".model") else "from_tokenizers_file"
    return ("from kitoken import Kitoken", "", f"tokenizer = Kitoken.{reader}(FILE)")


def _gigatoken(file: str, mismatch: Mismatch) -> Sequence[str]:
    opened = "Tokenizer.from_sentencepiece(FILE)" if file.endswith(".model") else "Tokenizer(FILE)"
    return ("from gigatoken import Tokenizer", "", f"tokenizer = {opened}")


def _fastokens(question: Encode) -> list[str]:
    flags = f"add_special_tokens={question.add_special}, split_special_tokens={not question.parse_special}"
    return [f"actual = tokenizer.encode(text, {flags}).ids"]


def _onnxruntime(question: Encode) -> list[str]:
    return [f'actual = Tokenizer(FOLDER, {{"add_special_tokens": {question.add_special}}}).tokenize([text])[0]']


def _openvino(asked: str) -> list[str]:
    """The graphs for one question: they are made anew for other options."""
    return [f"graphs = convert_tokenizer(source, with_detokenizer=True, {asked})"]


def _openvino_encode(question: Encode) -> list[str]:
    run = 'actual = Core().compile_model(graphs[0], "CPU")([text])["input_ids"].tolist()[0]'
    return [*_openvino(f"add_special_tokens={question.add_special}"), run]


def _openvino_decode(skip_special: bool) -> list[str]:
    run = 'actual = str(Core().compile_model(graphs[1], "CPU")([[ids]])["string_output"][0]) if ids else ""'
    return [*_openvino(f"skip_special_tokens={skip_special}"), run]


def _with_flag(question: Encode) -> list[str]:
    return [f"actual = tokenizer.encode(text, add_special_tokens={question.add_special}).ids"]


def _decode(skip_special: bool) -> list[str]:
    return [f"actual = tokenizer.decode(ids, skip_special_tokens={skip_special})"]


_JSON = "tokenizer.json"

WHEEL_LIBRARIES: Mapping[str, Library] = {
    "bpe-qwen": Library(
        "bpe-qwen", _JSON, _JSON,
        always("import json", "from pathlib import Path", "from bpe_qwen import QwenTokenizer", "",
               'model = json.load(open(FILE))["model"]',
               'Path("vocab.json").write_text(json.dumps(model["vocab"]))',
               'Path("merges.txt").write_text("\\n".join(["#version: 0.2", *map(" ".join, model["merges"])]))',
               'tokenizer = QwenTokenizer(".")'),
        lambda question: [f"actual = tokenizer.encode(text){ends(question)}"],
        lambda _: ["actual = tokenizer.decode(ids)"],
    ),
    "fastokens": Library(
        "fastokens", _JSON, _JSON,
        always("from fastokens import Tokenizer", "", "tokenizer = Tokenizer.from_file(FILE)",
               "tokenizer.no_truncation()", "tokenizer.no_padding()"),
        _fastokens, _decode,
    ),
    "gigatoken": Library(
        "gigatoken", _JSON, _JSON, _gigatoken,
        lambda question: [f"actual = tokenizer.encode_batch_list([text], parallel=False)[0]{ends(question)}"],
        lambda _: ["actual = bytes(tokenizer.decode(ids))"], gives_bytes=True,
    ),
    "iree-tokenizer": Library(
        "iree-tokenizer", _JSON, _JSON,
        always("from iree.tokenizer import Tokenizer", "", "tokenizer = Tokenizer.from_file(FILE)"),
        lambda question: [f"actual = tokenizer.encode(text, add_special_tokens={question.add_special})"], _decode,
    ),
    "kitoken": Library(
        "kitoken", _JSON, _JSON, _kitoken,
        lambda question: [f"actual = tokenizer.encode(text, {question.parse_special}){ends(question)}"],
        lambda skip: [f"actual = bytes(tokenizer.decode(ids, {not skip}))"], gives_bytes=True,
    ),
    "morpheme": Library(
        "morpheme", _JSON, _JSON,
        always("from morpheme import Tokenizer", "", "tokenizer = Tokenizer.from_file(FILE)"), _with_flag, _decode,
    ),
    "onnxruntime-extensions": Library(
        "onnxruntime-extensions", "directory", "./model",
        always("from onnxruntime_extensions.pp_api import Tokenizer", "", "FOLDER = FILE"), _onnxruntime,
        lambda skip: [f'tokenizer = Tokenizer(FOLDER, {{"skip_special_tokens": {skip}}})',
                      'actual = tokenizer.detokenize(ids)[0] if ids else ""'],
    ),
    "openvino-tokenizers": Library(
        "openvino-tokenizers", _JSON, _JSON,
        always("from openvino import Core", "from openvino_tokenizers import convert_tokenizer",
               "from transformers import PreTrainedTokenizerFast", "",
               "source = PreTrainedTokenizerFast(tokenizer_file=FILE)"),
        _openvino_encode, _openvino_decode,
    ),
    "pytorch-tokenizers": Library(
        "pytorch-tokenizers", _JSON, _JSON,
        always("from pytorch_tokenizers import CppHFTokenizer", "", "tokenizer = CppHFTokenizer()",
               "tokenizer.load(FILE)"),
        lambda question: [f"actual = tokenizer.encode(text, 0, 0){ends(question)}"],
        lambda skip: [f'actual = tokenizer.decode_batch(ids, {skip}) if ids else ""'],
    ),
    "splintr-rs": Library(
        "splintr-rs", _JSON, _JSON, always("import splintr", "", "tokenizer = splintr.from_json(FILE)"),
        lambda question: [f"actual = tokenizer.{'encode' if question.add_special else 'encode_raw'}(text)"],
        lambda _: ["actual = tokenizer.decode(ids)"],
    ),
    "tokie": Library(
        "tokie", _JSON, _JSON,
        always("from tokie import Tokenizer", "", "tokenizer = Tokenizer.from_json(FILE)",
               "tokenizer.no_truncation()", "tokenizer.no_padding()"),
        _with_flag, lambda _: ["actual = bytes(tokenizer.decode_bytes(ids))"], gives_bytes=True,
    ),
}  # fmt: skip
"""By engine."""
