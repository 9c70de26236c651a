"""Servers as engines: recognized, asked only what they can, and whatever they do wrong is a message."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from servers_at_hand import PATHS, SHAPES, Answers, ids_of, served, text_of, trickling, wait_until, with_bos

from tokparity import engines, formats
from tokparity.cli import main
from tokparity.engines import endpoint, servers
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.process.client import Client
from tokparity.engines.process.frames import Kind
from tokparity.errors import EngineError, UsageError
from tokparity.models import load, primary_source
from tokparity.outcome import Failure, Spanning, Streaming
from tokparity.questions import Stream

MODEL = str(load("small-spm").sources["sentencepiece"])
TEXTS = [b"a b", b"", "naïve".encode()]
LLAMA = "llama.cpp's server b8681"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long between attempts."""
    monkeypatch.setattr(endpoint, "_PAUSE", 0.001)


@pytest.mark.parametrize("name", SHAPES)
def test_a_server_is_recognised_and_asked(name: str) -> None:
    """Each by its own paths and words; ids and texts come back in order."""
    with served(SHAPES[name]) as (url, _):
        model = engines.get(url).open(MODEL, {})
        assert name == model.hello.version.partition(", with ")[0]
        able = model.hello.capabilities
        for add in able.add_special:
            expected = [[1, *ids_of(text.decode())] if add else ids_of(text.decode()) for text in TEXTS]
            assert expected == model.encode(Texts.from_list(TEXTS), add, True).to_list()
        assert able.decodes == (name != "text-generation-inference 3.3.4")
        if able.decodes:
            rows = Ids.from_list([ids_of(text.decode()) for text in TEXTS])
            assert TEXTS == model.decode(rows, able.skip_special[0]).to_list()


def test_what_makes_no_difference_is_asked() -> None:
    """A server that always recognizes special tokens: texts without any are asked, one with one is unsupported."""
    with served(SHAPES["vLLM 0.10.0"]) as (url, _), Client(url, MODEL) as client:
        assert "vLLM 0.10.0" == client.wait_ready()
        results = client.encode(Texts.from_list([b"a", b"x<s>", b"b"]), False, False)
        assert [(1, "unsupported")] == [(i, failure.kind) for i, failure in results.failures]
        assert [[97], [], [98]] == results.ids.to_list()
        alone = client.encode(Texts.from_list([b"x<s>"]), False, True)
        assert [ids_of("x<s>")] == alone.ids.to_list()


def test_only_the_url_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A redirection is not followed, and the environment's proxies are none of its business."""
    with served({}) as (other, others), served({"/props": lambda said: (302, f"{other}/props")}) as (url, asked):
        monkeypatch.setenv("HTTP_PROXY", other)
        with pytest.raises(EngineError, match=r"redirects to .*; name that URL, if you trust it"):
            engines.get(url).open(MODEL, {})
        assert (["/props"], []) == (asked, others)


