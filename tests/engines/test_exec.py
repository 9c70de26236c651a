"""Programs as engines: adapters in five languages, and those that misbehave, each in one way."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from tests.rings import nightly_but
from tokparity import engines
from tokparity.cli import main
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.command import _filled
from tokparity.engines.process.client import Client
from tokparity.errors import EngineError, TokparityError, UsageError
from tokparity.outcome import Encoding

pytestmark = pytest.mark.usefixtures("few_texts")

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "adapters"
BAD = f"exec:{sys.executable} {Path(__file__).parent / 'bad_adapter.py'}"
TEXTS = ["", "ab", 'a "quoted" \\ text\n\t\r\x08\x0c\x01', "naïve\u2028 ❤️", "] , [", '"add_special": true'] * 3
BUILDS = {
    "adapter.c": ("cc", ["cc", "-O2", "-o", "{out}", "{source}"], "{out}"),
    "adapter.rs": ("rustc", ["rustc", "-O", "-o", "{out}", "{source}"], "{out}"),
    "adapter.go": ("go", ["go", "build", "-o", "{out}", "{source}"], "{out}"),
    "adapter.js": ("node", [], "node {source}"),
    "adapter.py": (sys.executable, [], f"{sys.executable} {{source}}"),
}


@pytest.mark.parametrize("name", sorted(BUILDS))
def test_an_adapter_in_60_lines(name: str, tmp_path: Path) -> None:
    """It is built where its compiler is, answers all texts, and is as short as it promises to be."""
    tool, build, run = BUILDS[name]
    source = ADAPTERS / name
    assert 60 >= len(source.read_text(encoding="utf-8").splitlines())
    if shutil.which(tool) is None:
        pytest.skip(f"no compiler here: {tool}")
    places = {"out": str(tmp_path / "adapter"), "source": str(source)}
    if build:
        subprocess.run([word.format(**places) for word in build], check=True, capture_output=True)
    texts = [text.encode() for text in TEXTS]
    with Client(f"exec:{run.format(**places)}", "model") as client:
        client.wait_ready()
        for add_special in (False, True):
            rows = client.encode(Texts.from_list(texts), add_special, False).ids.to_list()
            assert [[1] * add_special + [3 + byte for byte in text] for text in texts] == rows
        if client.capabilities.decodes:
            ids = Ids.from_list([[1, *(3 + byte for byte in text)] for text in texts])
            assert texts == client.decode(ids, True).decoded.to_list()
        if client.capabilities.invalid_utf8:
            assert [[258]] == client.encode(Texts.from_list([b"\xff"]), False, False).ids.to_list()


@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        (
            "count",
            "error",
            "encode of the adapter returned 0 answers for a batch of 1 cases; return one entry for each case, in order",
        ),
        ("range", "error", "the adapter gave id 301; ids go from 0 to 299"),
        ("negative", "error", "the adapter gave id -1; ids go from 0 to 299"),
        ("float", "error", "returned float 1.5 as an id; return whole numbers of at most 32 bits"),
        ("words", "error", "returned str 'ids' for a text, not a list of ids"),
        ("invalid", "error", "no reply: b'progress: 50 %' is not JSON; write one object a line on stdout"),
        ("long", "error", "wrote a line of more than 64 MiB; end each reply with a newline"),
        ("other", "error", "was asked; copy the request's id into its reply"),
        ("says", "error", "the adapter says: not this one"),
        ("entry", "error", "the adapter says: nor this"),
        ("nothing", "error", "the adapter's reply to encode has no 'ids'; put the answers under 'ids'"),
        ("exit", "crash", "ended with exit code 5: out of ideas | the adapter ended before it answered"),
        ("killed", "crash", "SIGSEGV: the adapter ended before it answered"),
        ("silence", "timeout", "s: thinking"),
        ("stderr", "timeout", "still at it"),
    ],
)
def test_an_adapter_that_misbehaves(how: str, kind: str, words: str) -> None:
    """The guilty text alone fails, with what to mend; the others and the next batch are answered."""
    batches = [[b"text 0", b"guilty", b"text 2"], [b"after"]]
    with Client(f"{BAD} {how}", "model", timeout=1.5 if kind == "timeout" else 20.0) as client:
        assert "bad 1" == client.wait_ready()
        tickets = [client.submit(Texts.from_list(batch), False, False, decode_skip_special=False) for batch in batches]
        first, second = (ticket.result() for ticket in tickets)
    assert [1] == [i for i, _ in first.failures]
    assert kind == first.failed[1].kind
    assert words in first.failed[1].message
    assert [Encoding(tuple(b"text 0"), b"text 0"), Encoding(tuple(b"text 2"), b"text 2")] == [
        first.outcome(0),
        first.outcome(2),
    ]
    assert Encoding(tuple(b"after"), b"after") == second.outcome(0)


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        (
            "adapter.py",
            ("        return [1] * add_special", "        1 // (text != b'guilty')\n        return [1] * add_special"),
        ),
        (
            "adapter.js",
            (
                "    return [...(addSpecial",
                '    if (String(text) === "guilty") throw Error("why");\n    return [...(addSpecial',
            ),
        ),
    ],
)
def test_what_one_text_raises_in_an_adapter_is_its_own(name: str, fails: tuple[str, str], tmp_path: Path) -> None:
    """The adapter goes on: the others are answered by the same process, and the reason is told."""
    tool, _, run = BUILDS[name]
    if shutil.which(tool) is None:
        pytest.skip(f"no compiler here: {tool}")
    own = tmp_path / name
    given = (ADAPTERS / name).read_text(encoding="utf-8")
    assert fails[0] in given
    own.write_text(given.replace(*fails), encoding="utf-8")
    with Client(f"exec:{run.format(source=own)}", "model") as client:
        results = client.encode(Texts.from_list([b"a", b"guilty", b"b"]), False, False)
    assert ["error"] == [failure.kind for _, failure in results.failures]
    assert [[100], [101]] == [results.row(0), results.row(2)]


def test_the_time_that_a_program_takes_to_start_is_no_fault_of_the_text(tmp_path: Path) -> None:
    """Each process that asks starts it anew, and after each of its ends again; it takes longer than a text may."""
    slow = tmp_path / "slow.py"
    given = (ADAPTERS / "adapter.py").read_text(encoding="utf-8")
    ends = '        if b"end" in map(to_bytes, request["texts"]): sys.exit(5)\n'
    given = given.replace('    elif request["op"] == "encode":\n', '    elif request["op"] == "encode":\n' + ends)
    slow.write_text(f"import time\ntime.sleep(1.5)\n{given}", encoding="utf-8")
    with Client(f"exec:{sys.executable} {slow}", "model", timeout=1.0, lanes=1) as client:
        client.wait_ready()
        results = client.encode(Texts.from_list([b"a", b"end", b"b"]), False, False)
    assert [[1], ["crash"]] == [list({i for i, _ in results.failures}), [f.kind for _, f in results.failures]]


def test_no_adapter_outlives_the_client(tmp_path: Path) -> None:
    """One that hangs is ended with the process that asked it."""
    name = f"{BAD} silence {tmp_path}"
    with Client(name, "model", timeout=0.5) as client:
        client.encode(Texts.from_list([b"guilty", b"a"]), False, False)
    deadline = time.monotonic() + 5
    while _running(str(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [] == _running(str(tmp_path))


def _running(mark: str) -> list[str]:
    """The processes whose command line names the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue
        if b"bad_adapter.py" in words and mark.encode() in words:
            found.append(path.parent.name)
    return found


