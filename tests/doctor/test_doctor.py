"""doctor: faults put into copies of real GGUFs are found, repaired, and gone afterwards."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from tests.rings import nightly_but
from tokparity import cli, formats, models
from tokparity.doctor import changes, examine, sayable
from tokparity.doctor.weighing import EFFECTS
from tokparity.errors import FormatError, UsageError
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite, tensor_hash
from tokparity.report.model import Header, Report
from tokparity.report.rule import weight
from tokparity.vocabulary import AddedToken, Kind

CASES = 150


def real(name: str) -> Path:
    """The GGUF of a known model; the test is skipped where it has not been pulled."""
    path = models.load(name).sources["gguf"]
    if not path.is_file():
        pytest.skip(f"{name} is not pulled: `tokparity models pull`")
    return path


def value(path: Path, key: str) -> Any:
    """What a GGUF says."""
    return read_metadata(path).get(PREFIX + key)


def user_defined_as_normal(path: Path) -> array[int]:
    """The kinds, with every user-defined piece marked normal."""
    return array("i", [Kind.NORMAL if kind == Kind.USER_DEFINED else kind for kind in value(path, "token_type")])


def zeros(path: Path) -> array[float]:
    """Scores that are all zero."""
    return array("f", bytes(4 * len(value(path, "scores"))))


FAULTS: dict[str, tuple[str, str, Any]] = {
    "add_space_prefix wrong": ("llama-spm", "add_space_prefix", False),
    "pre of another model": ("llama-bpe", "pre", b"gpt-2"),
    "pre missing": ("llama-bpe", "pre", None),
    "user-defined marked normal": ("deepseek-coder", "token_type", user_defined_as_normal),
    "charsmap removed": ("nomic-bert-moe", "precompiled_charsmap", None),
    "add_bos flipped": ("llama-spm", "add_bos_token", False),
    "scores zeroed": ("llama-spm", "scores", zeros),
}


@pytest.mark.parametrize("fault", nightly_but(["add_space_prefix wrong"], FAULTS))
def test_a_fault_in_a_real_file_is_repaired(fault: str, tmp_path: Path) -> None:
    """Exactly that key is proposed; the file repaired is like the untouched one on every text."""
    name, key, wrong = FAULTS[fault]
    path, sick, fixed = real(name), tmp_path / "sick.gguf", tmp_path / "fixed.gguf"
    rewrite(path, {PREFIX + key: wrong(path) if callable(wrong) else wrong}, sick)
    untouched, before = formats.read(path), sick.read_bytes()
    (ill,) = examine(sick, untouched, name, ("reference",), CASES)
    assert 1 <= len(ill.mismatches) <= ill.cases
    proposed = changes(sick, untouched)
    assert [PREFIX + key] == [change.key for change in proposed]
    rewrite(sick, {change.key: change.after for change in proposed}, fixed)
    (well,) = examine(fixed, untouched, name, ("reference",), CASES, sick)
    assert (ill.cases, ()) == (well.cases, well.mismatches)
    assert before == sick.read_bytes()


def sick_spm(tmp_path: Path) -> tuple[Path, Path]:
    """Our small model as a GGUF with tensors and two faults, and the file it was made from."""
    source = tmp_path / "tokenizer.model"
    source.write_bytes(models.load("small-spm").sources["sentencepiece"].read_bytes())
    (tmp_path / "tokenizer_config.json").write_text('{"add_bos_token": true, "add_eos_token": false}')
    formats.write(formats.read(source), "gguf", tmp_path / "vocabulary.gguf")
    path = tmp_path / "sick.gguf"
    reader, writer = gguf.GGUFReader(tmp_path / "vocabulary.gguf"), gguf.GGUFWriter(tmp_path / "tensors.gguf", "llama")
    assert len(formats.read(source).vocabulary) == len(reader.fields[PREFIX + "tokens"].data)
    writer.add_tensor("token_embd.weight", np.arange(2800 * 4, dtype=np.float32).reshape(2800, 4))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    keys = {key: f.value for key, f in read_metadata(tmp_path / "vocabulary.gguf").fields.items()}
    wrong = {PREFIX + "add_space_prefix": False, PREFIX + "add_bos_token": False}
    new = {key: value for key, value in (keys | wrong).items() if key.startswith(PREFIX)}
    rewrite(tmp_path / "tensors.gguf", new, path)  # type: ignore[arg-type]
    return path, source


def test_the_command_repairs_and_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before, each key with its values and a text that shows it, after: with the reference and with llama.cpp."""
    sick, source = sick_spm(tmp_path)
    digest = hashlib.sha256(sick.read_bytes()).hexdigest()
    assert 0 == cli.main(["doctor", str(sick), "--against", str(source), "--write", str(tmp_path / "fixed.gguf")])
    out = capsys.readouterr().out
    assert "before: llama.cpp gives other ids" in out
    assert 'change tokenizer.ggml.add_space_prefix: false -> true (on " " the file gives [1, ' in out
    assert "change tokenizer.ggml.add_bos_token: false -> true (on " in out
    assert "after: reference gives other ids with the GGUF on 0 of" in out
    assert "after: llama.cpp gives other ids with the GGUF on 0 of" in out
    assert tensor_hash(sick) == tensor_hash(tmp_path / "fixed.gguf")
    assert digest == hashlib.sha256(sick.read_bytes()).hexdigest()


