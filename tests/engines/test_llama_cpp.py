"""llama.cpp on vocabularies made here: it crashes where it is known to, and refuses what is broken."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import gguf
import pytest

from tokparity import formats, models, quirks
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError
from tokparity.reference.tokenizer import Tokenizer

SPECIAL = [("<unk>", 2), ("<s>", 3), ("</s>", 3)]


def _write(path: Path, pieces: list[tuple[str, int]], bytes_too: bool) -> Path:
    """An SPM vocabulary of (piece, kind), where wanted with all byte pieces."""
    table = [*SPECIAL, *([(f"<0x{i:02X}>", 6) for i in range(256)] if bytes_too else []), *pieces]
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([piece for piece, _ in table])
    writer.add_token_scores([0.0 if kind != 1 else -float(i) for i, (_, kind) in enumerate(table)])
    writer.add_token_types([kind for _, kind in table])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_space_prefix(False)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


@pytest.fixture
def no_bytes(tmp_path: Path) -> str:
    """Pieces a, b, ab and no byte pieces."""
    return str(_write(tmp_path / "no_bytes.gguf", [("ab", 1), ("a", 1), ("b", 1)], bytes_too=False))


@pytest.fixture
def with_bytes(tmp_path: Path) -> str:
    """Byte pieces at 3 + byte, then ab (259), a (260), b (261), a long piece (262)."""
    pieces = [("ab", 1), ("a", 1), ("b", 1), ("é" * 300, 4)]
    return str(_write(tmp_path / "with_bytes.gguf", pieces, bytes_too=True))


def test_an_abort_is_a_failure_of_its_text_alone(no_bytes: str) -> None:
    """Without byte pieces an unknown character ends the process; the texts around it are answered."""
    texts = [b"ab", "aéb".encode(), b"ba", b"abab", "é".encode(), b""]
    with Client("llama.cpp", no_bytes) as client:
        result = client.encode(Texts.from_list(texts * 2), False, False)
    assert [1, 4, 7, 10] == [i for i, _ in result.failures]
    assert {("crash", signal.SIGABRT)} == {(failure.kind, failure.signal) for _, failure in result.failures}
    assert "out_of_range" in result.failed[1].message
    assert [[3], [], [5, 4], [3, 3], [], []] * 2 == result.ids.to_list()


def test_a_truncated_file_is_refused_with_llama_cpps_words(with_bytes: str) -> None:
    """No crash, no Failure per text: the engine is unavailable, and says why."""
    whole = Path(with_bytes).read_bytes()
    for size in (len(whole) // 2, 20, 0):
        Path(with_bytes).write_bytes(whole[:size])
        with (
            Client("llama.cpp", with_bytes) as client,
            pytest.raises(EngineError, match=r"cannot load .*failed to load"),
        ):
            client.encode(Texts.from_list([b"a"]), False, False)


def test_bytes_arrive_as_they_are(with_bytes: str) -> None:
    """NUL does not end a text."""
    with Client("llama.cpp", with_bytes) as client:
        result = client.submit(Texts.from_list([b"a\0b", b""]), True, False, False).result()
    assert [[1, 260, 3, 261], [1]] == result.ids.to_list()
    assert [b"<s>a\0b", b"<s>"] == result.decoded.to_list()


def test_buffers_grow(with_bytes: str) -> None:
    """Far more ids than texts have bytes before, and far longer texts than ids, come back whole."""
    with Client("llama.cpp", with_bytes) as client:
        result = client.encode(Texts.from_list([b"a", b"x" * 70_000, b"ab"]), False, False)
        assert [[260], [3 + ord("x")] * 70_000, [259]] == result.ids.to_list()
        decoded = client.decode(Ids.from_list([[260], [262] * 2000, [259]]), False)
        assert [b"a", ("é" * 300 * 2000).encode(), b"ab"] == decoded.decoded.to_list()


def test_special_tokens_are_honoured_as_asked(with_bytes: str) -> None:
    """add_special, parse_special and skip_special each change what they say."""
    texts = Texts.from_list([b"a</s>"])
    with Client("llama.cpp", with_bytes) as client:
        assert [[260, 2]] == client.encode(texts, False, True).ids.to_list()
        assert [[1, 260, 2]] == client.encode(texts, True, True).ids.to_list()
        assert [260, *(3 + byte for byte in b"</s>")] == client.encode(texts, False, False).ids[0].tolist()
        ids = Ids.from_list([[1, 260, 2]])
        assert [b"<s>a</s>"] == client.decode(ids, False).decoded.to_list()
        assert [b"a"] == client.decode(ids, True).decoded.to_list()


@pytest.mark.parametrize(
    "names",
    [
        "<|start|> <|channel|> <|message|> <|constrain|> <|end|> <|return|> <|call|> <|other|>",
        "<|start|> <|end|> <|calls|> <|flush|>",
        "<|message|> <|end|> <|call|>",
        "<|tool_response> <turn|> </s>",
    ],
    ids=["gpt-oss", "solar", "no return", "gemma-4"],
)
def test_kinds_that_names_decide_are_known(names: str, tmp_path: Path) -> None:
    """The two quirks of names give llama.cpp's ids and decoded texts, whatever kind the file has for the tokens."""
    for kind in (3, 1):
        pieces = [(name, kind) for name in names.split() if name != "</s>"]
        path = _write(tmp_path / f"{kind}.gguf", [("a", 1), *pieces], True)
        texts = [text.encode() for text in (names, *(f"a{name}a" for name in names.split()))]
        source = formats.read(path)
        flips = map(quirks.get, ("marks_tokens_special_by_name", "hides_tokens_by_name_when_decoding"))
        reference = Tokenizer(source.vocabulary, quirks.flip_all(list(flips), source.behaviour))
        with Client("llama.cpp", str(path)) as client:
            for parse in (False, True):
                ids = client.encode(Texts.from_list(texts), False, parse).ids
                assert [reference.encode(text, False, parse) for text in texts] == ids.to_list()
                for skip in (False, True):
                    decoded = client.decode(ids, skip).decoded.to_list()
                    assert [reference.decode(row, skip) for row in ids.to_list()] == decoded


def test_an_id_out_of_range_fails_alone(with_bytes: str) -> None:
    """llama.cpp ends the process over it."""
    with Client("llama.cpp", with_bytes) as client:
        result = client.decode(Ids.from_list([[260], [99999], [261]]), False)
    assert [(1, "crash")] == [(i, failure.kind) for i, failure in result.failures]
    assert [b"a", b"", b"b"] == result.decoded.to_list()


_LISTENED = """
import gc, sys
from tokparity import engines
import llama_cpp
opened = engines.get("llama.cpp").open(sys.argv[1], {})
del opened
gc.collect()
llama_cpp.Llama(sys.argv[1], vocab_only=True, verbose=False)
print("alive")
"""


def test_the_log_is_listened_to_as_long_as_the_process_lives(tmp_path: Path) -> None:
    """llama.cpp calls whoever listened first, also when the model that it was opened for is gone."""
    formats.write(formats.read(models.load("small-bpe").sources["tokenizer.json"]), "gguf", tmp_path / "m.gguf")
    command = [sys.executable, "-c", _LISTENED, str(tmp_path / "m.gguf")]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (0, "alive\n") == (done.returncode, done.stdout)