def test_an_adapter_without_hello() -> None:
    """It is asked the least, and the model's own prefix and suffix are put around its ids."""
    with Client(f"{BAD} no-hello", "model", {"prefix_ids": [1], "suffix_ids": [2]}) as client:
        assert "unversioned" == client.wait_ready()
        assert not client.capabilities.decodes
        assert [[1, 97, 2]] == client.encode(Texts.from_list([b"a"]), True, False).ids.to_list()


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        (f"{BAD} opening", EngineError, "it ended with exit code 4 before it answered: no such vocabulary"),
        (f"{BAD} refuses", EngineError, "it cannot open the model: I know no such model"),
        (
            "exec:./no-such-program",
            EngineError,
            "there is no program './no-such-program'; build the program, or correct its path",
        ),
        ("exec:cat {gguf} {tiktoken}", UsageError, "asks for several formats: gguf, tiktoken"),
        ("exec:cat {model}", UsageError, "has the placeholder {model}, which is unknown; write one of {gguf}"),
        ("exec:cat 'unclosed", UsageError, "cannot be read as a command: No closing quotation"),
        ("exec:cat", EngineError, "the adapter repeated the request instead of answering it"),
        ("exec:true", EngineError, "it ended with exit code 0 before it answered"),
    ],
)
def test_a_command_that_cannot_be_an_engine(name: str, error: type[TokparityError], words: str) -> None:
    """One error, with what it said; the same on opening as for every batch."""
    with pytest.raises(error) as raised, Client(name, "model") as client:
        client.wait_ready()
    assert words in str(raised.value)


