"""doctor: keys of a type that llama.cpp does not open a file with."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import gguf
import pytest

from tokparity import cli, formats, models
from tokparity.doctor import changes, examine, sayable
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_rewrite import rewrite

Types = gguf.GGUFValueType
CODES = {"f": Types.FLOAT32, "i": Types.INT32, "B": Types.UINT8}


def typed(path: Path, out: Path, key: str, value: Any, kind: Any, items: Any = None) -> Path:
    """A vocabulary with one key written in the given type; the library writes what llama.cpp would refuse."""
    writer = gguf.GGUFWriter(out, "llama")
    for name, field in read_metadata(path).fields.items():
        if name == PREFIX + key or name == "general.architecture":
            continue
        its = Types(field.type)
        own: Any = field.value
        if isinstance(own, list | array):
            own = [one.decode() if isinstance(one, bytes) else one for one in own]
            writer.add_key_value(name, own, its, sub_type=Types(field.item_type))
        else:
            writer.add_key_value(name, own.decode() if isinstance(own, bytes) else own, its)
    writer.add_key_value(PREFIX + key, value, kind, sub_type=items)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return out


def right(tmp_path: Path) -> tuple[Path, Path]:
    """Our small model as a GGUF, and the file it was made from."""
    source = models.load("small-spm").sources["sentencepiece"]
    formats.write(formats.read(source), "gguf", tmp_path / "right.gguf")
    return tmp_path / "right.gguf", source


SCALARS: list[tuple[str, Any, Any, str]] = [
    ("bos_token_id", 1, Types.INT32, ", which is written as int32, should be uint32"),
    ("eos_token_id", 2, Types.INT64, ", which is written as int64, should be uint32"),
    ("eos_token_id", -1, Types.INT32, ": -1 (int32) -> 2 (uint32)"),
    ("eot_token_id", 7, Types.UINT64, ", which is written as uint64, should be uint32"),
    ("mask_token_id", -1, Types.INT32, ": -1 (int32) -> absent"),
    ("add_bos_token", 1, Types.UINT8, ", which is written as uint8, should be bool"),
    ("add_space_prefix", 0, Types.UINT8, ": 0 (uint8) -> true (bool)"),
    ("eos_token_id", "2", Types.STRING, ': "2" (string) -> 2 (uint32)'),
]


@pytest.mark.parametrize(("key", "value", "kind", "told"), SCALARS, ids=str)
def test_a_scalar_that_llama_cpp_refuses_is_told_and_repaired(
    tmp_path: Path, key: str, value: Any, kind: Any, told: str
) -> None:
    """Its value may be right: the type is what is wrong, and llama.cpp opens the file that is written."""
    good, source = right(tmp_path)
    sick = typed(good, tmp_path / "sick.gguf", key, value, kind)
    (change,) = changes(sick, formats.read(source))
    assert f"{PREFIX}{key}{told} (llama.cpp refuses the file)" == change.describe()
    rewrite(sick, {change.key: change.after}, tmp_path / "fixed.gguf")
    found = examine(tmp_path / "fixed.gguf", formats.read(source), "small-spm", ["llama.cpp"], 20)
    assert [("", 0)] == [(one.unavailable, len(one.mismatches)) for one in found]
    assert [] == changes(tmp_path / "fixed.gguf", formats.read(source))


@pytest.mark.parametrize(
    ("key", "items", "told"),
    [
        ("scores", Types.FLOAT64, "is written as array of float64, should be array of float32"),
        ("token_type", Types.UINT32, "is written as array of uint32, should be array of int32"),
    ],
)
def test_a_list_that_llama_cpp_refuses_is_told_and_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, items: Any, told: str
) -> None:
    """The command tells it, writes it in the type that is read, and the file is right then."""
    good, source = right(tmp_path)
    values = list(read_metadata(good).get(PREFIX + key))  # type: ignore[call-overload]
    sick, fixed = typed(good, tmp_path / "sick.gguf", key, values, Types.ARRAY, items), tmp_path / "fixed.gguf"
    assert 1 == cli.main(["doctor", str(sick), "--against", str(source)])
    assert f"change {PREFIX}{key}, which {told} (llama.cpp refuses the file)\n" in capsys.readouterr().out
    assert 0 == cli.main(["doctor", str(sick), "--against", str(source), "--write", str(fixed)])
    assert "after: llama.cpp gives other ids with the GGUF on 0 of" in capsys.readouterr().out
    assert 0 == cli.main(["doctor", str(fixed), "--against", str(source)])


@pytest.mark.parametrize(
    ("key", "value", "kind", "items"),
    [("cls_token_id", 1, Types.INT32, None), ("scores", [0] * 2800, Types.ARRAY, Types.INT32)],
)
def test_a_type_that_llama_cpp_reads_is_no_fault_of_type(
    tmp_path: Path, key: str, value: Any, kind: Any, items: Any
) -> None:
    """It asks no file for the token of classification, and takes whole numbers as scores."""
    good, source = right(tmp_path)
    other = typed(good, tmp_path / "other.gguf", key, value, kind, items)
    assert not any(change.types for change in changes(other, formats.read(source)))
    (one,) = examine(other, formats.read(source), "small-spm", ["llama.cpp"], 1)
    assert not one.unavailable


def test_types_are_compared_where_no_gguf_can_say_the_source(tmp_path: Path) -> None:
    """Also of keys that mean something else to the source's algorithm, or nothing."""
    good, _ = right(tmp_path)
    cli.main(["convert", "small-spm", "--to", "tokenizer.json", "-o", str(tmp_path / "tokenizer.json")])
    sick = typed(good, tmp_path / "sick.gguf", "unknown_token_id", 0, Types.INT32)
    found, unsaid = sayable(sick, formats.read(tmp_path / "tokenizer.json"))
    assert unsaid
    told = "unknown_token_id, which is written as int32, should be uint32 (llama.cpp refuses the file)"
    assert [f"{PREFIX}{told}"] == [change.describe() for change in found]


