"""The command on real clusters of Dask: whatever is killed in the middle, the report is that of a sweep left alone."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.report.file import read
from tokparity.sources import corpus
from tokparity.sweep import run as sweep_run

TESTS = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])}
ENGINES = ("--engine", "llama.cpp", "--engine", "tokenizers")
TIMES = {"seconds", "started", "command"}


def written(path: Path, megabytes: float) -> Path:
    """So much text in many languages, some lines of it twice."""
    lines = [case.question.text for case in corpus.load("languages")]
    lines = [line for line in lines if b"\n" not in line]
    data = b"\n".join(lines)
    while len(data) < megabytes * 2**20:
        data += b"\n" + b"\n".join(b"%d %s" % (len(data), line) for line in lines)
    path.write_bytes(data + b"\n" + data[: 100 << 10])
    return path


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A third of a megabyte."""
    return written(tmp_path_factory.mktemp("text") / "text.txt", 1 / 3)


def command(out: Path, *more: str) -> list[str]:
    """The words of a sweep's command line."""
    return [sys.executable, "-m", "tokparity", "sweep", "--out", str(out), *more]


def begun(text: Path, out: Path, *more: str) -> list[str]:
    """Those of one that begins."""
    return command(out, "small-bpe", "--text", str(text), *ENGINES, "--shard", "50KB", *more)


def swept(words: list[str], code: int = 0) -> subprocess.CompletedProcess[bytes]:
    """A sweep that is left alone."""
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, timeout=240, check=False)
    assert code == done.returncode, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done


def told(out: Path) -> list[object]:
    """All records of the report, without times."""
    records = [json.loads(line) for line in (out / "report.jsonl").read_bytes().splitlines()]
    return [{name: value for name, value in record.items() if name not in TIMES} for record in records]


@pytest.fixture(scope="module")
def alone(text: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one process over the whole text, in one shard."""
    out = tmp_path_factory.mktemp("alone")
    swept(command(out, "small-bpe", "--text", str(text), *ENGINES, "--shard", "1GB", "--workers", "1"))
    return out


def units(out: Path) -> int:
    """How many are finished."""
    return len(list((out / "units").glob("*.parquet")))


def until(child: subprocess.Popen[bytes], out: Path, finished: int) -> None:
    """Wait until so many units are finished."""
    deadline = time.monotonic() + 180
    while child.poll() is None and units(out) < finished and time.monotonic() < deadline:
        time.sleep(0.05)
    assert child.poll() is None


def below(pid: int, words: str) -> list[int]:
    """The processes that this one started, and those started, with such words in their command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if words in line and pid in ancestors(int(folder.name)):
            found.append(int(folder.name))
    return sorted(found)


def ancestors(pid: int) -> Iterator[int]:
    """The parent, its parent, and so on."""
    while pid > 1:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            return
        yield pid


def test_what_a_sweep_reports(text: Path, alone: Path, tmp_path: Path) -> None:
    """It is what a run over the same text reports, and does not depend on shards and workers."""
    done = swept(begun(text, tmp_path / "cut", "--workers", "2"))
    assert told(alone) == told(tmp_path / "cut")
    assert b"core-seconds: tokenizers" in done.stdout
    assert re.search(rb"small-bpe: [\d,]+ cases on 2 engines.*: ", done.stdout + done.stderr)
    assert re.search(rb"dashboard: http://127\.0\.0\.1:\d+/status", done.stderr)
    assert 0 == main(
        ["run", "small-bpe", "--corpus", str(text), "--cases", "0", *ENGINES, "--out", str(tmp_path / "r")]
    )
    ours, theirs = read(alone / "report.jsonl"), read(tmp_path / "r" / "report.jsonl")
    for mine, other in zip(ours.pairs, theirs.pairs, strict=True):
        assert (mine.engine, mine.cases, mine.equal, dict(mine.kinds)) == (
            other.engine, other.cases, other.equal, dict(other.kinds)
        )  # fmt: skip
    # A finding says on how many texts it was looked at, and in a sweep a text that comes again is only counted.
    found = [[(f.engine, f.quirks, f.status) for f in report.findings] for report in (ours, theirs)]
    assert found[0] == found[1]


@pytest.mark.weekly
def test_kill_9_in_a_large_sweep(tmp_path: Path) -> None:
    """The same with twenty megabytes and units of one."""
    text, alone = written(tmp_path / "text.txt", 20), tmp_path / "alone"
    swept(begun(text, alone, "--shard", "1GB", "--workers", "1"))
    killed_and_resumed(text, alone, tmp_path / "out", "1000KB")


def test_kill_9_of_an_engine_a_worker_and_the_client(text: Path, alone: Path, tmp_path: Path) -> None:
    """No finished unit is lost, no count is wrong, and only what is missing is done again."""
    killed_and_resumed(text, alone, tmp_path / "out", "17KB")


def killed_and_resumed(text: Path, alone: Path, out: Path, shard: str) -> None:
    """A sweep of which an engine, a worker and the client are killed reports what one left alone does."""
    words = begun(text, out, "--shard", shard)
    with subprocess.Popen(words, env=ENVIRONMENT, stdout=-3, stderr=-3) as child:
        until(child, out, 2)
        os.kill(below(child.pid, "tokparity.engines.process.fork_server")[-1], signal.SIGKILL)
        until(child, out, 4)
        os.kill(below(child.pid, "spawn_main")[-1], signal.SIGKILL)
        until(child, out, 6)
        child.kill()
    finished = {path: path.stat().st_mtime_ns for path in (out / "units").glob("*.parquet")}
    swept([sys.executable, "-m", "tokparity", "sweep", "--resume", str(out)])
    assert told(alone) == told(out)
    assert finished == {path: path.stat().st_mtime_ns for path in finished}


@pytest.mark.nightly
def test_a_second_interrupt_says_how_to_go_on_as_well(text: Path, tmp_path: Path) -> None:
    """Ctrl-C twice does not wait for what is under way; what was finished is kept all the same."""
    with subprocess.Popen(begun(text, tmp_path / "out"), env=ENVIRONMENT, stdout=-1, stderr=-1) as child:
        until(child, tmp_path / "out", 2)
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=120)
    assert (130, True) == (child.returncode, b"does the rest" in err), err.decode()
    assert b"before there was anything to report" not in err