def test_without_write_nothing_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The proposal is printed, and the exit says that the file is not right."""
    sick, source = sick_spm(tmp_path)
    there = sorted(tmp_path.iterdir())
    assert 1 == cli.main(["doctor", str(sick), "--against", str(source)])
    assert "change tokenizer.ggml.add_bos_token" in capsys.readouterr().out
    assert there == sorted(tmp_path.iterdir())


def test_a_healthy_file_needs_nothing(tmp_path: Path) -> None:
    """No change is proposed for our own export."""
    source = formats.read(models.load("small-spm").sources["sentencepiece"])
    formats.write(source, "gguf", tmp_path / "model.gguf")
    assert [] == changes(tmp_path / "model.gguf", source)


@pytest.mark.parametrize(("value", "wrong"), [(99999, True), (2**32 - 1, False)])
def test_a_special_id_without_a_piece_is_a_fault(tmp_path: Path, value: int, wrong: bool) -> None:
    """Also where it reads as if the key were absent; -1, read without a sign, is how "no such token" is written."""
    source = formats.read(models.load("small-spm").sources["sentencepiece"])
    formats.write(source, "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {PREFIX + "mask_token_id": value}, tmp_path / "model.gguf")
    found = changes(tmp_path / "model.gguf", source)
    assert [change.describe() for change in found] == [
        f"{PREFIX}mask_token_id: {value} -> absent ({EFFECTS['no piece']})"
    ] * wrong


def test_a_special_id_without_a_piece_is_a_fault_beside_the_default(tmp_path: Path) -> None:
    """llama.cpp takes 2 for the end where the key names no piece; other programs do not."""
    source = formats.read(models.load("small-spm").sources["sentencepiece"])
    formats.write(source, "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {PREFIX + "eos_token_id": 99999}, tmp_path / "model.gguf")
    assert [change.describe() for change in changes(tmp_path / "model.gguf", source)] == [
        f"{PREFIX}eos_token_id: 99999 -> 2 ({EFFECTS['no piece']})"
    ]


def test_a_file_that_is_refused_is_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown pre-tokenizer: no engine reads it, the reason is told, and the repaired file is right."""
    source = models.load("small-bpe").sources["tokenizer.json"]
    formats.write(formats.read(source), "gguf", tmp_path / "model.gguf")
    rewrite(tmp_path / "model.gguf", {PREFIX + "pre": b"no-such-splitter"}, tmp_path / "sick.gguf")
    words = ["doctor", str(tmp_path / "sick.gguf"), "--against", str(source), "--write", str(tmp_path / "fixed.gguf")]
    assert 0 == cli.main(words)
    out = capsys.readouterr().out
    assert "before: reference does not open the file: " in out
    assert "unknown pre-tokenizer 'no-such-splitter'" in out
    assert 'change tokenizer.ggml.pre: "no-such-splitter" -> "gpt-2"' in out
    assert "after: llama.cpp gives other ids with the GGUF on 0 of" in out


