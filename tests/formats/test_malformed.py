"""Every kind of malformed file is refused on one line that names the file, the place and the value."""

from __future__ import annotations

import base64
import json
import struct
from array import array
from pathlib import Path
from typing import Any

import pytest
from sentencepiece import sentencepiece_model_pb2

from tests.formats import gguf_bytes
from tokparity import formats
from tokparity.errors import FormatError
from tokparity.models.record import EMBEDDED

TOKENS = ["<unk>", "a", "b"]
WORDS: dict[str, Any] = {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}
UNIGRAM: dict[str, Any] = {"type": "Unigram", "vocab": [["<unk>", 0.0], ["a", -1.0]], "unk_id": 0}
TEXT: dict[str, Any] = {"Sequence": {"id": "A", "type_id": 0}}
TOKEN: dict[str, Any] = {"SpecialToken": {"id": "x", "type_id": 0}}
NESTED: dict[str, Any] = {"type": "NFC"}
for _ in range(40):
    NESTED = {"type": "Sequence", "normalizers": [NESTED]}


def refused(path: Path, problem: str) -> None:
    """Reading gives an error on one line, not a long one, with the path and the problem in it."""
    with pytest.raises(FormatError, match=problem) as caught:
        formats.read(path)
    assert str(caught.value).startswith(str(path))
    assert 1 == len(str(caught.value).splitlines())
    assert len(str(caught.value)) < len(str(path)) + 500


def _model(path: Path, change: Any) -> Path:
    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString((EMBEDDED / "small-unigram.model").read_bytes())
    change(model)
    path.write_bytes(model.SerializeToString())
    return path


def test_a_sentencepiece_piece_that_is_no_utf8(tmp_path: Path) -> None:
    """The protobuf library lets it pass."""
    data = _model(tmp_path / "m.model", lambda model: setattr(model.pieces[9], "piece", "@@@@@@")).read_bytes()
    (tmp_path / "m.model").write_bytes(data.replace(b"@@@@@@", b"\xff\x1b\n@@@"))
    refused(tmp_path / "m.model", r"piece 9 is b'\\xff\\x1b\\n@@@', which is not UTF-8")
    data = _model(tmp_path / "m.model", lambda model: setattr(model.trainer_spec, "bos_piece", "@@@@@@")).read_bytes()
    (tmp_path / "m.model").write_bytes(data.replace(b"@@@@@@", b"\xff@@@@@"))
    refused(tmp_path / "m.model", r"bos_piece is b'\\xff@@@@@', which is not UTF-8")


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -3.4e38], ids=str)
def test_scores_without_end(tmp_path: Path, score: float) -> None:
    """A sum of them would be no number: in a SentencePiece model, a GGUF, a tokenizer.json."""
    refused(
        _model(tmp_path / "m.model", lambda model: setattr(model.pieces[9], "score", score)), "the score of piece 9 is"
    )
    fields = {
        "tokenizer.ggml.model": struct.pack("<I", gguf_bytes.STRING) + gguf_bytes.string("t5"),
        "tokenizer.ggml.tokens": gguf_bytes.strings(TOKENS),
        "tokenizer.ggml.scores": struct.pack("<IIQ", 9, 6, 3) + array("f", [0.0, score, 0.0]).tobytes(),
    }
    (tmp_path / "m.gguf").write_bytes(gguf_bytes.file(fields))
    refused(tmp_path / "m.gguf", r"tokenizer\.ggml\.scores: the score of piece 1 is")
    model = {**UNIGRAM, "vocab": [["<unk>", 0.0], ["a", score]]}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"truncation": None, "model": model}))
    refused(tmp_path / "tokenizer.json", "NaN is not a number|Infinity is not a number|the score of piece 1 is -3.4e")


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("scores", gguf_bytes.strings(["1", "2", "3"]), r"scores holds b'1', not numbers"),
        ("token_type", gguf_bytes.strings(["1", "2", "3"]), r"token_type holds b'1', not numbers"),
        ("token_type", struct.pack("<IIQ", 9, 6, 3) + array("f", [1.0, float("nan"), 1.0]).tobytes(), "is not a type"),
        ("scores", struct.pack("<IIQ", 9, 9, 3) + struct.pack("<IQ", 4, 0) * 3, "not numbers"),
        ("bos_token_id", struct.pack("<IB", 7, 1), "bos_token_id is a bool"),
        ("precompiled_charsmap", struct.pack("<IIQ", 9, 0, 5) + b"\4\0\0\0x", "charsmap of 5 bytes says"),
    ],
)
def test_gguf_values_of_another_type(tmp_path: Path, key: str, value: bytes, problem: str) -> None:
    """Each key is read as the type that it must have."""
    fields = {
        "tokenizer.ggml.model": struct.pack("<I", gguf_bytes.STRING) + gguf_bytes.string("t5"),
        "tokenizer.ggml.tokens": gguf_bytes.strings(TOKENS),
        "tokenizer.ggml.scores": struct.pack("<IIQ", 9, 6, 3) + array("f", [0.0, -1.0, -2.0]).tobytes(),
    }
    (tmp_path / "m.gguf").write_bytes(gguf_bytes.file(fields | {f"tokenizer.ggml.{key}": value}))
    refused(tmp_path / "m.gguf", problem)


