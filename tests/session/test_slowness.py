"""A text that takes an engine out of all proportion long is a failure; a slow engine, or a busy machine, is none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.engines.buffers import Ids
from tokparity.engines.results import Results
from tokparity.outcome import Failure
from tokparity.report.file import read
from tokparity.report.render.causes import told
from tokparity.session.slowness import NoTimeLeftError, Slowness

PER_TEXT = 1e-4


class Engine:
    """An engine on a clock of its own: `costs` says what a text takes, `asked` counts what was put by itself."""

    def __init__(self, per_text: float = PER_TEXT, per_byte: float = 0.0, square: float = 0.0) -> None:
        self.per_text, self.per_byte, self.square = per_text, per_byte, square
        self.busy = 0.0
        self.asked = self.timed = 0
        self.timed_lengths: set[int] = set()

    def costs(self, text: bytes) -> float:
        """A second for ten equal letters; else by length, runs of "x" by its square."""
        runs = self.square * text.count(b"x") ** 2
        return self.per_text + self.per_byte * len(text) + runs + (1.0 if b"aaaaaaaaaa" in text else 0.0)

    def each(self, texts: Sequence[bytes]) -> list[tuple[Results, float]]:
        """Each by itself."""
        self.asked += len(texts)
        return [(answers(1), self.costs(text)) for text in texts]

    def together(self, texts: Sequence[bytes]) -> float:
        """As one batch."""
        self.timed += len(texts)
        self.timed_lengths |= {len(text) for text in texts if set(text) != {ord("x")}}
        return sum(map(self.costs, texts))

    def put(self, slowness: Slowness, texts: Sequence[bytes]) -> dict[int, str]:
        """What is said of the texts of a batch, by place."""
        seconds = self.busy + sum(map(self.costs, texts))
        marked = slowness.marked(texts, answers(len(texts)), seconds, self)
        return {place: f"{failure.kind}: {failure.message}" for place, failure in marked.failures}


def answers(count: int) -> Results:
    """As many answers without an id."""
    return Results(Ids.from_list([[]] * count), None)


def test_the_slow_text_of_a_batch_is_found() -> None:
    """With what it took, and what ordinary text takes."""
    texts = [b"plain %d" % i for i in range(200)]
    texts[77] = b"so aaaaaaaaaaaa"
    said = "slow: it takes 1 s, where ordinary text of its length takes 0.1 ms"
    assert {77: said} == Engine().put(Slowness(), texts)


def test_what_has_failed_is_not_put_again() -> None:
    """It may have hung: each time it is put costs all the time that a text may take."""
    engine = Engine()
    hung = Results(Ids.from_list([[]] * 3), None, ((1, Failure("timeout", "no answer")),))
    texts = [b"aaaaaaaaaa", b"this one hangs", b"plain"]
    marked = Slowness().marked(texts, hung, 1.5, engine)
    assert ["slow", "timeout"] == [failure.kind for _, failure in marked.failures]
    assert 3 == engine.asked


def test_a_busy_machine_is_not_the_engines_fault() -> None:
    """The texts are put again, and are as quick as others; after some batches of that no more is looked."""
    engine, slowness = Engine(), Slowness()
    engine.busy = 30.0
    assert [{}] * 100 == [engine.put(slowness, [b"plain"] * 200) for _ in range(100)]
    engine.busy, engine.per_text = 0.0, 0.05
    assert {} == engine.put(slowness, [b"plain"] * 200)


def test_a_busy_moment_costs_a_few_questions() -> None:
    """Slices of the batch are put again, and none of its texts by itself where all slices are quick."""
    engine = Engine()
    engine.busy = 30.0
    assert {} == engine.put(Slowness(), [b"plain"] * 1400)
    assert 0 == engine.asked
    texts = [b"plain"] * 1400
    texts[1000] = b"aaaaaaaaaa"
    assert [1000] == list(engine.put(Slowness(), texts))
    assert engine.asked < 40


def test_after_a_busy_moment_a_slow_text_is_found() -> None:
    """What was put again took no longer than ordinary text, so the next batch may take no longer either."""
    engine, slowness = Engine(), Slowness()
    engine.busy = 30.0
    assert {} == engine.put(slowness, [b"plain"] * 1400)
    engine.busy = 0.0
    assert [3] == list(engine.put(slowness, [b"plain"] * 3 + [b"aaaaaaaaaa"] + [b"plain"] * 1000))


def test_texts_that_are_all_harder_are_put_again_once() -> None:
    """Fuzzed text takes an engine several times what prose takes. Later batches of it are not searched, as long as no
    text of them is slow."""
    engine, slowness = Engine(square=1e-6), Slowness()
    hard = [b"x" * 30] * 400
    assert {} == engine.put(slowness, hard)
    before = engine.timed
    assert [{}] * 20 == [engine.put(slowness, hard) for _ in range(20)]
    assert before == engine.timed
    assert [7] == list(engine.put(slowness, [*hard[:7], b"aaaaaaaaaa", *hard[8:]]))


def test_few_ordinary_texts_are_timed() -> None:
    """Texts of all lengths are held against ordinary text of a few lengths."""
    engine = Engine(per_byte=1e-6)
    engine.busy = 1.0
    engine.put(Slowness(), [b"x" * size for size in range(1, 2001)])
    lengths = {16, 256, 2048}
    assert lengths == engine.timed_lengths


def test_ordinary_text_that_takes_long_alone_is_timed_alone() -> None:
    """A server answers 25 texts a second: to know what is usual costs it few of them. A quick engine is asked many."""
    server, quick = Engine(per_text=0.04), Engine()
    texts = [b"x" * size for size in (10, 30, 60, 120, 250, 500, 900)] * 3
    for engine in (server, quick):
        engine.busy = 1.0
        assert {} == engine.put(Slowness(), texts)
    assert server.timed <= 4 * 7
    assert quick.timed > 500


def test_an_engine_that_is_slow_with_every_text_has_no_slow_text() -> None:
    """Half a second for each of them."""
    engine = Engine(per_text=0.5)
    assert {} == engine.put(Slowness(), [b"plain"] * 8)
    assert {} == engine.put(Slowness(), [b"plain"])


def test_a_long_text_may_take_its_time() -> None:
    """A megabyte in ten seconds is what ordinary text takes as well."""
    assert {} == Engine(per_byte=1e-5).put(Slowness(), [b"y" * 1_000_000])


def test_time_that_grows_with_the_square_is_slow() -> None:
    """Though it is less than a thousand times what ordinary text takes."""
    engine = Engine(per_byte=1e-7, square=4e-11)
    (said,) = engine.put(Slowness(), [b"x" * 400_000]).values()
    assert "slow: it takes 6.44 s, where ordinary text of its length takes 40 ms" == said.partition(";")[0]
    assert said.endswith("; the first quarter of it takes 410 ms, so time grows as n^2.0")
    assert {} == engine.put(Slowness(), [b"x" * 2000])


class Strict(Engine):
    """An engine that says no to what is not UTF-8, at once."""

    def each(self, texts: Sequence[bytes]) -> list[tuple[Results, float]]:
        """Each by itself."""
        refused = Results(Ids.from_list([[]]), None, ((0, Failure("unsupported", "no UTF-8")),))
        return [
            (refused, 0.0) if text[-1] == 0xC3 else one for text, one in zip(texts, super().each(texts), strict=True)
        ]


def test_the_quarter_of_a_text_is_a_text() -> None:
    """Cut within a character it would be refused in no time, and time be said to grow as n^10."""
    text = "xé".encode() * 200_003
    assert 0xC3 == text[len(text) // 4 - 1]
    (said,) = Strict(per_byte=1e-7, square=4e-10).put(Slowness(), [text]).values()
    assert said.endswith("so time grows as n^2.0"), said


class Held(Engine):
    """An engine whose trips take a few milliseconds at a busy machine, and the first one longer."""

    trips = 0

    def together(self, texts: Sequence[bytes]) -> float:
        """As one batch, with the trip."""
        self.trips += 1
        return super().together(texts) + (0.02 if self.trips == 1 else 0.002)


def test_a_first_trip_that_was_held_up_is_no_measure() -> None:
    """Else each ordinary text is timed by itself, trip and all, and none is a thousand times slower."""
    assert [0] == list(Held(per_text=1e-5).put(Slowness(), [b"aaaaaaaaaa"]))


def test_many_slow_texts_do_not_take_for_ever() -> None:
    """After some, only small batches are looked at: those of the shrinker, and single texts."""
    engine, slowness = Engine(), Slowness()
    for _ in range(5):
        engine.put(slowness, [b"aaaaaaaaaa", *([b"plain"] * 3)] * 30)
    assert engine.asked < 400
    assert [0] == list(engine.put(slowness, [b"aaaaaaaaaa"]))


@pytest.fixture
def slow(tmp_path: Path) -> str:
    """An engine that gives the right ids, after most of a second where ten equal letters stand in a row."""
    path = tmp_path / "slow.py"
    path.write_text(
        "import re, time\n"
        "from tokparity import Tokenizer\n"
        "from tokparity.models import load, primary_source\n"
        "TOKENIZER = Tokenizer.from_file(primary_source(load('small-bpe')).path)\n"
        "def encode(text):\n"
        "    if re.search(r'([a-z])\\1{9}', text):\n"
        "        time.sleep(0.8)\n"
        "    return list(TOKENIZER.encode(text, add_special=False))\n"
    )
    return f"{path}:encode"


def test_a_run_says_which_text_is_slow(
    slow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text is made smaller, and the command that the report prints shows it again."""
    corpus = tmp_path / "texts.txt"
    corpus.write_text("a line\n" * 200 + "it goes brrrrrrrrrrrrrrr, they say\n" + "another line\n" * 200)
    words = ["--engine", slow, "--corpus", str(corpus), "--cases", "0", "--out", str(tmp_path / "out")]
    assert 1 == main(["check", "small-bpe", *words])
    (finding,) = read(tmp_path / "out" / "report.jsonl").findings
    assert ("slow", b"aaaaaaaaaa") == (finding.smallest.difference.failure, finding.smallest.case.question.shown)
    assert isinstance(finding.smallest.actual, Failure)
    assert re.match(r"it takes [\d.,]+ m?s, where ordinary text of its length takes", finding.smallest.actual.message)
    assert "slow texts are looked for until some were found, so there may be more" in list(told(finding))
    capsys.readouterr()
    assert 1 == main(["diff", "small-bpe", "--engine", slow, "aaaaaaaaaa"])
    assert "slow: it takes " in capsys.readouterr().out


def test_nothing_is_put_again_when_time_is_up() -> None:
    """The search for slow texts is not begun then: what was answered counts, and no text is called slow."""

    class Late(Engine):
        def together(self, texts: Sequence[bytes]) -> float:
            raise NoTimeLeftError

        def each(self, texts: Sequence[bytes]) -> list[tuple[Results, float]]:
            raise NoTimeLeftError

    engine = Late()
    assert {} == engine.put(Slowness(), [b"plain"] * 1400 + [b"x" * 20_000])