def test_exchanged_merges_are_shown_on_a_text_where_both_could_be_first(tmp_path: Path) -> None:
    """Random texts seldom have one piece between two that it merges with."""
    source = formats.read(models.load("small-bpe").sources["tokenizer.json"])
    formats.write(source, "gguf", tmp_path / "right.gguf")
    merges, told = list(value(tmp_path / "right.gguf", "merges")), source.vocabulary.merges
    late = [i for i in range(len(told) // 2, len(told) - 1) if told[i][1] == told[i + 1][0] and b" " not in told[i][0]]
    merges[late[0] : late[0] + 2] = merges[late[0] + 1], merges[late[0]]
    rewrite(tmp_path / "right.gguf", {PREFIX + "merges": merges}, tmp_path / "wrong.gguf")
    (change,) = changes(tmp_path / "wrong.gguf", source)
    assert PREFIX + "merges" == change.key
    (one,) = examine(tmp_path / "wrong.gguf", source, "small-bpe", ["reference"], count=0)
    assert b"".join((*told[late[0]], told[late[0] + 1][1])) in {m.case.question.shown for m in one.mismatches}


@pytest.mark.parametrize("key", ["tokens", "scores", "token_type", "merges", "precompiled_charsmap", "model", "pre"])
@pytest.mark.parametrize(
    "wrong", nightly_but([5, [b"a", b"b"]], [5, True, 1.5, b"x", array("i", [1, 2]), [b"a", b"b"]]), ids=str
)
def test_a_key_of_another_type_is_no_internal_error(tmp_path: Path, key: str, wrong: Any) -> None:
    """A number where a list belongs is a fault like any other; only without pieces there is nothing to repair."""
    source = formats.read(models.load("small-spm").sources["sentencepiece"])
    formats.write(source, "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {PREFIX + key: wrong}, tmp_path / "wrong.gguf")
    assert cli.main(["doctor", str(tmp_path / "wrong.gguf"), "--against", str(source.path)]) == (
        2 if key == "tokens" else 0 if key == "pre" and wrong == b"x" else 1
    )


def raw(piece: bytes) -> bytes:
    """A piece of WordPiece as vocab.txt spells it, of how a GGUF does."""
    marked = piece.removeprefix("▁".encode())
    return marked if marked != piece or piece.startswith(b"[") else b"##" + piece


def test_padding_of_the_vocabulary_stays(tmp_path: Path) -> None:
    """A GGUF has a row of its tensors for each entry: entries that only it has are kept."""
    source = formats.read(models.load("small-spm").sources["sentencepiece"])
    formats.write(source, "gguf", tmp_path / "model.gguf")
    padded = {
        PREFIX + "tokens": [*value(tmp_path / "model.gguf", "tokens"), b"[PAD0]", b"[PAD1]"],
        PREFIX + "token_type": array("i", [*value(tmp_path / "model.gguf", "token_type"), 5, 5]),
        PREFIX + "scores": array("f", [*zeros(tmp_path / "model.gguf"), 0.0, 0.0]),
    }
    rewrite(tmp_path / "model.gguf", padded, tmp_path / "padded.gguf")
    (change,) = changes(tmp_path / "padded.gguf", source)
    assert PREFIX + "scores" == change.key
    assert len(source.vocabulary) + 2 == len(change.after)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "spelt"), [("small-spm", lambda p: p.replace("▁".encode(), b" ")), ("bert-bge", raw)])
def test_pieces_whose_marks_are_lost_are_no_other_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, spelt: Callable[[bytes], bytes]
) -> None:
    """Begins of words written as spaces, WordPiece written as vocab.txt has it: a bad conversion of this very model."""
    own, wrong = models.primary_source(models.load(name)), tmp_path / "wrong.gguf"
    if own.format == "gguf":
        cli.main(["convert", name, "--to", "tokenizer.json", "-o", str(tmp_path / "t.json")])
        own = formats.read(tmp_path / "t.json")
    formats.write(own, "gguf", tmp_path / "right.gguf")
    tokens = [spelt(piece) for piece in value(tmp_path / "right.gguf", "tokens")]
    rewrite(tmp_path / "right.gguf", {PREFIX + "tokens": tokens}, wrong)
    assert 1 == cli.main(["doctor", str(wrong), "--against", str(own.path)])
    assert "change tokenizer.ggml.tokens, which differs in" in capsys.readouterr().out


