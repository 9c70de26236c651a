"""Functions, objects and classes of the user's own as engines, and what is told where they are broken."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tokparity import engines, models
from tokparity.cli import main
from tokparity.engines.adapted_model import AdaptedModel
from tokparity.engines.answers import UnsupportedError
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.hello import Hello
from tokparity.engines.process.client import Client
from tokparity.engines.protocol import Capabilities
from tokparity.engines.specials import Specials
from tokparity.errors import EngineError, TokparityError, UsageError
from tokparity.outcome import Failure, Spanning

pytestmark = pytest.mark.usefixtures("few_texts")

AROUND = {"prefix_ids": [1], "suffix_ids": [2]}


def _encoded(name: str, text: bytes, add_special: bool = False, parse_special: bool = False) -> list[int] | Failure:
    """The ids of one text, or why there are none."""
    with Client(f"adapters_at_hand:{name}", "model", AROUND) as client:
        results = client.encode(Texts.from_list([text]), add_special, parse_special)
    return results.failed.get(0) or results.row(0)


def test_a_function_is_an_engine() -> None:
    """Lists, no version, no decode: all is fine, and the model's own prefix and suffix are put around."""
    assert [100, 101] == _encoded("plain", b"ab")
    assert [1, 100, 101, 2] == _encoded("plain", b"ab", add_special=True)
    described = engines.get("adapters_at_hand:plain")
    assert "unversioned" == described.version()
    assert not described.CAPABILITIES.decodes


def test_a_function_that_adds_the_special_tokens_itself() -> None:
    """They come once where they are wanted, and are taken off where not; one that adds them twice is wrong."""
    assert [1, 100, 101, 2] == _encoded("wrapping", b"ab", add_special=True)
    assert [100, 101] == _encoded("wrapping", b"ab")
    assert [1, 1, 100, 2] == _encoded("doubling", b"a", add_special=True)


class WrapsBoth:
    """Its ids and its spans have BOS and EOS."""

    def encode(self, text: str) -> list[int]:
        """Each character, between the two."""
        return [1, *map(ord, text), 2]

    def spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The special tokens come from no character."""
        size = len(text)
        return self.encode(text), [(0, 0), *((i, i + 1) for i in range(size)), (size, size)]


def test_its_spans_are_taken_as_its_ids_are() -> None:
    """What adds the special tokens itself adds them in both."""
    hello = Hello(Capabilities(("any",), spans=True))
    model = AdaptedModel(WrapsBoth(), "own", hello, ((1,), (2,)), Specials())
    assert Spanning((1, 97, 2), ((0, 0), (0, 1), (1, 1))) == model.spans("a", True, False)
    assert Spanning((97,), ((0, 1),)) == model.spans("a", False, False)


def test_a_function_is_asked_what_it_takes() -> None:
    """Bytes where it is annotated so, and each flag that it has a parameter for."""
    assert [258, 100] == _encoded("of_bytes", b"\xffa")
    assert [1, 2, 100] == _encoded("flagged", b"a", True, True)
    refused = _encoded("plain", b"a", parse_special=True)
    assert isinstance(refused, Failure)
    assert "unsupported" == refused.kind


OWN = """
import tokenizers
LIBRARY = tokenizers.Tokenizer.from_file({path!r})
class Own:
    def encode(self, text):
        return LIBRARY.encode(text, add_special_tokens=False).ids
    def decode(self, ids):
        return LIBRARY.decode(ids, skip_special_tokens=False){change}
