"""What no text and no effect shows is not a fault of a file, and what the source does not say is none either."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tokparity import cli, formats, models
from tokparity.doctor import changes, examine, granted
from tokparity.doctor.change import KeyChange
from tokparity.doctor.weighing import weighed
from tokparity.formats import beside
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite
from tokparity.lint import lint
from tokparity.lint.rivals import rivals
from tokparity.quirks import toys
from tokparity.reference.decode import DecodePieces
from tokparity.reference.tokenizer import Tokenizer
from tokparity.report.rule import weight
from tokparity.vocabulary import Kind


def value(path: Path, key: str) -> Any:
    """What a GGUF says."""
    return read_metadata(path).get(PREFIX + key)


def written(name: str, folder: Path) -> tuple[Path, formats.Source]:
    """A known model as a GGUF, and its own source."""
    source = models.primary_source(models.load(name))
    formats.write(source, "gguf", folder / "right.gguf")
    return folder / "right.gguf", source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tokenizer.json with a configuration beside it, which names tokens, BOS and a chat template."""
    own = json.loads(models.load("small-bpe").sources["tokenizer.json"].read_text(encoding="utf-8"))
    size = max(own["model"]["vocab"].values()) + 1
    size = max(size, *(token["id"] + 1 for token in own["added_tokens"]), 0)
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    for i, name in enumerate(("<s>", "</s>", "<pad>")):
        own["added_tokens"].append({"id": size + i, "content": name, "special": True, **flags})
    own["post_processor"] = None
    (tmp_path / "tokenizer.json").write_text(json.dumps(own), encoding="utf-8")
    said = {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "pad_token": "<pad>", "chat_template": "{{ a }}"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(said), encoding="utf-8")
    return tmp_path


def test_scores_that_nothing_reads_do_not_matter(tmp_path: Path) -> None:
    """Whatever model it is: what the algorithm does not read is not a difference."""
    path, source = written("small-bpe", tmp_path)
    rewrite(path, {PREFIX + "scores": array("f", bytes(4 * len(value(path, "tokens"))))}, tmp_path / "scores.gguf")
    assert [] == changes(tmp_path / "scores.gguf", source)


def test_a_key_that_says_what_llama_cpp_takes_without_it_does_not_matter(tmp_path: Path) -> None:
    """A space goes before the text of a SentencePiece model, whether a GGUF says so or leaves it out."""
    path, _ = written("small-spm", tmp_path)
    rewrite(path, {PREFIX + "add_space_prefix": True}, tmp_path / "said.gguf")
    rewrite(path, {PREFIX + "add_space_prefix": None}, tmp_path / "silent.gguf")
    assert [] == changes(tmp_path / "said.gguf", formats.read(tmp_path / "silent.gguf"))
    assert [] == changes(tmp_path / "silent.gguf", formats.read(tmp_path / "said.gguf"))


def test_another_order_of_merges_that_no_text_shows_is_right(tmp_path: Path) -> None:
    """Two merges without a piece in common change places; of two that compete a text shows it."""
    path, source = written("small-bpe", tmp_path)
    merges = value(path, "merges")
    apart = next(i for i in range(50, 500) if len(set(merges[i].split(b" ") + merges[i + 1].split(b" "))) == 4)
    merges[apart], merges[apart + 1] = merges[apart + 1], merges[apart]
    rewrite(path, {PREFIX + "merges": merges}, tmp_path / "apart.gguf")
    assert ["note"] == [weight(change.fault("m", path, path)) for change in changes(tmp_path / "apart.gguf", source)]
    rewrite(path, {PREFIX + "merges": list(reversed(merges))}, tmp_path / "wrong.gguf")
    (change,) = changes(tmp_path / "wrong.gguf", source)
    assert change.text
    assert change.ours != change.its


@pytest.mark.parametrize(
    ("model", "key", "one", "other"),
    [("small-spm", "scores", 400, 1400), ("small-unigram", "scores", 900, 2300), ("small-bpe", "merges", 1200, 2200)],
)
def test_two_ranks_that_changed_places_are_shown(model: str, key: str, one: int, other: int, tmp_path: Path) -> None:
    """Few texts have both pieces, and they are made: a piece beside those that begin or end with a part of it."""
    path, source = written(model, tmp_path)
    ranks = list(value(path, key))
    ranks[one], ranks[other] = ranks[other], ranks[one]
    rewrite(path, {PREFIX + key: ranks if key == "merges" else array("f", ranks)}, tmp_path / "wrong.gguf")
    (change,) = changes(tmp_path / "wrong.gguf", source)
    assert (PREFIX + key, "wrong") == (change.key, weight(change.fault("m", path, path)))
    (shown,) = lint(formats.read(tmp_path / "wrong.gguf"), source).differences
    assert shown.case is not None
    assert shown.left != shown.right
    (examined,) = examine(tmp_path / "wrong.gguf", source, "m", ("reference",), count=0)
    assert examined.mismatches