def test_a_proxy_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """TOKPARITY_HTTP_PROXY names one, and then all goes there."""
    with served({}) as (proxy, asked):
        monkeypatch.setenv("TOKPARITY_HTTP_PROXY", proxy)
        with pytest.raises(EngineError, match="not a server that tokparity knows"):
            engines.get("http://server.invalid").open(MODEL, {})
        assert "http://server.invalid/props" == asked[0]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (b"<html>", "the answer of /tokenize cannot be read: b'<html>' is not JSON"),
        (b'{"tokens": [1], "tokens": [2]}', "has the key 'tokens' twice in one object"),
        ((200, {"tokens": [1, True]}), "returned bool True as an id"),
        ((200, {"tokens": "1 2"}), "returned str '1 2' for a text, not a list of ids"),
        ((200, {"tokens": [1.5]}), "returned float 1.5 as an id"),
        ((200, {"tokens": [-1]}), "gave id -1; let it return no id below 0"),
        ((200, {"ids": [1]}), "which does not contain the answer"),
        ((200, [1]), "which does not contain the answer"),
        ((401, {"error": "key"}), "asks for a key"),
        ((500, {"error": "boom"}), "answered 500"),
        ((503, {"error": "loading"}), "answered 503"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_wrong_answers(reply: object, words: str) -> None:
    """Each is the failure of its text, with a message that says what to mend."""
    wrong = {**SHAPES[LLAMA], "/tokenize": lambda said: reply if said["content"] == "b" else (200, {"tokens": [7]})}
    with served(wrong) as (url, _), Client(url, MODEL) as client:
        results = client.encode(Texts.from_list([b"a", b"b", b"c"]), False, False)
        assert [(1, "error")] == [(i, failure.kind) for i, failure in results.failures]
        assert words in results.failed[1].message
        assert [[7], [], [7]] == results.ids.to_list()


def test_an_answer_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up at the limit."""
    monkeypatch.setattr(endpoint, "_MOST", 1 << 20)
    flood = {"/props": lambda said: b" " * (2 << 20)}
    with served(flood) as (url, _), pytest.raises(EngineError, match="answered more than 1 MiB"):
        engines.get(url).open(MODEL, {})


def test_a_server_that_sends_byte_by_byte_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, and all of them never would."""
    monkeypatch.setattr(endpoint, "_WHOLE", 0.3)
    with trickling(0.05) as url, pytest.raises(EngineError, match=r"/props sent \d+ bytes in 0 s, and no end"):
        engines.get(url).open(MODEL, {})


@pytest.mark.parametrize("said", ["x" * 10_000_000, ["x"] * 1_000_000])
def test_a_version_without_end_is_refused(said: object, capsys: pytest.CaptureFixture[str]) -> None:
    """What a server says of itself stands on every page of a report."""
    with served({**SHAPES[LLAMA], "/props": lambda _: (200, {"build_info": said})}) as (url, _):
        assert 3 == main(["diff", "small-spm", "a", "--engine", url])
    error = capsys.readouterr().err
    assert ("engine's version is " in error, True) == (True, len(error) < 1000)


def test_a_busy_server_is_asked_again() -> None:
    """What is busy for a moment is not a failure."""
    replies = iter([(503, {}), (429, {})])
    busy = {**SHAPES[LLAMA], "/tokenize": lambda said: next(replies, (200, {"tokens": [7]}))}
    with served(busy) as (url, asked):
        model = engines.get(url).open(MODEL, {})
        assert [[7]] == model.encode(Texts.from_list([b"a"]), False, False).to_list()
        assert ["/props", "/tokenize", "/tokenize", "/tokenize"] == asked


@pytest.mark.parametrize(
    ("url", "error", "words"),
    [
        ("http:nowhere", UsageError, "names no URL"),
        ("http:ftp://a", UsageError, "names no URL"),
        ("http://user:secret@a", UsageError, "a key goes into TOKPARITY_HTTP_KEY"),
        ("http://[::1", UsageError, "names no URL"),
        ("http://a:port", UsageError, "names no URL"),
        ("http://a?x=1", UsageError, "has a user, a query or a fragment"),
    ],
)
def test_what_is_no_url(url: str, error: type[Exception], words: str) -> None:
    """A usage error, which does not repeat a password."""
    with pytest.raises(error) as raised:
        engines.get(url)
    assert words in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_description_that_says_nothing_is_no_server_of_ours() -> None:
    """`info` may be anything; the version is then not known."""
    for info in ("x", None, [], {"version": 3}):
        for server in (servers.LLAMA_CPP_PYTHON, servers.VLLM):
            assert ("3" if isinstance(info, dict) else "") == server.version({"info": info})


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    """One line with the next step, exit 3; so for a server that nobody knows."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        assert 3 == main(["diff", "small-spm", "a", "--engine", url])
    assert "see whether the server runs" in capsys.readouterr().err
    with served({"/openapi.json": lambda said: (200, {"paths": dict(list(PATHS.items())[:1])})}) as (url, _):
        assert 3 == main(["diff", "small-spm", "a", "--engine", url])
    assert "is not a server that tokparity knows; it knows llama.cpp's server, " in capsys.readouterr().err


@pytest.fixture(scope="module")
def llama_cpp_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real server of llama-cpp-python with a vocabulary only."""
    path = tmp_path_factory.mktemp("server") / "small.gguf"
    formats.write(primary_source(load("small-spm")), "gguf", path)
    yield from _running(path)


def _running(path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--model", str(path), "--vocab_only", "true", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "llama_cpp.server", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert server.poll() is None, "the server ended"
        try:
            return httpx.get(f"{url}/openapi.json", trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    try:
        wait_until(answers)
        yield url
    finally:
        server.kill()
        server.wait()


def test_the_real_server(llama_cpp_python: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It gives what llama.cpp gives, keeps to the rules, and where a special token is spelled it is not asked."""
    assert 0 == main(["diff", "small-spm", "naïve café", "--engine", llama_cpp_python])
    assert 2 == capsys.readouterr().out.count("[1, 455, 2748, 716, 282, 1178, 1205, 1306]")
    assert 0 == main(["diff", "small-spm", "a<s>", "--engine", llama_cpp_python])
    assert "unsupported: llama-cpp-python's server always recognizes special tokens" in capsys.readouterr().out
    assert 0 == main(["engine-test", llama_cpp_python, "small-spm"])
    out = capsys.readouterr().out
    assert ", 0 wrong, " in out
    assert "gives the ids of sentencepiece for 11 of 11 texts" in out


ABLE = {"decodes": True, "streams": True, "spans": True, "add_special": [False, True], "skip_special": [False, True]}
OWN: Answers = {
    "/hello": lambda said: (200, {"protocol": 1, "name": "own", "version": "2", "capabilities": ABLE}),
    "/encode": lambda said: (200, {"ids": [with_bos(text, said["add_special"]) for text in said["texts"]]}),
    "/decode": lambda said: (200, {"texts": [text_of(row) for row in said["ids"]]}),
    "/spans": lambda said: (
        200,
        {
            "ids": [with_bos(text, said["add_special"]) for text in said["texts"]],
            "spans": [
                {"error": "a guilty text"} if "!" in text else [[i, i + 1] for i in range(len(text))]
                for text in said["texts"]
            ],
        },
    ),
    "/stream": lambda said: (
        200,
        {"deltas": [{"error": "a guilty id"} if 33 in row else [*map(chr, row), ""] for row in said["ids"]]},
    ),
}
"""A server that answers the exec protocol, each request at the path that is called like it."""


def test_a_server_of_the_exec_protocol_encodes_decodes_and_streams() -> None:
    """It says itself what it can be asked; streams are judged as those of a program."""
    with served(OWN) as (url, _), Client(url, MODEL) as client:
        assert "a server of the exec protocol own 2" == client.wait_ready()
        assert (True, (False, True)) == (client.capabilities.streams, client.capabilities.skip_special)
        assert [[1, 97]] == client.encode(Texts.from_list([b"a"]), True, False).ids.to_list()  # type: ignore[union-attr]
        assert b"ab" == client.decode(Ids.from_list([[97, 98]]), False).text(0)
        rows = Ids.from_list([Stream((97, 98)).row, Stream((97, 33)).row])
        right, refused = (client.submit_decode(rows, True, Kind.STREAM).result().outcome(i) for i in (0, 1))
        assert Streaming((b"a", b"b", b"")) == right
        assert isinstance(refused, Failure)
        assert "the adapter says: a guilty id" in refused.message


def test_a_server_of_the_exec_protocol_gives_spans() -> None:
    """A text that it refuses is its own failure, and so is an answer that has no spans."""
    with served(OWN) as (url, _), Client(url, MODEL) as client:
        client.wait_ready()
        right, refused = (
            client.submit_spans(Texts.from_list([b"ab", b"!"]), False, False).result().outcome(i) for i in (0, 1)
        )
        assert Spanning((97, 98), ((0, 1), (1, 2))) == right
        assert isinstance(refused, Failure)
        assert "the adapter says: a guilty text" in refused.message
    with served({**OWN, "/spans": OWN["/encode"]}) as (url, _), Client(url, MODEL) as client:
        client.wait_ready()
        without = client.submit_spans(Texts.from_list([b"ab"]), False, False).result().outcome(0)
        assert isinstance(without, Failure)
        assert "/spans answered" in without.message


def test_a_server_that_is_away_in_a_stream_is_no_failure_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with texts: it is waited for."""
    calls = iter([200, *[503] * 99])
    away: Answers = {**OWN, "/hello": lambda said: (next(calls), {"protocol": 1, "capabilities": ABLE})}
    with served({**away, "/stream": lambda said: (503, "busy")}) as (url, _), Client(url, MODEL) as client:
        client.wait_ready()
        found = client.submit_decode(Ids.from_list([Stream((97,)).row]), True, Kind.STREAM).result().outcome(0)
        assert isinstance(found, Failure)
        assert "away" == found.kind


def test_what_a_server_says_wrongly_of_itself_is_told() -> None:
    """As of a program."""
    wrong: Answers = {**OWN, "/hello": lambda said: (200, {"protocol": 1, "capabilities": {"sings": True}})}
    with served(wrong) as (url, _), pytest.raises(EngineError, match="'sings' is unknown"):
        engines.get(url).open(MODEL, {})
