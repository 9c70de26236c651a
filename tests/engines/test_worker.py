"""What becomes of a run whose engine crashes, hangs, lies or floods."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path

import pytest

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.process.child import Child, Garbage
from tokparity.engines.process.client import Client
from tokparity.engines.process.frames import LENGTH
from tokparity.engines.results import Results
from tokparity.errors import EngineError, MissingDependencyError
from tokparity.outcome import Encoding, Failure

GIGABYTE = 1 << 30


def _texts(count: int, *guilty: int) -> list[bytes]:
    return [b"guilty %d" % i if i in guilty else b"text %d" % i for i in range(count)]


def _run(engine: str, batches: list[list[bytes]], timeout: float = 20.0) -> list[Results]:
    """All batches, submitted at once and collected in order."""
    with Client(engine, "", timeout=timeout, memory=GIGABYTE) as client:
        tickets = [client.submit(Texts.from_list(batch), False, False, decode_skip_special=False) for batch in batches]
        return [ticket.result() for ticket in tickets]


def _check_others(batches: list[list[bytes]], results: list[Results]) -> None:
    """Every case that is not guilty has its right answer."""
    for batch, result in zip(batches, results, strict=True):
        for i, text in enumerate(batch):
            if b"guilty" not in text:
                assert Encoding(tuple(text), text) == result.outcome(i)


@pytest.mark.parametrize(
    ("engine", "kind", "number", "words"),
    [
        ("Killed", "crash", signal.SIGKILL, "SIGKILL"),
        ("Segfaults", "crash", signal.SIGSEGV, "last words"),
        ("Exits", "crash", None, "exit code 7"),
        ("Raises", "error", None, "ValueError: it is the guilty text"),
        ("Allocates", "memory", signal.SIGABRT, "memory allocation of"),
        ("WrongLength", "error", None, "0 answers to a batch of 1"),
        ("NoBuffer", "error", None, "NoneType"),
        ("Garbles", "error", None, "garbled answer"),
    ],
)
def test_guilty_texts_alone_fail(engine: str, kind: str, number: int | None, words: str) -> None:
    """Two guilty texts in one batch are both found, and no other case of any batch is lost."""
    batches = [_texts(20), _texts(50, 7, 31), _texts(20), _texts(1, 0), _texts(3)]
    results = _run(f"fakes:{engine}", batches, timeout=20.0)
    assert [[], [7, 31], [], [0], []] == [[i for i, _ in result.failures] for result in results]
    for result in results:
        for _, failure in result.failures:
            assert kind == failure.kind
            assert number == failure.signal
            assert words in failure.message
    _check_others(batches, results)


def test_a_failure_for_want_of_memory_says_how_much_there_was() -> None:
    """In the words of whoever reads the report."""
    (result,) = _run("fakes:Allocates", [_texts(2, 1)])
    assert result.failed[1].message.endswith(" failed (it may take 1.0 GiB beyond its model)")


def test_address_space_that_is_only_reserved_is_no_memory() -> None:
    """An engine of WebAssembly answers."""
    (result,) = _run("fakes:Reserves", [_texts(2)])
    assert () == tuple(result.failures)


def test_an_engine_that_hangs_twice_is_asked_no_more() -> None:
    """Both texts fail alone; what comes before them is answered, and what comes after them is not waited for."""
    batches = [_texts(20), _texts(50, 7, 31), _texts(20)]
    results = _run("fakes:Hangs", batches, timeout=0.4)
    assert [[], [7, 31, *range(32, 50)], list(range(20))] == [[i for i, _ in result.failures] for result in results]
    kinds = {i: failure.kind for i, failure in results[1].failures}
    assert ("timeout", "timeout", "unavailable") == (kinds[7], kinds[31], kinds[32])
    assert "no answer within" in results[1].failed[7].message
    assert "hung on 2 texts before" in results[2].failed[0].message


def test_a_batch_of_which_every_text_kills_is_left_and_the_next_is_asked() -> None:
    """Once that has taken as long as a batch may; a text that it answers between begins the count anew."""
    first, second = _run("fakes:DiesSlowly", [_texts(60, *range(60)), _texts(5)], timeout=0.3)
    kinds = [failure.kind for _, failure in first.failures]
    assert (60, "crash", "unavailable") == (len(kinds), kinds[9], kinds[-1])
    died = f"died of the {kinds.count('crash')} texts before, one after the other"
    assert first.failed[59].message.endswith(died)
    assert () == tuple(second.failures)
    (every_other,) = _run("fakes:DiesSlowly", [_texts(60, *range(0, 60, 2))], timeout=0.3)
    assert ["crash"] * 30 == [failure.kind for _, failure in every_other.failures]


def test_an_engine_that_dies_of_everything_is_asked_no_more() -> None:
    """After three such batches, also of what it might have answered."""
    *_, third, last = _run("fakes:DiesSlowly", [*[_texts(60, *range(60))] * 3, _texts(5)], timeout=0.3)
    assert "crash" == third.failed[0].kind
    assert {"unavailable"} == {failure.kind for _, failure in last.failures}
    assert last.failed[0].message.endswith("one after the other, as in 2 batches before")


def test_lanes_share_the_batches() -> None:
    """With several children, crashes in one leave the others' batches alone, and results keep their order."""
    batches = [_texts(30, *([i] if i % 3 == 0 else [])) for i in range(20)]
    with Client("fakes:Segfaults", "", lanes=3) as client:
        tickets = [client.submit(Texts.from_list(batch), False, False, decode_skip_special=False) for batch in batches]
        results = [ticket.result() for ticket in tickets]
        assert client.restarts >= 7
    assert [[i] if i % 3 == 0 else [] for i in range(20)] == [[j for j, _ in result.failures] for result in results]
    _check_others(batches, results)