def test_a_file_without_types_is_wrong(tmp_path: Path) -> None:
    """Its special tokens are found in no text; the key is named, and with it the file is right."""
    path, source = written("small-bpe", tmp_path)
    rewrite(path, {PREFIX + "token_type": None}, tmp_path / "wrong.gguf")
    (change,) = changes(tmp_path / "wrong.gguf", source)
    assert (PREFIX + "token_type", "wrong") == (change.key, weight(change.fault("m", path, path)))
    rewrite(tmp_path / "wrong.gguf", {change.key: change.after}, tmp_path / "fixed.gguf")
    assert [] == changes(tmp_path / "fixed.gguf", source)


@pytest.mark.parametrize(("name", "is_open"), [("<|im_start|>", True), ("<|im_end|>", False)])
def test_the_token_that_ends_a_turn(
    name: str, is_open: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The source does not say it; one that llama.cpp would not find by its name is left open."""
    path, source = written("small-bpe", tmp_path)
    rewrite(path, {PREFIX + "eot_token_id": source.vocabulary.ids[name.encode()]}, tmp_path / "turn.gguf")
    assert 0 == cli.main(["doctor", str(tmp_path / "turn.gguf"), str(source.path)])
    assert is_open == (f'tokenizer.ggml.eot_token_id: that is "{name}"' in capsys.readouterr().out)


def test_a_merge_that_makes_no_piece_is_no_fault(tmp_path: Path) -> None:
    """llama.cpp gives the letters of what it makes."""
    path, source = written("small-bpe", tmp_path)
    rewrite(path, {PREFIX + "merges": [*value(path, "merges"), b"q z"]}, tmp_path / "more.gguf")
    assert ["note"] == [weight(change.fault("m", path, path)) for change in changes(tmp_path / "more.gguf", source)]
    assert [] == [shown.case for shown in lint(formats.read(tmp_path / "more.gguf"), source).differences if shown.case]


def test_a_piece_made_control_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its id, decoded, shows it; doctor says so, and names token_type."""
    path, source = written("small-bpe", tmp_path)
    kinds = array("i", value(path, "token_type"))
    place = next(i for i, kind in enumerate(kinds) if kind == Kind.NORMAL and len(source.vocabulary.pieces[i]) > 3)
    kinds[place] = Kind.CONTROL
    rewrite(path, {PREFIX + "token_type": kinds}, tmp_path / "control.gguf")
    assert 1 == cli.main(["doctor", str(tmp_path / "control.gguf"), str(source.path)])
    out = capsys.readouterr().out
    assert "change tokenizer.ggml.token_type" in out
    assert f"on the id {place}, decoded, the file gives" in out


@pytest.mark.parametrize(("place", "is_right"), [(11, True), (12, False)])
def test_a_missing_beginning_is_wrong_where_llama_cpp_takes_another(folder: Path, place: int, is_right: bool) -> None:
    """Of a GPT-2 model that names none it takes the id 11; only where the source names that one is nothing wrong."""
    pieces = formats.read(folder).vocabulary.pieces
    said = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps({**said, "bos_token": pieces[place].decode()}), "utf-8")
    source = formats.read(folder)
    formats.write(beside.as_configured(source), "gguf", folder / "right.gguf")
    assert place == value(folder / "right.gguf", "bos_token_id")
    rewrite(folder / "right.gguf", {PREFIX + "bos_token_id": None}, folder / "gone.gguf")
    found = [change.describe() for change in changes(folder / "gone.gguf", source)]
    effect = "a program that puts the first token before a prompt puts another one"
    wrong = [f"tokenizer.ggml.bos_token_id: absent -> {place} ({effect})"]
    assert ([] if is_right else wrong) == found


