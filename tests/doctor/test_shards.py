"""doctor: what llama.cpp does not open (a lone shard, another byte order, nested arrays), told once, in our words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import pytest

from tokparity import cli, formats, models
from tokparity.errors import FormatError
from tokparity.formats.gguf_metadata import read_metadata
from tokparity.formats.gguf_openable import why_not

Types = gguf.GGUFValueType
SPLIT = {"split.no": 0, "split.count": 2, "split.tensors.count": 0}
SOURCE = models.load("small-spm").sources["sentencepiece"]


def copied(source: Path | None, out: Path, keys: dict[str, Any], order: Any = gguf.GGUFEndian.LITTLE) -> Path:
    """The keys of a file, and others: numbers of 16 bits, or 32 where a name ends in count; llama.cpp's own types."""
    writer = gguf.GGUFWriter(out, "llama", endianess=order)
    for name, field in read_metadata(source).fields.items() if source else ():
        own: Any = field.value
        if name != "general.architecture" and field.item_type is None:
            writer.add_key_value(name, own.decode() if isinstance(own, bytes) else own, Types(field.type))
        elif field.item_type is not None:
            listed = [one.decode() if isinstance(one, bytes) else one for one in own]
            writer.add_key_value(name, listed, Types(field.type), sub_type=Types(field.item_type))
    for name, value in keys.items():
        kind = Types.INT32 if name == "split.tensors.count" else Types.UINT16
        writer.add_key_value(name, value, Types.ARRAY if isinstance(value, list) else kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return out


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """Our small model as a GGUF."""
    formats.write(formats.read(SOURCE), "gguf", tmp_path / "right.gguf")
    return tmp_path / "right.gguf"


@pytest.fixture
def shard(right: Path, tmp_path: Path) -> Path:
    """The first of two shards, beside the second."""
    copied(None, tmp_path / "m-00002-of-00002.gguf", {**SPLIT, "split.no": 1})
    return copied(right, tmp_path / "m-00001-of-00002.gguf", SPLIT)


def doctor(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """The exit code, and what was printed."""
    code = cli.main(["doctor", *map(str, words)])
    return code, capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "still"),
    [
        ("m-00001-of-00002.gguf", "put m-00002-of-00002.gguf beside it"),
        ("x.gguf", "give it the name m-00001-of-00002.gguf and put m-00002-of-00002.gguf beside it"),
    ],
)
def test_a_shard_is_checked_beside_the_others(
    name: str, still: str, shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy of a right one is right; what llama.cpp needs to open it is told, and only that."""
    out = tmp_path / "fixed" / name
    out.parent.mkdir()
    code, said = doctor(capsys, shard, "--against", SOURCE, "--write", out)
    assert (0, True) == (code, f"{out} is shard 1 of 2; before llama.cpp can open it: {still}\n" in said)
    assert "after: llama.cpp gives other ids with the GGUF on 0 of " in said
    assert "may not be right" not in said
    assert [out] == list(out.parent.iterdir())


def test_beside_the_others_nothing_is_left_to_do(
    shard: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the folder has the other shards already."""
    out = tmp_path / "fixed" / shard.name
    out.parent.mkdir()
    copied(None, out.with_name("m-00002-of-00002.gguf"), {**SPLIT, "split.no": 1})
    code, said = doctor(capsys, shard, "--against", SOURCE, "--write", out)
    assert (0, False) == (code, "before llama.cpp can open it" in said)


def test_a_lone_first_shard_lacks_the_others(right: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No verdict, and which file is missing: once."""
    lone = copied(right, tmp_path / "m-00001-of-00003.gguf", {**SPLIT, "split.count": 3})
    code, said = doctor(capsys, lone, "--against", SOURCE)
    assert 3 == code
    told = "it is shard 1 of 3, and m-00002-of-00003.gguf and 1 more are not beside it; put all shards into one folder"
    assert (1, 0) == (said.count(told), said.count("gguf_init"))


def test_a_later_shard_names_the_first(shard: Path) -> None:
    """The first has the tokenizer."""
    with pytest.raises(FormatError, match=r"it is shard 2 of 2; give m-00001-of-00002\.gguf, which has the tokenizer"):
        formats.read(shard.with_name("m-00002-of-00002.gguf"))


@pytest.mark.parametrize("kind", ["big", "nested"])
def test_the_reason_is_ours_and_is_told_once(
    kind: str, right: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with --write, whose file is not opened for the same reason."""
    nested: dict[str, Any] = {"my.key": [[1, 2], [3]]}
    big = kind == "big"
    order = gguf.GGUFEndian.BIG if big else gguf.GGUFEndian.LITTLE
    bad = copied(right, tmp_path / f"{kind}.gguf", {} if big else nested, order)
    code, said = doctor(capsys, bad, "--against", SOURCE, "--write", tmp_path / "out.gguf")
    told = "it is big-endian, and llama.cpp" if big else "its key my.key is an array of arrays, which llama.cpp"
    assert (3, 1, 0) == (code, said.count(told), said.count("gguf_init"))
    assert "out.gguf may not be right: llama.cpp does not open the file\n" in said


def test_nothing_is_in_the_way_of_a_right_file(right: Path, shard: Path, tmp_path: Path) -> None:
    """One that cannot be read at all has an error of its own, and a shard under another name is told so."""
    assert [None, None, None] == [why_not(path) for path in (right, shard, tmp_path / "not there")]
    renamed = shard.rename(tmp_path / "renamed.gguf")
    assert ("it is shard 1 of 2, and its name does not say so", "call it NAME-00001-of-00002.gguf, ") == (
        (why_not(renamed) or ("", ""))[0],
        (why_not(renamed) or ("", ""))[1][:34],
    )