def test_names_with_escapes_do_not_reach_the_message(tmp_path: Path) -> None:
    """A key can hold what a terminal obeys, and line ends."""
    (tmp_path / "m.gguf").write_bytes(gguf_bytes.file({"\x1b[2J\nx": struct.pack("<I", 99)}))
    refused(tmp_path / "m.gguf", r"type of \\x1b\[2J\\nx. is 99")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"model": {**UNIGRAM, "vocab": [["a", 10**400]]}}, r"the score of piece 0 is 1000"),
        ({"model": {**UNIGRAM, "vocab": [["a", True]]}}, r"model\.vocab\[0\] has the score True"),
        ({"model": {**WORDS, "vocab": {"a": True}}}, r"model\.vocab\['a'\] is True, not an id"),
        ({"model": {**WORDS, "vocab": {"a": -1}}}, r"model\.vocab\['a'\] is -1, not an id"),
        ({"model": {**WORDS, "vocab": {"a": 1 << 21}}}, "vocab has ids up to 2097152 for 1 piece"),
        (
            {"model": WORDS, "added_tokens": [{"id": -5, "content": "x"}]},
            r"added_tokens\[0\]\.id is -5, which is not an id",
        ),
        (
            {"model": WORDS, "added_tokens": [{"id": 1 << 40, "content": "x"}]},
            "id is 1099511627776, which is not an id",
        ),
        ({"model": WORDS, "pre_tokenizer": {"type": "FixedLength", "length": 1 << 99}}, "more than 64 bits hold"),
        ({"model": WORDS, "added_tokens": [{"id": 2, "content": "\ud800"}]}, r"added_tokens\[0\]\.content is '.ud800'"),
        ({"model": {**WORDS, "vocab": {"\udfff": 0}}}, r"model\.vocab\.key is '.udfff', half of a surrogate pair"),
        ({"model": WORDS, "normalizer": NESTED}, "is nested more than 16 deep"),
        ({"model": WORDS, "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}] * 65}}, "65 stages"),
        ({"model": WORDS, "normalizer": {"type": "Prepend", "prepend": "a" * 1025}}, r"prepend has 1025 characters"),
        *(
            (
                {"model": WORDS, part: {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * (1 << 20)}},
                rf"{part}\.content has 1048576 characters, at most 1024",
            )
            for part in ("normalizer", "decoder")
        ),
        ({"model": WORDS, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "é"}}, "is not base64"),
        ({"model": WORDS, "normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}}, "is damaged"),
        ({"model": WORDS, "pre_tokenizer": {"type": "Delimiter", "delimiter": "ab"}}, "'ab', not one character"),
        ({"model": WORDS, "pre_tokenizer": {"type": "FixedLength", "length": 0}}, "length is 0, not at least 1"),
        ({"model": WORDS, "decoder": {"type": "Strip", "start": -1}}, "start is -1, not at least 0"),
        (
            {
                "model": WORDS,
                "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\p{L"}, "behavior": "Isolated"},
            },
            r"pre_tokenizer\.pattern\.Regex: regular expression .* has a property without an end",
        ),
        ({"model": WORDS, "post_processor": {"type": "BertProcessing", "sep": ["a", -1], "cls": ["a", 0]}}, r"sep is"),
        (
            {"model": WORDS, "post_processor": {"type": "BertProcessing", "sep": ["a", 2], "cls": ["a", 0]}},
            "adds the id 2, but ids end at 1",
        ),
        *(
            (
                {
                    "model": WORDS,
                    "post_processor": {
                        "type": "TemplateProcessing",
                        "single": [TOKEN] * times + [TEXT],
                        "special_tokens": {"x": {"ids": ids}},
                    },
                },
                problem,
            )
            for times, ids, problem in (
                (1, [1 << 60], r"special_tokens gives the ids \[1152921504606846976\]"),
                (1, [True], r"special_tokens gives the ids \[True\]"),
                (1, [0] * 5000, "special_tokens gives the ids"),
                (5000, [0] * 1000, "has more than 1024 ids"),
            )
        ),
    ],
)
def test_malformed_tokenizer_json(tmp_path: Path, data: dict[str, Any], problem: str) -> None:
    """Field and value are named."""
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"truncation": None, **data}))
    refused(path, problem)


