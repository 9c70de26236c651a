"""Since which version an engine gives other ids: few versions are asked, and what is told of them is true."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.engines.environment import releases as listing
from tokparity.engines.environment.installer import Refused
from tokparity.engines.environment.releases import is_pre_release, releases
from tokparity.errors import EngineError, TokparityError, UsageError
from tokparity.outcome import Encoding, Failure
from tokparity.session import bisect
from tokparity.session.bisect import Probe, Search, environments, runs


def _search(behaviours: str) -> Search:
    """Versions "0", "1", ... that give ids by letter; "-" cannot be asked here, "!" refuses."""

    def ask(version: str) -> Probe:
        letter = behaviours[int(version)]
        if letter == "-":
            return Probe(version, None, "it has no wheel")
        return Probe(version, Failure("error", "no") if letter == "!" else Encoding((ord(letter),)))

    return Search([str(i) for i in range(len(behaviours))], ask)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 9, 17, 44, 64])
def test_the_first_that_differs_is_found_in_few_steps(count: int) -> None:
    """Wherever it is, in no more than ceil(log2 n) + 1 environments, both neighbors asked."""
    for first in range(1, count):
        search = _search("a" * first + "b" * (count - first))
        steps = list(search.steps())
        assert (first - 1, first) == (search.low, search.high)
        assert {first - 1, first} <= search.probes.keys()
        assert len(steps) <= environments(count)


@pytest.mark.parametrize("count", [2, 3, 7, 30])
def test_no_change(count: int) -> None:
    """Both ends are asked."""
    search = _search("a" * count)
    assert len(list(search.steps())) <= environments(count)
    assert (count - 1, count) == (search.low, search.high)


@pytest.mark.parametrize(
    ("behaviours", "low", "high", "between"),
    [
        ("aaa-bbb", 2, 4, "3"),
        ("a-----b", 0, 6, "12345"),
        ("a--a--b-", 3, 6, "45"),
        ("aaaaaa-", 5, 7, "6"),
        ("aa!!bb", 1, 2, ""),
    ],
)
def test_what_cannot_be_asked_widens_the_answer(behaviours: str, low: int, high: int, between: str) -> None:
    """It is passed over, and the neighbors that could be asked are the answer."""
    search = _search(behaviours)
    list(search.steps())
    assert (low, high) == (search.low, search.high)
    assert between == "".join(probe.version for probe in search.between)


def test_any_behaviours() -> None:
    """Whatever the versions do: `low` is as the first one, `high` is not, nothing that could be asked lies between."""
    rng = random.Random(1)
    for _ in range(500):
        behaviours = "a" + "".join(rng.choices("aabc-!", k=rng.randrange(1, 20)))
        search = _search(behaviours)
        asked = [probe for probe in search.steps() if probe.outcome is not None]
        assert "a" == behaviours[search.low]
        assert search.high == len(behaviours) or behaviours[search.high] in "bc!"
        assert set(behaviours[search.low + 1 : search.high]) <= {"-"}
        assert len(asked) <= environments(len(behaviours))


def test_relations_and_runs() -> None:
    """Equal, other, a third behavior and a refusal are told apart."""
    search = _search("aab-b!ca")
    told = [search.relation(probe) for probe in search.every()]
    equal, other = "equal", "other"
    assert [equal, equal, other, "not known", other, "refuses", "third behavior", equal] == told
    assert ["01", "24", "5", "6", "7"] == ["".join(probe.version for probe in run) for run in runs(search.probes)]


def test_the_first_must_be_asked() -> None:
    """Without it there is nothing to compare with."""
    with pytest.raises(EngineError, match="it has no wheel"):
        list(_search("-b").steps())


@pytest.fixture
def _fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four releases, of which the third gives something else."""
    given = {"1.0": (1,), "1.1": (1,), "1.2": (2,), "1.3": (2,)}
    monkeypatch.setattr(listing, "releases", lambda engine, pre: list(given))
    monkeypatch.setattr(bisect, "asking", lambda *args: lambda version: Probe(version, Encoding(given[version], b"a")))