@pytest.mark.nightly
def test_an_interrupt_and_a_full_disk(
    text: Path, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C says how to go on; a full disk ends the sweep with its own exit code; with room again it goes on."""
    with subprocess.Popen(begun(text, tmp_path), env=ENVIRONMENT, stdout=-1, stderr=-1) as child:
        until(child, tmp_path, 2)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=120)
    assert (130, True) == (child.returncode, f"`tokparity sweep --resume {tmp_path}` does the rest" in err.decode())
    put, finished = sweep_run.put, units(tmp_path)

    def full(path: Path, data: bytes) -> None:
        if units(tmp_path) == finished + 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        put(path, data)

    words = command(tmp_path, "--resume")
    with monkeypatch.context() as patch:
        patch.setattr(sweep_run, "put", full)
        assert 74 == main(words[3:])
    assert f"`tokparity sweep --resume {tmp_path}` does the rest" in capsys.readouterr().err
    assert finished + 2 == units(tmp_path)
    swept(words)
    assert told(alone) == told(tmp_path)


@pytest.mark.nightly
def test_workers_that_do_not_end_in_time_change_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a busy machine Dask gives up waiting for them: they are killed, and what was found is told."""
    from distributed import nanny

    async def kill(process: object, **how: object) -> None:
        raise TimeoutError

    (tmp_path / "t.txt").write_bytes(b"one\ntwo\n")
    before = set(below(os.getpid(), "spawn_main"))
    with monkeypatch.context() as patch:
        patch.setattr(nanny.WorkerProcess, "kill", kill)
        assert 0 == main(begun(tmp_path / "t.txt", tmp_path / "out", "--workers", "1")[3:])
    assert "No new findings" in capsys.readouterr().out
    deadline = time.monotonic() + 20
    while (left := set(below(os.getpid(), "spawn_main")) - before) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not left


def dask(*words: str) -> subprocess.Popen[bytes]:
    """A process of Dask's own command."""
    return subprocess.Popen([sys.executable, "-m", "dask", *words], env=ENVIRONMENT, stdout=-3, stderr=-3)


def scheduler(file: Path, port: str = "0") -> tuple[subprocess.Popen[bytes], str]:
    """A scheduler, and its address."""
    file.unlink(missing_ok=True)
    process = dask("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", "--scheduler-file", str(file))
    while not file.exists():
        assert process.poll() is None
        time.sleep(0.1)
    time.sleep(0.5)
    return process, str(json.loads(file.read_text())["address"])


@pytest.mark.nightly
def test_scheduler_and_workers_of_their_own(text: Path, alone: Path, tmp_path: Path) -> None:
    """As on a cluster; a scheduler that is killed is told, and with another one the sweep goes on."""
    out = tmp_path / "out"
    first, address = scheduler(tmp_path / "s.json")
    workers = [dask("worker", address, "--nthreads", "1", "--no-dashboard") for _ in range(2)]
    processes = [first, *workers]
    try:
        with subprocess.Popen(begun(text, out, "--scheduler", address), env=ENVIRONMENT, stderr=-1, stdout=-3) as child:
            until(child, out, 2)
            first.kill()
            _, err = child.communicate(timeout=120)
        assert (3, True) == (child.returncode, "the scheduler of Dask is gone" in err.decode()), err.decode()
        assert "Traceback" not in err.decode()
        second, address = scheduler(tmp_path / "s.json")
        processes += [second, dask("worker", address, "--nthreads", "1", "--no-dashboard")]
        swept(command(out, "--resume", "--scheduler", address))
        assert told(alone) == told(out)
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.nightly
def test_damaged_text_is_told_and_the_rest_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Exit 3 with the list; what can be read is compared, and the report says what was not."""
    import gzip

    (tmp_path / "a.txt").write_bytes(b"one\n" + b"x" * (9 << 20) + b"\ntwo\n\xff\n")
    packed = gzip.compress(b"\n".join(b"line %d" % number for number in range(100_000)))
    (tmp_path / "b.txt.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "c.parquet").write_bytes(b"PAR1 no more")
    out = tmp_path / "out"
    words = ["sweep", "small-bpe", "--text", str(tmp_path / "?.*"), *ENGINES, "--workers", "1", "--out", str(out)]
    assert 3 == main(words)
    err = capfd.readouterr().err
    notes = [note for note in read(out / "report.jsonl").notes if note.startswith("not compared: ")]
    assert 3 == len(notes)
    for note, place in zip(notes, ("c.parquet", "a.txt, byte 4", "b.txt.gz, line "), strict=True):
        assert f"{tmp_path}/{place}" in note
        assert note in err
    (pair,) = (pair for pair in read(out / "report.jsonl").pairs if pair.engine == "llama.cpp")
    assert pair.cases > 5_000


@pytest.mark.nightly
def test_without_a_text_that_was_compared_there_is_no_verdict(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What a sweep asks beside its text proves nothing about the text: exit 3, which the last report says as well."""
    import gzip

    (tmp_path / "empty.txt.gz").write_bytes(gzip.compress(b""))
    (tmp_path / "latin1.txt").write_bytes("é à ü\n".encode("latin-1") * 3)
    for name, why in (("empty.txt.gz", "there is no text"), ("latin1.txt", "none of 3 texts could be put")):
        out = tmp_path / name.partition(".")[0]
        words = ["sweep", "small-bpe", "--text", str(tmp_path / name), "--engine", "tokenizers", "--workers", "1"]
        words += ["--engine", "transformers", "--out", str(out)]
        assert 3 == main(words)
        said = capfd.readouterr()
        assert f"not compared: small-bpe: {why}" in said.err
        assert "No verdict: nothing was compared." in said.out
        assert "No new findings" not in said.out
        assert 3 == main(["sweep", "--resume", str(out)])
        assert "tokenizers 0, transformers 0" in said.out or "by engine: none" in said.out


@pytest.mark.nightly
def test_a_sweep_is_resumed_as_it_began(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With another text, model, engine or shard the results would not belong together: exit 2."""
    text, out = tmp_path / "t.txt", tmp_path / "out"
    text.write_bytes(b"some text\n")
    assert 0 == main(begun(text, out, "--workers", "1")[3:])
    resumed = ["sweep", "--resume", str(out)]
    assert 0 == main(resumed)  # nothing is missing: only the report is made again
    for change, words in (
        (["small-spm"], "had another model or model file"),
        (["--engine", "llama.cpp"], "was made with other engines"),
        (["--shard", "1MB"], "had another --shard"),
        (["--field", "body"], "had another --field"),
        (["--decode", "8"], "had another --decode"),
    ):
        assert 2 == main([*resumed, *change])
        assert words in capsys.readouterr().err
    assert 2 == main(begun(text, out)[3:])
    assert "already holds a sweep" in capsys.readouterr().err
    text.write_bytes(b"some other text\n")
    assert 2 == main(resumed)
    assert "had another text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--text", "t.txt", "small-bpe"], "--out is missing"),
        (["--out", "o", "small-bpe"], "--text is missing"),
        (["--resume"], "--resume finds no sweep"),
        (["--resume", "--out", "."], "there is no sweep in '.'"),
        (["--text", "t.txt", "--out", "o", "small-bpe", "--memory", "much"], "--memory 'much' is not a size"),
        (["--text", "t.txt", "--out", "o", "small-bpe", "--decode", "0"], "--decode '0' is not a number of texts"),
        (["--text", "t.txt", "--out", "o", "small-bpe", "--workers", "0"], "--workers 0 starts no worker"),
        (["--text", "t.txt", "--out", "o", "small-bpe", "--memory", "2"], "--memory '2' is less than a worker takes"),
        (["--text", "http://127.0.0.1:9/t.txt", "--out", "o", "small-bpe"], "Connect call failed ('127.0.0.1', 9)"),
        (
            ["--text", "t.txt", "--out", "o", "small-bpe", "--scheduler", "tcp://127.0.0.1:9"],
            "no scheduler of Dask answers at 'tcp://127.0.0.1:9'",
        ),
    ],
)
def test_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """One line that says what to do, before anything is started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.txt").write_bytes(b"a\n")
    assert 2 == main(["sweep", *words])
    assert said in capsys.readouterr().err
    assert not Path("o").exists()  # nothing is there that the right command would be held against


def test_without_its_libraries_it_says_which(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that names the extra."""
    monkeypatch.setattr("tokparity.sweep.cluster.find_spec", lambda name: None)
    assert 3 == main(["sweep", "--text", "t.txt", "small-bpe", "--out", "o"])
    assert "pip install 'tokparity[sweep]'" in capsys.readouterr().err