def test_what_a_bare_model_does_not_say_is_no_fault(tmp_path: Path) -> None:
    """An XLNet has the .model of a T5 and other ids around a text: only a tokenizer_config.json says which."""
    (tmp_path / "own.model").write_bytes(models.load("small-unigram").sources["sentencepiece"].read_bytes())
    formats.write(formats.read(tmp_path / "own.model"), "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {PREFIX + "add_eos_token": False}, tmp_path / "wrong.gguf")
    (change,) = changes(tmp_path / "wrong.gguf", formats.read(tmp_path / "own.model"))
    fault = change.fault("m", tmp_path / "wrong.gguf", tmp_path / "own.model")
    assert "unsaid" == weight(fault)
    assert "should be" not in fault.sentence
    assert "own.model does not say it, and llama.cpp obeys the file; add a tokenizer_config.json" in fault.sentence
    (tmp_path / "tokenizer_config.json").write_text('{"add_eos_token": true}')
    (change,) = changes(tmp_path / "wrong.gguf", formats.read(tmp_path / "own.model"))
    assert "wrong" == weight(change.fault("m", tmp_path / "wrong.gguf", tmp_path / "own.model"))
    assert "add_eos_token: false -> true (on " in change.describe()
    (tmp_path / "tokenizer_config.json").write_text('{"add_eos_token": false}')
    assert [] == changes(tmp_path / "wrong.gguf", formats.read(tmp_path / "own.model"))


@pytest.mark.parametrize("key", nightly_but(["add_sep_token"], ["add_bos_token", "add_sep_token", "add_eos_token"]))
def test_what_llama_cpp_does_not_ask_of_a_bert_is_no_fault(tmp_path: Path, key: str) -> None:
    """Its converter writes add_sep_token false where one separator stands behind a text, which it always does."""
    cli.main(["convert", "bert-bge", "--to", "tokenizer.json", "-o", str(tmp_path / "t.json")])
    source = formats.read(tmp_path / "t.json")
    formats.write(source, "gguf", tmp_path / "right.gguf")
    for flag in (False, None):
        rewrite(tmp_path / "right.gguf", {PREFIX + key: flag}, tmp_path / "other.gguf")
        assert [] == changes(tmp_path / "other.gguf", source)
        found = examine(tmp_path / "other.gguf", source, "bert-bge", count=20)
        assert [0, 0] == [len(one.mismatches) for one in found]


def test_bad_input(tmp_path: Path) -> None:
    """Different models (known ones by their names), a GGUF without a tokenizer, the original as the place to write."""
    sick, source = sick_spm(tmp_path)
    other = models.load("small-bpe").sources["tokenizer.json"]
    with pytest.raises(
        UsageError, match="these are two models: the source has the vocabulary of small-bpe, the GGUF has that of sm"
    ):
        main(["doctor", str(sick), "--against", str(other)])
    unknown = tmp_path / "unknown.json"
    unknown.write_text(json.dumps({"model": {"type": "BPE", "vocab": {"q": 0, "z": 1}, "merges": []}}))
    with pytest.raises(UsageError, match=r"different models: .* % of their pieces are common"):
        main(["doctor", str(sick), "--against", str(unknown)])
    with pytest.raises(FormatError, match="there is no tokenizer in it"):
        main(["doctor", str(tmp_path / "tensors.gguf"), "--against", str(source)])
    with pytest.raises(FormatError, match="not a GGUF"):
        main(["doctor", str(source), "--against", str(source)])
    with pytest.raises(UsageError, match="never written to"):
        main(["doctor", str(sick), "--against", str(source), "--write", str(sick)])


def main(words: list[str]) -> None:
    """The command, with its errors as they are raised."""
    from tokparity.cli import execute

    execute(words)


@pytest.mark.nightly
def test_placeholders_spelt_otherwise_are_no_fault(tmp_path: Path) -> None:
    """llama.cpp's converter leaves [unused0] as it is, where our export has a marker before it: no text shows that."""
    own, ours, theirs = tmp_path / "t.json", tmp_path / "ours.gguf", tmp_path / "theirs.gguf"
    cli.main(["convert", "bert-bge", "--to", "tokenizer.json", "-o", str(own)])
    cli.main(["convert", str(own), "--to", "gguf", "-o", str(ours)])
    rewrite(ours, {PREFIX + key: value(real("bert-bge"), key) for key in ("tokens", "token_type")}, theirs)
    assert list(value(ours, "tokens")) != list(value(theirs, "tokens"))
    assert [] == changes(theirs, formats.read(own))
    for key in ("bos_token_id", "add_bos_token", "add_sep_token", "normalizer.lowercase", "normalizer.strip_accents"):
        assert value(ours, key) is not None  # which it leaves out, for they say what llama.cpp does without them
    assert [] == changes(real("bert-bge"), formats.read(own))


def test_a_space_prefix_that_only_decoding_shows_is_a_fault(tmp_path: Path) -> None:
    """llama.cpp obeys the key for every type of model; our reference of a byte-level BPE does not know it."""
    source = models.load("small-bpe").sources["tokenizer.json"]
    assert 0 == cli.main(["convert", "small-bpe", "--to", "gguf", "-o", str(tmp_path / "right.gguf")])
    rewrite(tmp_path / "right.gguf", {PREFIX + "add_space_prefix": True}, tmp_path / "wrong.gguf")
    assert [] == changes(tmp_path / "right.gguf", formats.read(source))
    found = changes(tmp_path / "wrong.gguf", formats.read(source))
    assert [(PREFIX + "add_space_prefix", True, None)] == [(one.key, one.before, one.after) for one in found]


OF_BOTH: list[tuple[str, Any]] = [
    ("add_space_prefix", False),
    ("bos_token_id", 2),
    ("add_bos_token", False),
    ("tokens", lambda tokens: [*tokens[:300], b"misspelt", *tokens[301:]]),
    ("token_type", lambda kinds: array("i", [1 if kind == Kind.BYTE else kind for kind in kinds])),
    ("token_type", lambda kinds: array("i", [1 if kind == Kind.CONTROL else kind for kind in kinds])),
    ("token_type", lambda kinds: array("i", [*kinds[:300], *[Kind.USER_DEFINED] * 20, *kinds[320:]])),
    ("scores", lambda scores: array("f", [-1000.0] * len(scores))),
    ("scores", lambda scores: array("f", [round(score, -2) for score in scores])),
    ("scores", lambda scores: array("f", [*scores[:300], *reversed(scores[300:600]), *scores[600:]])),
]


@pytest.mark.nightly
def test_a_source_that_no_gguf_can_say_names_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A SentencePiece model's tokenizer.json lists merges, its GGUF has scores; other keys mean the same to both."""
    own, good, bad = tmp_path / "tokenizer.json", tmp_path / "good.gguf", tmp_path / "bad.gguf"
    cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(own)])
    assert 0 == cli.main(["convert", "small-spm", "--to", "gguf", "-o", str(good)])
    source = formats.read(own)
    assert [] == sayable(good, source)[0]
    for key, wrong in OF_BOTH:
        rewrite(good, {PREFIX + key: wrong(value(good, key)) if callable(wrong) else wrong}, bad)
        assert [PREFIX + key] == [change.key for change in sayable(bad, source)[0]]
    capsys.readouterr()
    assert 0 == cli.main(["doctor", str(good), "--against", str(own)])
    out = capsys.readouterr().out
    assert "before: reference gives other ids with the GGUF on 0 of" in out
    assert "no key that can be compared is wrong" in out
    assert "not all of the source can be compared key by key: gguf cannot express" in out
    assert "causes the difference in the texts above" not in out
    rewrite(good, {PREFIX + "remove_extra_whitespaces": True}, bad)
    assert 1 == cli.main(["doctor", str(bad), "--against", str(own)])
    assert "change tokenizer.ggml.remove_extra_whitespaces: true -> false" in capsys.readouterr().out
    cli.main(["convert", "small-unigram", "--to", "gguf", "-o", str(tmp_path / "unigram.gguf")])
    charsmap = "precompiled_charsmap"
    rewrite(good, {PREFIX + charsmap: value(tmp_path / "unigram.gguf", charsmap)}, bad)
    assert 1 == cli.main(["doctor", str(bad), "--against", str(own)])
    assert "no key that can be compared causes the difference in the texts above" in capsys.readouterr().out