def test_a_whole_batch_of_guilty_texts() -> None:
    """Every text of a batch kills the engine, each is its own failure, and the next batch is answered."""
    batches = [_texts(40, *range(40)), _texts(5)]
    results = _run("fakes:Segfaults", batches)
    assert [(i, "crash") for i in range(40)] == [(i, failure.kind) for i, failure in results[0].failures]
    _check_others(batches, results)


@pytest.mark.parametrize("engine", ["Floods", "FloodsOpening"])
def test_a_flood_of_output_blocks_nothing(engine: str) -> None:
    """An engine that floods stdout and stderr is read out and its answers arrive."""
    batches = [_texts(10, 3), _texts(10)]
    results = _run(f"fakes:{engine}", batches)
    assert [(), ()] == [result.failures for result in results]
    assert b"guilty 3" == results[0].decoded[3]


def test_a_worker_killed_from_outside_loses_nothing() -> None:
    """The worker and its child are killed with batches in flight; all are answered by the next worker."""
    with Client("fakes:Bytes", "", memory=None) as client:
        client.wait_ready()
        tickets = [client.submit(Texts.from_list(_texts(2000)), False, False) for _ in range(20)]
        tickets[0].result()
        os.killpg(client.worker_pid, signal.SIGKILL)
        for ticket in tickets:
            assert () == ticket.result().failures
            assert list(b"text 1999") == ticket.result().ids[1999].tolist()
        assert client.restarts >= 1


def test_a_crash_in_decoding() -> None:
    """A failing list of ids alone fails."""
    with Client("fakes:Bytes", "") as client:
        result = client.decode(Ids.from_list([[65, 66], [300], [], [67]]), False)
    assert [(1, "error")] == [(i, failure.kind) for i, failure in result.failures]
    assert [b"AB", b"", b"", b"C"] == result.decoded.to_list()