@pytest.mark.usefixtures("_fakes")
@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (
            ("1.0", "1.3"),
            1,
            "It changed in 1.2, which returns other ids; the release before, 1.1, returns what 1.0 does",
        ),
        (("1.1", "1.2"), 1, "It changed in 1.2, the release after 1.1: it returns other ids"),
        (("1.0", "1.1"), 0, "No change: 1.1 returns what 1.0 returns; 2 of 2 releases were run, and none returns"),
        (("1.0", "1.3", "--scan"), 1, '1.2 to 1.3 (2 versions, other): [2] "a"'),
        (("1.2", "1.3", "--scan"), 0, '1.2 to 1.3 (2 versions, equal): [2] "a"'),
        (("1.3", "1.0"), 2, "GOOD '1.3' is newer than BAD '1.0'; name the older version first"),
        (("1.0", "1.0"), 2, "is the same as"),
        (("1.0", "1.4"), 2, "the index has no release '1.4' of tokenizers; these are nearest: 1.3, 1.2, 1.1"),
        (("1.0", "1.4rc1"), 2, "add --pre"),
    ],
)
def test_the_command(argv: Sequence[str], code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What it comes to, in a sentence, and the exit code."""
    assert code == main(["bisect", "tokenizers", *argv, "small-bpe", "a"])
    captured = capsys.readouterr()
    assert words in captured.out + captured.err
    assert (code == 1 and "--scan" not in argv) == (
        "  tokparity diff small-bpe --engine tokenizers@1.1 --engine tokenizers@1.2 a" in captured.out
    )


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("tokenizers", "1"), "too few words"),
        (("tokenizers@1", "1", "2", "small-bpe", "a"), "is not the plain name of an engine with releases"),
        (("reference", "1", "2", "small-bpe", "a"), "has only the installed version"),
        (("tokenizrs", "1", "2", "small-bpe", "a"), "did you mean 'tokenizers'"),
    ],
)
def test_what_cannot_be_bisected(argv: Sequence[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, exit 2."""
    assert 2 == main(["bisect", *argv])
    assert words in capsys.readouterr().err


def test_the_list_of_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest first; an index that did not answer is not a short list."""
    said = "sentencepiece (0.2.2)\nAvailable versions: 0.2.2, 0.2.1\n"
    monkeypatch.setattr(listing, "run", lambda words: said)
    assert ["0.2.1", "0.2.2"] == releases("sentencepiece")
    lost = "Could not fetch URL http://x/simple/sentencepiece/: connection error: refused - skipping\n"
    monkeypatch.setattr(listing, "run", lambda words: lost + said)
    with pytest.raises(EngineError, match="cannot be listed: the package index could not be reached"):
        releases("sentencepiece")

    def refuse(words: Sequence[str]) -> str:
        raise Refused("there is no such version", "look")

    monkeypatch.setattr(listing, "run", refuse)
    with pytest.raises(EngineError, match="cannot be listed: there is no such version"):
        releases("sentencepiece")
    with pytest.raises(UsageError, match=r"these engines have others: .*sentencepiece, splintr-rs, tiktoken"):
        releases("reference")


def test_only_wheels_of_the_library_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip tells of all files in a folder that it is to look in, some with signs of an URL or with another name."""
    others = "torch-2.13.0%2Bcpu-cp311-cp311-linux_x86_64.whl", "sentencepiece-x-py3-none-any.whl", "a.whl"
    ours = "sentencepiece-0.2.1-py3-none-any.whl", "sentencepiece-0.2.1%2Bcpu-py3-none-any.whl"
    files = "".join(f"  Skipping link: file:///wheels/{name}\n" for name in (*others, *ours))
    monkeypatch.setattr(listing, "run", lambda words: f"{files}Available versions: 0.2.1\n")
    found = listing.listing("SentencePiece")
    assert [ours[0], "sentencepiece-0.2.1+cpu-py3-none-any.whl"] == found.wheels
    assert [ours[0]] == found.wheels_of("0.2.1")


def test_without_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that has one is made, and goes again."""
    asked: list[list[str]] = []

    def run(words: Sequence[str]) -> str:
        asked.append([str(word) for word in words])
        return "Available versions: 0.2.1\n"

    monkeypatch.setattr(listing, "run", run)
    monkeypatch.setattr(listing.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(listing.shutil, "which", lambda name: None)
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    monkeypatch.setenv("UV_INDEX_URL", "http://index.invalid/simple")
    assert ["0.2.1"] == releases("sentencepiece", pre=True)
    assert ["-m", "venv"] == asked[0][1:3]
    assert ["--pre", "--index-url", "http://index.invalid/simple"] == asked[1][-3:]
    assert not Path(asked[0][3]).exists()


def test_pre_releases() -> None:
    """By the letters in the version."""
    assert [True, True, True, False, False] == list(
        map(is_pre_release, ("1.0rc1", "1.0a2", "1.0.dev3", "1.0.post1", "1"))
    )


@pytest.mark.nightly
def test_a_real_drift(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """sentencepiece 0.2.2 takes other pieces where several are equally good."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path))
    try:
        releases("sentencepiece")
    except (TokparityError, subprocess.SubprocessError) as error:
        pytest.skip(f"no package index here: {error}")
    assert 1 == main(["bisect", "sentencepiece", "0.2.1", "0.2.2", "small-unigram", ":::a"])
    out = capsys.readouterr().out
    assert "at most 2 are tried" in out
    assert "It changed in 0.2.2, the release after 0.2.1: it returns other ids" in out
    assert '  sentencepiece@0.2.1: [3, 182, 19, 6, 1] ":::a"' in out