def test_pieces_that_are_missing_take_a_new_conversion(tmp_path: Path) -> None:
    """A row of the tensors belongs to each: the key is named, and no repair is promised, nor ids of what is missing."""
    from tokparity.doctor import file_faults
    from tokparity.report.verdict import verdict

    own, cut = models.load("small-spm").sources["sentencepiece"], tmp_path / "cut.gguf"
    formats.write(formats.read(own), "gguf", tmp_path / "model.gguf")
    names = ("tokens", "token_type", "scores")
    rewrite(tmp_path / "model.gguf", {PREFIX + key: value(tmp_path / "model.gguf", key)[:-9] for key in names}, cut)
    faults = file_faults([models.from_files(gguf=cut, sentencepiece=own)]).faults
    report = Report(Header("", "", {}, {}, 0, (), ""), (), faults=tuple(faults))
    assert verdict(report).sentence == (
        "Your GGUF is wrong: tokenizer.ggml.tokens has 2,791 entries and needs 2,800, and a row of the tensors "
        'belongs to each; it lacks "ϣ" [2791], "ϩ" [2792], "Ђ" [2793] and 6 more. Convert the model again.'
    )


@pytest.mark.nightly
def test_added_tokens_of_a_fine_tune_that_are_missing_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the source has merges and the file scores, in each command that compares the two."""
    good, own = tmp_path / "good.gguf", tmp_path / "tokenizer.json"
    cli.main(["convert", "small-spm", "--to", "gguf", "-o", str(good)])
    cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(own)])
    said = json.loads(own.read_text())
    for number, content in enumerate(("<|im_start|>", "<|im_end|>"), 2800):
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        said["added_tokens"].append({"id": number, "content": content, "special": True, **flags})
    own.write_text(json.dumps(said))
    capsys.readouterr()
    told = "tokenizer.ggml.tokens has 2,800 entries and needs 2,802"
    lacks = 'it lacks "<|im_start|>" [2800], "<|im_end|>" [2801]'
    for command in (["doctor", good, "--against", own], ["check", "--gguf", good, "--tokenizer-json", own, "--quick"]):
        assert 1 == cli.main([*map(str, command), *(["--out", str(tmp_path / "out")] if "check" in command else [])])
        out = capsys.readouterr().out
        assert told in out
        assert lacks in out
    assert 1 == cli.main(["lint", str(good), str(own)])
    assert '2 missing on the left: "<|im_start|>", "<|im_end|>"' in capsys.readouterr().out


@pytest.mark.parametrize(("changed", "offered"), [(100, True), (700, False)])
def test_doctor_is_offered_only_for_what_it_takes_for_the_same_model(
    tmp_path: Path, changed: int, offered: bool
) -> None:
    """It refuses two files of which a tenth of the pieces are not common."""
    from tokparity.doctor import file_faults

    own, path = models.load("small-spm").sources["sentencepiece"], tmp_path / "model.gguf"
    formats.write(formats.read(own), "gguf", path)
    pieces = value(path, "tokens")
    others = [b"other%d" % i for i in range(changed)]
    rewrite(path, {PREFIX + "tokens": [*pieces[:-changed], *others]}, tmp_path / "other.gguf")
    faults = file_faults([models.from_files(gguf=tmp_path / "other.gguf", sentencepiece=own)]).faults
    assert {PREFIX + "tokens": offered} == {fault.key: fault.by_doctor for fault in faults}


@pytest.mark.nightly
def test_pre_is_proposed_as_converters_write_it(tmp_path: Path) -> None:
    """llama.cpp knows Llama 3's pre-tokenizer by many names; convert_hf_to_gguf writes llama-bpe."""
    own, sick = tmp_path / "tokenizer.json", tmp_path / "sick.gguf"
    cli.main(["convert", "llama-bpe", "--to", "tokenizer.json", "-o", str(own)])
    rewrite(real("llama-bpe"), {PREFIX + "pre": b"dbrx"}, sick)
    assert [('"dbrx"', '"llama-bpe"')] == [change.shown for change in changes(sick, formats.read(own))]