"""
"""What most people would write: no flags at all. The library always recognizes special tokens."""


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [("", 0, "All engines agree"), (".replace(' .', '.')", 1, "3 that decode to another text")],
    ids=["right", "wrong"],
)
def test_a_class_without_flags_is_compared_in_what_it_can_do(
    change: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """That it recognizes special tokens and shows them is no fault, and what it decodes is compared."""
    monkeypatch.chdir(tmp_path)
    path = str(models.load("small-bpe").sources["tokenizer.json"])
    Path("own.py").write_text(OWN.format(path=path, change=change))
    words = ["check", "small-bpe", "--engine", "./own.py:Own", "--cases", "0", "--corpus", "prompts", "--out", "out"]
    assert code == main(words)
    told = capsys.readouterr()
    assert said in told.out + told.err
    assert "not compared" not in told.out


class Recognizes:
    """It gives the ids of special tokens for their texts, also in its spans, and has no flag for it."""

    def encode(self, text: str) -> list[int]:
        """The token's id, or each character's."""
        return [7] if text == "<s>" else [*map(ord, text)]

    def spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """From the whole text, or each character."""
        return self.encode(text), [(0, 3)] if text == "<s>" else [(i, i + 1) for i in range(len(text))]


def test_what_recognizes_special_tokens_is_not_asked_for_them_as_plain_text() -> None:
    """Neither for ids nor for spans; where they are to be parsed it is asked for both."""
    specials = Specials(frozenset({"<s>"}), {7: "<s>"})
    model = AdaptedModel(Recognizes(), "own", Hello(Capabilities(("any",), spans=True)), ((), ()), specials)
    assert (False, True) == model.hello.capabilities.parse_special
    assert [[7]] == model.encode(Texts.from_list([b"<s>"]), False, True).to_list()
    assert Spanning((7,), ((0, 3),)) == model.spans("<s>", False, True)
    with pytest.raises(UnsupportedError, match="always recognizes special tokens"):
        model.encode(Texts.from_list([b"<s>"]), False, False)
    with pytest.raises(UnsupportedError, match="always recognizes special tokens"):
        model.spans("<s>", False, False)


class Streams:
    """It shows special tokens, has no flag for them, and gives a last delta or not."""

    def __init__(self, *last: str) -> None:
        self.last = last

    def encode(self, text: str) -> list[int]:
        """Each character."""
        return [*map(ord, text)]

    def stream(self, ids: list[int]) -> list[str]:
        """Each id is a character."""
        return [*map(chr, ids), *self.last]


@pytest.mark.parametrize("last", [(), ("!",)], ids=["no last", "a last"])
def test_a_stream_without_a_flag_has_a_delta_for_each_special_token(last: tuple[str, ...]) -> None:
    """Which are empty where special tokens are left out, wherever they stand."""
    able = Capabilities(("any",), streams=True)
    model = AdaptedModel(Streams(*last), "own", Hello(able), ((), ()), Specials(left_out={1: "<s>", 2: "</s>"}))
    flushed = [delta.encode() for delta in last]
    assert [b"", b"a", b"", b"", b"b", b"", *flushed] == [*model.stream([1], [1, 97, 2, 1, 98, 2], True)]
    assert [b"\x01", b"a", *flushed] == [*model.stream([], [1, 97], False)]


def test_a_stream_that_takes_no_prompt_is_asked_for_none() -> None:
    """What it gives is right behind no prompt; behind one it knows nothing of what the prompt begins."""
    model = AdaptedModel(Streams(), "own", Hello(Capabilities(("any",), streams=True)), ((), ()), Specials())
    assert [b"a"] == [*model.stream([], [97], False)]
    with pytest.raises(UnsupportedError, match="takes no `prefill`"):
        next(iter(model.stream([98], [97], False)))


POOL = """
from concurrent.futures import ThreadPoolExecutor
POOL = ThreadPoolExecutor(1)
def encode(text):
    return POOL.submit(lambda: [1] if text == "<s>" else [*map(ord, text)]).result()
"""


def test_threads_of_a_function_are_those_of_the_process_that_answers(tmp_path: Path) -> None:
    """They begin at the first call, so no call comes before the process is copied that is asked for a run's texts."""
    (tmp_path / "pooled.py").write_text(POOL)
    source = models.primary_source(models.load("small-spm")).path
    with Client(f"{tmp_path / 'pooled.py'}:encode", str(source), timeout=10.0) as client:
        client.wait_ready()
        assert [97] == client.encode(Texts.from_list([b"a"]), False, False).row(0)


def test_a_class_that_needs_the_path() -> None:
    """It is made with the model's path, and its methods say what it can be asked."""
    assert [5, 100] == _encoded("Head", b"a")
    with Client("adapters_at_hand:Head", "model") as client:
        assert "head 7" == client.wait_ready()
        assert [b"ab"] == client.decode(Ids.from_list([[100, 101]]), True).decoded.to_list()


def test_what_opens_its_model_may_encode_one_text() -> None:
    """It is asked what its encode takes, and nothing of what it cannot do."""
    assert [1, 5, 100, 2] == _encoded("OpensOne", b"a", add_special=True)
    described = engines.get("adapters_at_hand:OpensOne")
    assert not described.CAPABILITIES.decodes
    assert (False,) == described.CAPABILITIES.parse_special


def test_an_attribute_called_open_is_no_method() -> None:
    """A state of somebody's own may have that name."""
    assert [100] == _encoded("Ajar", b"a")


def test_what_cannot_be_known_before_it_is_opened_is_told() -> None:
    """Nobody could say before which flags it honors."""
    with Client("adapters_at_hand:GivesOne", "model", AROUND) as client, pytest.raises(EngineError) as caught:
        client.wait_ready()
    assert "its open() returned an object whose encode takes one text only" in str(caught.value)
    assert "let that encode take (texts, add_special, parse_special)" in caught.value.hint