def test_the_placeholder_chooses_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command is given the model in that format, exported if need be."""
    script = tmp_path / "spell.py"
    script.write_text((ADAPTERS / "adapter.py").read_text(encoding="utf-8").replace("3 + byte for byte in text",
        "ord(c) for c in sys.argv[1][-5:] + self.path[-5:]"), encoding="utf-8")  # fmt: skip
    name = f"exec:{sys.executable} {script} {{gguf}}"
    assert ("gguf",) == engines.get(name).CAPABILITIES.formats
    assert 0 == main(["encode", "small-spm", "a", "--engine", name, "--no-special"])
    assert "".join(map(chr, json.loads(capsys.readouterr().out))) == ".gguf.gguf"


@pytest.mark.parametrize("command", nightly_but(["run"], ["run", "fuzz", "sweep"]))
@pytest.mark.parametrize("leaves_out", nightly_but([True], [True, False]))
def test_what_a_program_decodes_is_compared_or_the_report_says_that_it_was_not(
    leaves_out: bool, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Special tokens are left out of what is compared, which not every program can do."""
    script = tmp_path / "adapter.py"
    given = (ADAPTERS / "adapter.py").read_text(encoding="utf-8")
    script.write_text(given if leaves_out else given.replace("[True]", "[False]"), encoding="utf-8")
    (tmp_path / "t.txt").write_text("a text", encoding="utf-8")
    more = {"run": ["--cases", "5", "--corpus", "prompts"], "fuzz": ["--cases", "50"], "sweep": ["--workers", "1"]}
    words = [command, "small-spm", *more[command], "--out", str(tmp_path / "out")]
    words += ["--text", str(tmp_path / "t.txt")] if command == "sweep" else []
    main([*words, "--engine", f"exec:{sys.executable} {script}"])
    said = "decodes ids to was not compared: it cannot leave special tokens out"
    assert (not leaves_out) == (said in capsys.readouterr().out)
    assert (not leaves_out) == (said in (tmp_path / "out" / "report.jsonl").read_text("utf-8"))


def test_the_schema_says_what_is_spoken() -> None:
    """What the adapter in Python is sent and replies fits the published schema."""
    schema = json.loads((ROOT / "docs" / "exec-protocol.schema.json").read_text(encoding="utf-8"))
    requests: list[dict[str, object]] = [
        {"id": 1, "op": "hello", "protocol": 1},
        {"id": 2, "op": "open", "path": "m", "format": "gguf", "options": {}},
        {"id": 3, "op": "encode", "texts": ["a", {"base64": "/w=="}], "add_special": True, "parse_special": False},
        {"id": 4, "op": "decode", "ids": [[258, 100]], "skip_special": True},
        {"op": "bye"},
    ]
    spoken = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(
        [sys.executable, str(ADAPTERS / "adapter.py")], input=spoken, capture_output=True, text=True, check=True
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [1, 2, 3, 4] == [reply["id"] for reply in replies]
    assert {"base64": "/2E="} == replies[3]["texts"][0]
    for message in (*requests, *replies):
        jsonschema.validate(message, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": 3, "ids": [[1.5]]}, schema)


def test_a_path_is_put_where_its_placeholder_stands() -> None:
    """Also one that looks as if it held another placeholder."""
    assert "--model=/m/{tekken}/a.gguf" == _filled("--model={gguf}", "/m/{tekken}/a.gguf")