@pytest.mark.parametrize(("name", "is_right"), [("<|user|>", True), ("<unused7>", True), ("user", False)])
def test_what_the_converter_makes_control_by_name_is_right(folder: Path, name: str, is_right: bool) -> None:
    """An added token that is not special and looks so; one that does not look so is wrong, and a text shows it."""
    own = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    size = max(token["id"] for token in own["added_tokens"]) + 1
    own["added_tokens"].append({**own["added_tokens"][-1], "id": size, "content": name, "special": False})
    (folder / "tokenizer.json").write_text(json.dumps(own), encoding="utf-8")
    source = formats.read(folder)
    formats.write(source, "gguf", folder / "m.gguf")
    kinds = array("i", value(folder / "m.gguf", "token_type"))
    assert Kind.USER_DEFINED == kinds[size]
    kinds[size] = Kind.CONTROL
    rewrite(folder / "m.gguf", {PREFIX + "token_type": kinds}, folder / "control.gguf")
    found = changes(folder / "control.gguf", source)
    assert ([] if is_right else [PREFIX + "token_type"]) == [change.key for change in found]
    assert all(change.text for change in found)


def test_a_token_that_is_added_and_is_not_there_is_wrong(tmp_path: Path) -> None:
    """Whatever the source says: llama.cpp aborts on every text."""
    path, source = written("small-unigram", tmp_path)
    rewrite(path, {PREFIX + "add_bos_token": True, PREFIX + "bos_token_id": None}, tmp_path / "wrong.gguf")
    found = {change.key: change for change in changes(tmp_path / "wrong.gguf", source)}
    assert "there is no bos_token_id: llama.cpp aborts on every text" == found[PREFIX + "add_bos_token"].effect


def test_convert_writes_what_the_files_beside_say(folder: Path) -> None:
    """The ids with a role and the chat template; doctor finds nothing to change, and lint no role that is gone."""
    assert 0 == cli.main(["convert", str(folder), "--to", "gguf", "-o", str(folder / "m.gguf")])
    source = formats.read(folder / "tokenizer.json")
    roles = {name: value(folder / "m.gguf", f"{name}_token_id") for name in ("bos", "eos", "padding")}
    assert roles == {"bos": source.vocabulary.special["bos"], "eos": roles["eos"], "padding": roles["bos"] + 2}
    assert roles["eos"] == roles["bos"] + 1
    assert b"{{ a }}" == read_metadata(folder / "m.gguf").get("tokenizer.chat_template")
    assert [] == changes(folder / "m.gguf", source)
    parts = [one.difference.part for one in lint(formats.read(folder / "m.gguf"), source).differences]
    assert "special ids" not in parts


def test_a_missing_end_is_told_with_its_effect(folder: Path) -> None:
    """No text shows it, so its effect is told."""
    source = formats.read(folder)
    formats.write(source, "gguf", folder / "m.gguf")
    rewrite(folder / "m.gguf", {PREFIX + "eos_token_id": None}, folder / "bad.gguf")
    (change,) = changes(folder / "bad.gguf", source)
    assert "generation does not stop where the model ends its answer" == change.effect
    assert "wrong" == weight(change.fault("m", folder / "bad.gguf", source.path))