def test_of_two_ggufs_the_type_of_the_source_does_not_matter(tmp_path: Path) -> None:
    """Values are compared, and written as llama.cpp reads them."""
    good, _ = right(tmp_path)
    odd = typed(good, tmp_path / "odd.gguf", "bos_token_id", 1, Types.INT32)
    assert [] == changes(good, formats.read(odd))


def test_a_file_that_llama_cpp_does_not_open_is_never_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Keys are as they should be, but of this architecture llama.cpp knows nothing: no verdict, and why."""
    good, source = right(tmp_path)
    rewrite(good, {"general.architecture": b"foo"}, tmp_path / "sick.gguf")
    for words in ([], ["--write", str(tmp_path / "fixed.gguf")]):
        assert 3 == cli.main(["doctor", str(tmp_path / "sick.gguf"), "--against", str(source), *words])
        out = capsys.readouterr().out
        assert "nothing to change" not in out
        assert "no key that can be compared is wrong, but llama.cpp does not open the file\n" in out
        assert 1 == out.count("unknown model architecture: 'foo'")


def test_an_engine_that_is_not_there_refuses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without llama.cpp its opinion is not asked for."""
    from tokparity.engines.llama_cpp import LlamaCpp
    from tokparity.errors import MissingDependencyError

    def missing(_self: LlamaCpp) -> str:
        raise MissingDependencyError("engine 'llama.cpp' needs llama-cpp-python, which is not installed")

    monkeypatch.setattr(LlamaCpp, "version", missing)
    good, source = right(tmp_path)
    rewrite(good, {"general.architecture": b"foo"}, tmp_path / "sick.gguf")
    assert 0 == cli.main(["doctor", str(tmp_path / "sick.gguf"), "--against", str(source)])
    assert "nothing to change" in capsys.readouterr().out
