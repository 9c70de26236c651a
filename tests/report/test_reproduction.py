"""Scripts with a library alone: each prints what our adapter of that library gives."""

from __future__ import annotations

import base64
import subprocess
import sys
from ast import literal_eval
from dataclasses import replace
from pathlib import Path

import pytest

from reports import mismatch
from tests.rings import nightly_but
from tokparity import engines
from tokparity.case import text_case
from tokparity.cli import main
from tokparity.difference import Difference
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.released import WHEELS
from tokparity.outcome import Encoding
from tokparity.report.render.libraries import LIBRARIES
from tokparity.report.render.reproduction import file_name, library_of, script
from tokparity.report.render.wheel_libraries import WHEEL_LIBRARIES

TEXT = "a  <|endoftext|> 'é\"\\\n".encode()
OPTIONS = {"pattern": "[^ ]+| ", "special_tokens": {}}
MODELS = {"sentencepiece": "small-spm", "mistral-common": "small-spm"}


def model_for(engine: str, folder: Path) -> tuple[Path, str]:
    """The file of a model as the script calls it, and the source that a report says the engine opened."""
    if engine == "tiktoken":
        lines = [base64.b64encode(bytes((byte,))) + b" %d" % byte for byte in range(256)]
        (folder / "mine.tiktoken").write_bytes(b"\n".join(lines))
        (folder / "mine.tiktoken.json").write_text('{"pattern": "[^ ]+| "}')
        return folder / "mine.tiktoken", "mine.tiktoken"
    library = LIBRARIES[engine]
    path = folder / file_name(library, "")
    assert 0 == main(["convert", MODELS.get(engine, "small-bpe"), "--to", library.format, "-o", str(path)])
    return path, f"{library.format}, exported by tokparity"


ENGINES = sorted(set(LIBRARIES) - set(WHEEL_LIBRARIES))


@pytest.mark.parametrize("engine", nightly_but([name for name in ENGINES if name != "transformers"], ENGINES))
def test_a_script_shows_what_the_engine_gives(engine: str, tmp_path: Path) -> None:
    """Ids of a text, and the text that they decode to."""
    path, source = model_for(engine, tmp_path)
    opened = engines.get(engine).open(str(path), OPTIONS)
    ids = opened.encode(Texts.from_list([TEXT]), False, False).to_list()[0]
    decoded = opened.decode(Ids.from_list([ids]), engine != "tiktoken").to_list()[0]
    for difference, given in ((Difference("ids", 0), ids), (Difference("decode", 0), decoded)):
        found = mismatch(TEXT, engine=engine, expected=Encoding((7,), b"x"), difference=difference)
        found = replace(found, case=text_case(TEXT, add_special=False))
        lines = script(found, source)
        assert lines is not None
        command = [sys.executable, "-I", "-c", "\n".join(lines)]
        said = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout
        actual = literal_eval(said.splitlines()[-1].removeprefix("actual   "))
        assert given == (actual.encode() if isinstance(actual, str) else actual)


def test_known_ranks_bring_their_pattern() -> None:
    """What a file's name says of it stands in the script, with the special tokens that have a part in it."""
    found = mismatch(b"a <|endoftext|>", engine="tiktoken")
    lines = script(found, "cl100k_base.tiktoken")
    assert lines is not None
    compile("\n".join(lines), "tiktoken", "exec")
    (encoding,) = [line for line in lines if "Encoding(" in line]
    assert "special_tokens={'<|endoftext|>': 100257}" in encoding
    assert "pat_str=" in encoding
    assert script(found, "tiktoken, exported by tokparity") is None


def test_a_version_is_of_the_same_library() -> None:
    """`NAME@VERSION` has the script of NAME; options would need more lines."""
    assert LIBRARIES["tokenizers"] is library_of("tokenizers@0.19.1")
    assert library_of("transformers[legacy=false]") is None


def test_every_wheel_has_a_script() -> None:
    """But xllamacpp, whose Python has no function for a vocabulary; those of some are run with their wheels."""
    assert {"xllamacpp"} == set(WHEELS) - set(WHEEL_LIBRARIES)
    for engine in WHEEL_LIBRARIES:
        for difference in (Difference("ids", 0), Difference("decode", 0)):
            lines = script(mismatch(TEXT, engine=engine, difference=difference), "tokenizer.json")
            assert lines is not None
            compile("\n".join(lines), engine, "exec")
            assert not [line for line in lines if "FILE" in line]


def test_a_file_is_called_as_its_format_wants() -> None:
    """An engine that reads two formats may have opened either."""
    kitoken = LIBRARIES["kitoken"]
    assert "tokenizer.json" == file_name(kitoken, "tokenizer.json, exported by tokparity")
    assert "tokenizer.model" == file_name(kitoken, "sentencepiece, exported by tokparity")
    assert "mine.json" == file_name(kitoken, "mine.json")
    lines = script(mismatch(TEXT, engine="kitoken"), "sentencepiece, exported by tokparity")
    assert lines is not None
    assert "tokenizer = Kitoken.from_sentencepiece_file('tokenizer.model')" in lines