@pytest.mark.parametrize(("model", "pre"), [("gpt-2", b"mpt"), ("mpt", b"gpt-2")])
def test_names_of_pre_that_are_one_to_llama_cpp_are_no_fault(model: str, pre: bytes, tmp_path: Path) -> None:
    """That MPT's texts are normalized to NFC is said by no key: GPT-2's name for the same words is right."""
    source, renamed = formats.read(real(model)), tmp_path / "renamed.gguf"
    rewrite(source.path, {PREFIX + "pre": pre}, renamed)
    own = tmp_path / "tokenizer.json"
    formats.write(source, "tokenizer.json", own)
    source = formats.read(own)
    assert [] == changes(renamed, source)
    if model == "gpt-2":
        assert [0, 0] == [len(one.mismatches) for one in examine(renamed, source, model, count=CASES)]


def test_nothing_is_written_that_is_not_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where pieces are missing, whoever asked for a repaired file is told that there can be none."""
    own, cut = models.load("small-spm").sources["sentencepiece"], tmp_path / "cut.gguf"
    formats.write(formats.read(own), "gguf", tmp_path / "model.gguf")
    names = ("tokens", "token_type", "scores")
    rewrite(tmp_path / "model.gguf", {PREFIX + key: value(tmp_path / "model.gguf", key)[:-9] for key in names}, cut)
    assert 1 == cli.main(["doctor", str(cut), "--against", str(own), "--write", str(tmp_path / "fixed.gguf")])
    assert "fixed.gguf is not written: no change of keys makes the file right; convert" in capsys.readouterr().out
    assert not (tmp_path / "fixed.gguf").exists()


def test_no_copy_is_written_where_no_key_can_be_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A copy that is as wrong as the file would be taken for the repaired one."""
    given = models.load("small-bpe").sources["tokenizer.json"]
    formats.write(formats.read(given), "gguf", tmp_path / "model.gguf")
    own = tmp_path / "tokenizer.json"
    own.write_text(json.dumps(json.loads(given.read_text()) | {"normalizer": {"type": "NFKC"}}))
    words = ["doctor", str(tmp_path / "model.gguf"), "--against", str(own), "--write", str(tmp_path / "fixed.gguf")]
    assert 1 == cli.main(words)
    assert "fixed.gguf is not written: no change of keys makes the file right" in capsys.readouterr().out
    assert not (tmp_path / "fixed.gguf").exists()