def test_of_two_files_that_disagree_neither_makes_a_gguf_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The configuration adds BOS, the post-processor none: what each says and who obeys which, and exit 0."""
    said = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps({**said, "add_bos_token": True}), encoding="utf-8")
    assert 0 == cli.main(["convert", str(folder), "--to", "gguf", "-o", str(folder / "m.gguf")])
    assert "add_bos_token is written as converters do: tokenizer_config.json says true" in capsys.readouterr().out
    assert value(folder / "m.gguf", "add_bos_token") is True
    source = formats.read(folder)
    (change,) = changes(folder / "m.gguf", source)
    told = change.fault("m", folder / "m.gguf", source.path).sentence
    assert "the post-processor of tokenizer.json adds none; llama.cpp's converter obeys tokenizer_config.json" in told
    assert "should be" not in told
    assert granted(folder / "m.gguf", source).behaviour.prefix_ids == beside.as_configured(source).behaviour.prefix_ids
    assert 0 == cli.main(["doctor", str(folder / "m.gguf"), str(folder)])
    capsys.readouterr()
    assert 0 == cli.main(["lint", str(folder / "m.gguf"), str(folder), "--no-engines"])
    said = capsys.readouterr().out
    assert "likely effect: none that can be told: tokenizer_config.json says true" in said
    assert "both give the same ids" not in said
    rewrite(folder / "m.gguf", {PREFIX + "bos_token_id": 300}, folder / "other.gguf")
    assert 1 == cli.main(["lint", str(folder / "other.gguf"), str(folder), "--no-engines"])


def test_a_file_that_is_written_anew_disagrees_as_its_source_did(folder: Path) -> None:
    """What tokenizer_config.json said is said beside the new tokenizer.json, so a GGUF of either is right."""
    said = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps({**said, "add_bos_token": True}), encoding="utf-8")
    source = formats.read(folder)
    assert {"add_bos_token": True} == source.disputed
    (folder / "anew").mkdir()
    formats.write(source, "tokenizer.json", folder / "anew" / "tokenizer.json")
    again = formats.read(folder / "anew")
    assert source.disputed == again.disputed
    assert source.behaviour.prefix_ids == again.behaviour.prefix_ids


def test_lint_knows_what_a_bare_model_does_not_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id around a text that the .model has no word for is not a difference; another order of pieces is one."""
    path, source = written("small-unigram", tmp_path)
    assert "add_eos_token" in source.assumed
    rewrite(path, {PREFIX + "add_eos_token": False}, tmp_path / "without.gguf")
    assert 0 == cli.main(["lint", str(tmp_path / "without.gguf"), str(source.path), "--no-engines"])
    assert f"{source.path.name} does not say it" in capsys.readouterr().out
    rewrite(path, {PREFIX + "scores": array("f", reversed(value(path, "scores")))}, tmp_path / "wrong.gguf")
    assert 1 == cli.main(["lint", str(tmp_path / "wrong.gguf"), str(source.path), "--no-engines"])


def test_what_a_format_has_no_place_for_is_written_beside_it(tmp_path: Path) -> None:
    """`convert --to tokenizer.json` names the tokens in a tokenizer_config.json, and writes over no other one."""
    out = tmp_path / "tokenizer.json"
    assert 0 == cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(out)])
    own, read = models.primary_source(models.load("small-spm")), formats.read(out)
    assert {role: own.vocabulary.special[role] for role in ("bos", "eos")} == {
        role: read.vocabulary.special[role] for role in ("bos", "eos")
    }
    (tmp_path / "tokenizer_config.json").write_text("{}")
    assert 2 == cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(out)])
    assert "{}" == (tmp_path / "tokenizer_config.json").read_text()


def test_a_file_that_gives_what_the_source_gives_is_right() -> None:
    """The unknown token of a tokenizer.json is left out of decoded text, as CONTROL is and UNKNOWN in a GGUF is not."""
    toy = toys.spm("▁a a b ab")
    control = replace(toy.vocabulary, kinds=(Kind.CONTROL, *toy.vocabulary.kinds[1:]))
    kinds = [array("i", map(int, vocabulary.kinds)) for vocabulary in (control, toy.vocabulary)]
    change = KeyChange(PREFIX + "token_type", *kinds, pieces=toy.vocabulary.pieces)
    goal = Tokenizer(toy.vocabulary, toy.behaviour)
    silent = replace(toy.behaviour, decode=replace(DecodePieces(), unknown_surface=""))
    own = Tokenizer(toy.vocabulary, silent)
    told = [weighed(change, {}, (control, toy.behaviour), goal, one) for one in (own, goal)]
    assert [("", ""), ('""', '" ⁇ "')] == [(one.ours, one.its) for one in told if one is not None]
    assert told[0] is not None
    assert "note" == weight(told[0].fault("m", Path("m.gguf"), Path("tokenizer.json")))


def test_a_merge_whose_word_is_a_piece_shows_in_a_long_word() -> None:
    """Where words that are pieces are taken whole, the missing merge of a piece shows in what is not a piece."""
    toy = toys.bpe("a b", "a+a aa+b", ignore_merges=True)
    less = replace(toy.vocabulary, merges=toy.vocabulary.merges[1:])
    right, wrong = Tokenizer(toy.vocabulary, toy.behaviour), Tokenizer(less, toy.behaviour)
    texts = [case.question.text for case in rivals(wrong, right)]
    assert [right.encode(text) for text in texts] != [wrong.encode(text) for text in texts]
    assert b"aa" * 150 in texts
    assert right.encode(b"aa") == wrong.encode(b"aa")