@pytest.mark.parametrize(
    ("engine", "error", "words"),
    [
        ("Refuses", EngineError, "cannot load 'model'; the library said why"),
        ("DiesOpening", EngineError, "SIGABRT: duplicate piece"),
        ("AllocatesOpening", EngineError, "MemoryError"),
        ("HangsOpening", EngineError, "did not open the model in time"),
        ("NotInstalled", MissingDependencyError, "pip install fakelib"),
    ],
)
def test_an_engine_that_cannot_open_is_unavailable(
    engine: str, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening fails with one error, and so does every batch, submitted before or after."""
    monkeypatch.setattr("tokparity.engines.process.client._OPENING", 1.0 if engine == "HangsOpening" else 60.0)
    with Client(f"fakes:{engine}", "model", memory=GIGABYTE) as client:
        early = client.submit(Texts.from_list([b"a"]), False, False)
        with pytest.raises(error, match=words):
            client.wait_ready()
        with pytest.raises(error, match=words):
            early.result()
        with pytest.raises(error, match=words):
            client.encode(Texts.from_list([b"a"]), False, False)


def test_an_answer_that_claims_too_much_is_refused() -> None:
    """More than 4 GiB are not waited for, and nothing is allocated for them."""
    with closing(Child()) as child:
        requests, answers, noise = child.theirs
        os.write(answers, LENGTH.pack((4 << 30) + 1))
        with pytest.raises(Garbage, match="claims 4294967297 bytes"):
            list(child.exchange({child.sources[0]}))
        for fd in (requests, answers, noise):
            os.close(fd)


def test_what_an_engine_cannot_be_asked_is_unsupported() -> None:
    """Invalid UTF-8 and flags beyond the capabilities are never sent and are no other kind of failure."""
    texts = Texts.from_list([b"a", b"\xff", "é".encode(), b"\xc3", b"\xa9"])
    with Client("fakes:StrOnly", "") as client:
        result = client.encode(texts, False, False)
        assert [1, 3, 4] == [i for i, failure in result.failures if failure.kind == "unsupported"]
        assert [[97], [], [0xC3, 0xA9], [], []] == result.ids.to_list()
        parsed = client.encode(texts, False, True)
        assert {Failure("unsupported", "fakes:StrOnly cannot be asked for parse_special=True")} == set(
            parsed.failed.values()
        )
        assert 5 == len(parsed.failures)
        skipped = client.decode(Ids.from_list([[1]]), True)
        assert "fakes:StrOnly cannot be asked for skip_special=True" == skipped.failed[0].message
    with Client("fakes:Silent", "") as client:
        assert "fakes:Silent does not decode" == client.decode(Ids.from_list([[1]]), False).failed[0].message


def test_empty_batches() -> None:
    """A batch without cases is answered like any other."""
    with Client("fakes:Bytes", "") as client:
        assert 0 == len(client.encode(Texts.from_list([]), False, False).ids)
        assert 0 == len(client.decode(Ids.from_list([]), False).decoded)


def test_closing_with_batches_in_flight() -> None:
    """Whoever still waits is told, at once."""
    client = Client("fakes:Hangs", "", timeout=1000)
    client.wait_ready()
    ticket = client.submit(Texts.from_list([b"guilty"]), False, False)
    client.close()
    with pytest.raises(EngineError, match="closed before it answered"):
        ticket.result()


def test_workers_die_with_their_parent(tmp_path: Path) -> None:
    """After kill -9 of the run, neither the worker nor its hanging child is left."""
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from tokparity.engines.buffers import Texts
        from tokparity.engines.process.client import Client
        client = Client("fakes:Hangs", "", timeout=1000)
        client.wait_ready()
        client.submit(Texts.from_list([b"x"]), False, False).result()
        ticket = client.submit(Texts.from_list([b"guilty"]), False, False)
        print(client.worker_pid, flush=True)
        ticket.result()
        """)
    )
    run = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE)
    assert run.stdout is not None
    group = int(run.stdout.readline())
    run.kill()
    run.wait()
    run.stdout.close()
    deadline = time.monotonic() + 10
    while _alive(group) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _alive(group)


def _alive(group: int) -> bool:
    """Whether the process group has a member that is not a zombie."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            return True
    return False