def test_an_engine_that_answers_with_lists() -> None:
    """Lists do instead of buffers, and neither version nor capabilities are needed."""
    with Client("adapters_at_hand:Lists", "model") as client:
        results = client.submit(Texts.from_list([b"ab", b""]), False, False, decode_skip_special=False).result()
    assert [[97, 98], []] == results.ids.to_list()
    assert [b"ab", b""] == results.decoded.to_list()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "says_words",
            "encode returned str 'a' for a text, not a list of ids; return whole numbers, such as [1, 15043]",
        ),
        ("says_none", "encode returned NoneType None for a text, not a list of ids"),
        ("says_floats", "encode returned float 2.5 as an id; return whole numbers of at most 32 bits"),
        ("says_large", "encode returned int 1099511627776 as an id"),
        ("TooFew", "encode returned 0 answers for a batch of 1 cases; return one list of ids for each case, in order"),
    ],
)
def test_a_wrong_answer_says_what_to_mend(name: str, words: str) -> None:
    """It is a Failure of its text, in words that an author understands."""
    failure = _encoded(name, b"a")
    assert isinstance(failure, Failure)
    assert "error" == failure.kind
    assert failure.message.startswith(words)


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("adapters_at_hand:Greedy", EngineError, "is a class whose constructor needs path, depth"),
        ("adapters_at_hand:Unmakeable", EngineError, "cannot be made: ValueError: no luck (adapters_at_hand.py, line"),
        ("adapters_at_hand:number", EngineError, "is int 5, which cannot be called; name a function"),
        ("adapters_at_hand:nothing", UsageError, "has no attribute 'nothing'"),
        ("no_such_module_here:x", UsageError, "No module named 'no_such_module_here'; write it as module:Class"),
        ("./no_such_file.py:x", UsageError, "there is no file './no_such_file.py'"),
        ("exec:", UsageError, "has nothing behind its colon"),
    ],
)
def test_what_cannot_be_an_engine(name: str, error: type[TokparityError], words: str) -> None:
    """One line, with the name and the next step."""
    with pytest.raises(error) as raised:
        engines.get(name)
    assert type(raised.value) is error
    assert name in str(raised.value)
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raises", "cannot be imported: OSError: no such drive (adapters_at_hand.py, line"),
        ("exits", "cannot be imported: SystemExit: bye"),
        ("dies", "ended its process while it was imported: the worker ended with exit code 9: last words"),
    ],
)
def test_a_module_that_breaks_on_import(how: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only a worker imports it, so whatever it does is one line."""
    monkeypatch.chdir(tmp_path)  # what was described elsewhere is not what is here
    monkeypatch.setenv("AT_HAND", how)
    with pytest.raises(EngineError) as raised:
        engines.get("adapters_at_hand:plain")
    assert words in str(raised.value)


def test_what_a_module_prints_does_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A megabyte on stdout is read and dropped."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AT_HAND", "floods")
    assert [100] == _encoded("plain", b"a")


def test_a_version_that_raises_makes_it_unavailable() -> None:
    """The capabilities are known, and the version's error is told in place of one."""
    found = engines.get("adapters_at_hand:BadVersion")
    assert ("any",) == found.CAPABILITIES.formats
    with pytest.raises(EngineError, match="RuntimeError: version unknown"):
        found.version()


def test_the_module_is_not_imported_here() -> None:
    """Neither describing it nor asking it brings it into this process."""
    engines.get("adapters_at_hand:plain")
    assert "adapters_at_hand" not in sys.modules


@pytest.mark.parametrize("name", ["./mine.py:encode", "mine:encode"])
def test_a_file_in_the_working_directory(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten lines in a file are an engine on the command line, and what is beside them can be imported."""
    (tmp_path / "beside.py").write_text("SHIFT = 3\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(
        "from beside import SHIFT\ndef encode(text):\n    return [SHIFT + byte for byte in text.encode()]\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert 0 == main(["encode", "small-spm", "ab", "--engine", name, "--no-special"])
    assert "[100, 101]\n" == capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("class Head:\n    def __init__(self, a, b): pass\n", 3, "is a class whose constructor needs a, b"),
        ("class Head:\n    def encode(self, text): return text\n", 3, "encode returned str 'ab' for a text"),
        ("", 2, "has no attribute 'Head'"),
        ("syntax error", 3, "SyntaxError"),
    ],
)
def test_errors_on_the_command_line_are_one_line(
    source: str,
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """No traceback, whatever is in the file."""
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert code == main(["encode", "small-spm", "ab", "--engine", "./mine.py:Head", "--no-special"])
    error = capsys.readouterr().err
    assert words in error
    assert 1 == error.count("\n")


def test_without_an_engine_to_compare_nothing_is_put(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said at once, not after a minute before the oracle alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("class A:\n    def __init__(self, path):\n        raise ValueError(path)\n")
    assert 3 == main(["fuzz", "small-bpe", "--engine", "./own.py:A", "--seconds", "60", "--out", "r"])
    printed = capsys.readouterr()
    assert re.search(r"0 cases on 1 engine( in [\d.]+ s)?: nothing compared", printed.out + printed.err)
    assert "not all texts were compared: no engine that was to be compared is there" in printed.out + printed.err
