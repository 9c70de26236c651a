"""What a class of transformers adds to a tokenizer.json is known: Whisper, CLIP and Gemma, on files made here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer as Library
from tokenizers import decoders, normalizers, pre_tokenizers
from tokenizers.models import BPE, Unigram
from tokenizers.processors import TemplateProcessing

from tokparity import formats, quirks
from tokparity.cli import main
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.process.client import Client
from tokparity.quirks.toys import LONG_SCORES
from tokparity.reference.tokenizer import Tokenizer

CASES = {
    "WhisperTokenizer": ("whisper", "", "removes_timestamps_when_decoding", "a <|1.1|> b<|22.05|>"),
    "CLIPTokenizer": ("clip", "</w>", "decodes_word_suffix_as_space", "ab b a"),
}


def _folder(path: Path, name: str, kind: str, suffix: str) -> Path:
    """A byte-level BPE of the class."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    ends = ["<|startoftranscript|>", "<|notimestamps|>", "<|endoftext|>"]
    pieces = [*alphabet, *(f"{one}{suffix}" for one in alphabet if suffix), "ab", *ends]
    model = BPE(
        {piece: i for i, piece in enumerate(pieces)}, [("a", "b")], **({"end_of_word_suffix": suffix} if suffix else {})
    )
    library = Library(model)
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    library.add_special_tokens(ends)
    if kind == "whisper":  # as the class puts its own in place of the file's
        around = [*ends[:2], "$A", ends[2]]
        library.post_processor = TemplateProcessing(
            single=" ".join(around), special_tokens=[(one, library.token_to_id(one)) for one in ends]
        )
    library.save(str(path / "tokenizer.json"))
    (path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name}))
    (path / "config.json").write_text(json.dumps({"model_type": kind}))
    return path


@pytest.mark.parametrize("name", CASES)
def test_what_the_class_adds_to_decoding_is_one_quirk(name: str, tmp_path: Path) -> None:
    """Decoded by the class as by the reference with the quirk; the file by itself says otherwise."""
    kind, suffix, quirk, text = CASES[name]
    folder = _folder(tmp_path, name, kind, suffix)
    source = formats.read(folder / "tokenizer.json")
    reference = Tokenizer(source.vocabulary, source.behaviour)
    ids = reference.encode(text.encode(), False, False)
    with Client("transformers", str(folder)) as client:
        decoded = client.decode(Ids.from_list([ids]), True).decoded.to_list()
    flipped = reference.with_behaviour(quirks.get(quirk).flip(source.behaviour))
    assert [flipped.decode(ids, True)] == decoded
    assert [reference.decode(ids, True)] != decoded


@pytest.mark.nightly
def test_a_stream_of_whisper_that_fails_at_a_line_end_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """TextStreamer gives the class a number there; all that is wrong of the class and its streams is known."""
    folder = _folder(tmp_path, "WhisperTokenizer", "whisper", "")
    words = ["--engine", "transformers", "--ask", "encode,stream", "--cases", "100", "--out", str(tmp_path / "out")]
    assert 0 == main(["check", str(folder), "-v", *words])
    said = capsys.readouterr().out
    assert "transformers-stream_raises_at_line_end (known" in said
    assert "TypeError: 'int' object is not subscriptable" in said


def test_a_tie_within_one_unit_in_the_last_place_is_no_fault_of_the_scores(tmp_path: Path) -> None:
    """T5Tokenizer holds the file's scores, `tokenizers` reads them one unit off: only that explains its ids."""
    library = Library(Unigram([("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *LONG_SCORES.items(), ("▁", -2.0)], 2))
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    library.save(str(tmp_path / "tokenizer.json"))
    written = json.dumps({"tokenizer_class": "T5Tokenizer", "unk_token": "<unk>", "extra_ids": 0})
    (tmp_path / "tokenizer_config.json").write_text(written)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "t5"}))
    source = formats.read(tmp_path / "tokenizer.json")
    reference = Tokenizer(source.vocabulary, source.behaviour)
    with Client("transformers", str(tmp_path)) as client:
        given = client.encode(Texts.from_list([b"-------"]), False, False).ids.to_list()
    exact = reference.with_behaviour(quirks.get("reads_scores_exactly").flip(source.behaviour))
    assert [exact.encode(b"-------", False, False)] == given
    assert [reference.encode(b"-------", False, False)] != given


def test_gemma_makes_mask_special(tmp_path: Path) -> None:
    """GemmaTokenizer cuts <mask> where special tokens are not parsed, and leaves it out where they are not shown."""
    pieces = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", "<", "m", "a", "s", "k", ">", "▁"]
    library = Library(BPE({piece: i for i, piece in enumerate(pieces)}, [], unk_token="<unk>", fuse_unk=True))
    library.normalizer = normalizers.Replace(" ", "▁")
    library.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    library.add_special_tokens(["<pad>", "<eos>", "<bos>", "<unk>"])
    library.add_tokens(["<mask>"])
    library.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "GemmaTokenizer"}))
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gemma3"}))
    source = formats.read(tmp_path / "tokenizer.json")
    right = Tokenizer(source.vocabulary, source.behaviour)
    flips = [quirks.get(name) for name in ("matches_mask_as_special", "hides_mask_when_decoding")]
    wrong = Tokenizer(source.vocabulary, quirks.flip_all(flips, source.behaviour))
    with Client("transformers", str(tmp_path)) as client:
        given = client.encode(Texts.from_list([b"a<mask>s"]), False, False).ids.to_list()
        decoded = client.decode(Ids.from_list([[7, 4, 8]]), True).decoded.to_list()
    assert [wrong.encode(b"a<mask>s", False, False)] == given
    assert [right.encode(b"a<mask>s", False, False)] != given
    assert [wrong.decode([7, 4, 8], skip_special=True)] == decoded
    assert [right.decode([7, 4, 8], skip_special=True)] != decoded