def test_added_tokens_that_no_text_finds_are_a_fault(tmp_path: Path) -> None:
    """Placeholders of a converter stand where the source has tokens: their kinds are wrong as well as their texts."""
    own, good, bad = tmp_path / "tokenizer.json", tmp_path / "good.gguf", tmp_path / "bad.gguf"
    right = formats.read(models.load("small-spm").sources["sentencepiece"])
    last = len(right.vocabulary) - 1
    added = (*right.vocabulary.added, AddedToken(last, "<|user|>"))
    vocabulary = replace(
        right.vocabulary,
        pieces=(*right.vocabulary.pieces[:-1], b"<|user|>"),
        kinds=(*right.vocabulary.kinds[:-1], Kind.CONTROL),
        added=added,
    )
    changed = replace(right, vocabulary=vocabulary)
    formats.write(changed, "tokenizer.json", own)
    formats.write(changed, "gguf", good)
    tokens, kinds = list(value(good, "tokens")), array("i", value(good, "token_type"))
    tokens[last], kinds[last] = b"[PAD0]", Kind.UNUSED
    rewrite(good, {PREFIX + "tokens": tokens, PREFIX + "token_type": kinds}, bad)
    source = formats.read(own)
    assert [] == sayable(good, source)[0]
    found = sayable(bad, source)[0]
    assert [PREFIX + "tokens", PREFIX + "token_type"] == [change.key for change in found]
    rewrite(
        bad, {PREFIX + "tokens": tokens, PREFIX + "token_type": value(good, "token_type")}, bad := tmp_path / "half"
    )
    assert [PREFIX + "tokens"] == [change.key for change in sayable(bad, source)[0]]