@pytest.mark.parametrize("raw", ["[" * 100_000, '{"a":' * 100_000, "1" * 5000, "1e999x", "\udcff"], ids=lambda r: r[:3])
def test_json_that_is_none(tmp_path: Path, raw: str) -> None:
    """Too deep, too many digits, no UTF-8."""
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b'{"truncation": ' + raw.encode("utf-8", "surrogateescape"))
    refused(path, "not JSON")


def test_a_unigram_model_of_added_tokens_alone(tmp_path: Path) -> None:
    """It has no scores, and yet is one."""
    path = tmp_path / "tokenizer.json"
    added = {"id": 0, "content": "x"}
    path.write_text(
        json.dumps({"truncation": None, "model": {"type": "Unigram", "vocab": []}, "added_tokens": [added]})
    )
    assert (0.0,) == formats.read(path).vocabulary.scores


RANKS = [f"{base64.b64encode(bytes((byte,))).decode()} {byte}" for byte in range(256)]


@pytest.mark.parametrize(
    ("last", "beside", "problem"),
    [
        ("YWI= " + "9" * 5000, {}, r"line 257 is b'YWI= 999"),
        ("YWI= 256", {"special_tokens": {"<x>": -1}}, r"special_tokens\['<x>'\] is -1, which is not an id"),
        ("YWI= 256", {"special_tokens": {"<x>": 1 << 60}}, "which is not an id"),
        ("YWI= 256", {"special_tokens": {"<x>": True}}, "is True, which is not an id"),
        ("YWI= 256", {"special_tokens": {"\ud800": 300}}, "half of a surrogate pair"),
        ("YWI= 256", {"pattern": "(?R)"}, "pattern is none: regular expression"),
        ("YWI= 256", {"pattern": "a" * 70_000}, "pattern is none: regular expression of 70000"),
    ],
)
def test_malformed_tiktoken(tmp_path: Path, last: str, beside: dict[str, Any], problem: str) -> None:
    """Ranks, special tokens and pattern."""
    path = tmp_path / "m.tiktoken"
    path.write_text("\n".join([*RANKS, last]))
    path.with_name("m.tiktoken.json").write_text(json.dumps({"pattern": ".", **beside}))
    refused(path, problem)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"rank": 256, "token_bytes": "é"}, r"vocab\[256\] is \{'rank': 256, 'token_bytes': 'é'\}"),
        ({"rank": True, "token_bytes": "YWI="}, r"vocab\[256\]\.rank is True"),
        ({"rank": 256, "token_bytes": [[[[]]]]}, r"vocab\[256\] is"),
    ],
)
def test_malformed_tekken(tmp_path: Path, entry: dict[str, Any], problem: str) -> None:
    """Bytes that are not even ASCII."""
    vocab = [{"rank": i, "token_bytes": base64.b64encode(bytes((i,))).decode()} for i in range(256)]
    config = {"pattern": ".", "default_vocab_size": 258, "default_num_special_tokens": 1}
    special = [{"rank": 0, "token_str": "<unk>"}]
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps({"config": config, "special_tokens": special, "vocab": [*vocab, entry]}))
    refused(path, problem)


def test_a_charsmap_that_spells_without_end(tmp_path: Path) -> None:
    """Branches that share what is below them: each of 256 bytes doubles the number of keys."""
    # Unit 0 leads to units 0x100 ^ label; both of them lead back to the same place.
    units = array("I", [0x100 << 10] + [0] * 0x1FF)
    for label in (1, 2):
        units[0x100 ^ label] = label | (label << 10)
    blob = len(units * 4).to_bytes(4, "little") + units.tobytes() + b"\0"
    blob = (len(units) * 4).to_bytes(4, "little") + units.tobytes() + b"\0"
    path = _model(tmp_path / "m.model", lambda model: setattr(model.normalizer_spec, "precompiled_charsmap", blob))
    refused(path, "precompiled charsmap has")


def test_a_number_of_thousands_of_digits(tmp_path: Path) -> None:
    """Python's own error names a setting of Python's."""
    (tmp_path / "tokenizer.json").write_text('{"model": ' + "9" * 5000 + "}", encoding="utf-8")
    refused(tmp_path / "tokenizer.json", "not JSON: a number has thousands of digits; ")