@pytest.mark.nightly
def test_a_token_that_only_its_own_text_shows_is_seen(tmp_path: Path) -> None:
    """Two special tokens that were exchanged: random texts hold neither."""
    path, sick = real("qwen2"), tmp_path / "sick.gguf"
    tokens = list(value(path, "tokens"))
    ids = [i for i, kind in enumerate(value(path, "token_type")) if kind == Kind.CONTROL][:2]
    tokens[ids[0]], tokens[ids[1]] = tokens[ids[1]], tokens[ids[0]]
    rewrite(path, {PREFIX + "tokens": tokens}, sick)
    (ill,) = examine(sick, formats.read(path), "qwen2", ("reference",), 20)
    assert ill.mismatches


def test_scores_of_a_model_that_has_no_use_for_them_are_no_fault(tmp_path: Path) -> None:
    """Published files of BPE models have them; too few of them are read beyond their end."""
    source = models.load("small-bpe").sources["tokenizer.json"]
    formats.write(formats.read(source), "gguf", tmp_path / "right.gguf")
    size = len(formats.read(source).vocabulary)
    for count, keys in ((size, []), (size - 1, ["scores"])):
        rewrite(tmp_path / "right.gguf", {PREFIX + "scores": array("f", [0.0] * count)}, tmp_path / "scores.gguf")
        found = changes(tmp_path / "scores.gguf", formats.read(source))
        assert keys == [change.key.removeprefix(PREFIX) for change in found]


@pytest.mark.parametrize("name", ["tokenizer_config.json", "special_tokens_map.json"])
@pytest.mark.parametrize("token", ["<|end|>", {"content": "<|end|>"}])
def test_special_ids_are_those_that_files_beside_the_source_name(tmp_path: Path, name: str, token: Any) -> None:
    """A tokenizer.json does not say which token ends a text; an engine that waits for another one never stops."""
    spelled = json.loads(models.load("small-bpe").sources["tokenizer.json"].read_bytes())
    spelled["added_tokens"].append({**spelled["added_tokens"][0], "id": 2800, "content": "<|end|>", "special": True})
    path, sick = tmp_path / "tokenizer.json", tmp_path / "sick.gguf"
    path.write_text(json.dumps(spelled))
    source = formats.read(path)
    formats.write(source, "gguf", tmp_path / "right.gguf")
    rewrite(tmp_path / "right.gguf", {PREFIX + "eos_token_id": 5, PREFIX + "padding_token_id": 6}, sick)
    assert [] == [change for change in changes(sick, source) if change.key != PREFIX + "eos_token_id"]
    (tmp_path / name).write_text(json.dumps({"eos_token": token, "pad_token": token, "mask_token": token}))
    found = {change.key.removeprefix(PREFIX): change.after for change in changes(sick, source)}
    assert {"eos_token_id": 2800, "padding_token_id": 2800} == found
    rewrite(sick, {PREFIX + key: value for key, value in found.items()}, tmp_path / "fixed.gguf")
    assert [] == changes(tmp_path / "fixed.gguf", source)
