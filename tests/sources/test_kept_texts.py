"""Texts that are kept in the cache are those that were made, whatever became of the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tokparity.sources import corpus, generated_corpora
from tokparity.sources.kept_texts import FOLDER, kept

TEXTS = ["", "a\nb", "понеділок", "\ud800", "\U0001f600", "\ud83d\ude00"]


class Maker:
    """Makes the texts and counts how often it is asked to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Iterator[str]:
        self.times += 1
        yield from TEXTS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / FOLDER


def test_texts_are_made_once(folder: Path) -> None:
    """The second time they come from the file, the same in the same order; nothing else is left lying there."""
    make = Maker()
    assert [TEXTS, TEXTS] == [kept("some", b"1", make), kept("some", b"1", make)]
    assert 1 == make.times
    assert 1 == len(list(folder.iterdir()))


def test_what_they_are_made_by_is_part_of_the_name() -> None:
    """Another version of a library or of the code makes its own."""
    make = Maker()
    for made_by in (b"1", b"2", b"1"):
        assert TEXTS == kept("some", made_by, make)
    assert 2 == make.times


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data.replace(b"a", b"b"),
        lambda data: data[1:],
        lambda data: b"\xff\n[]",
    ],
)
def test_a_damaged_file_is_made_anew(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    """What is not as it was written is not believed, and is whole again afterwards."""
    make = Maker()
    kept("some", b"1", make)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert TEXTS == kept("some", b"1", make)
    assert 2 == make.times
    assert whole == path.read_bytes()


def test_without_a_cache_they_are_made_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be made costs time and nothing else."""
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("TOKPARITY_CACHE", str(tmp_path / "file" / "cache"))
    make = Maker()
    assert [TEXTS, TEXTS] == [kept("some", b"1", make), kept("some", b"1", make)]
    assert 2 == make.times


def test_a_file_that_cannot_be_replaced_is_done_without(folder: Path) -> None:
    """Nothing is left behind by the attempt."""
    make = Maker()
    kept("some", b"1", make)
    (path,) = folder.iterdir()
    path.unlink()
    path.mkdir()
    assert TEXTS == kept("some", b"1", make)
    assert [path] == list(folder.iterdir())


def test_several_at_once_are_all_right(folder: Path) -> None:
    """Whoever writes writes whole files under a name of its own first."""
    with ThreadPoolExecutor(8) as pool:
        assert [TEXTS] * 64 == list(pool.map(lambda _: kept("some", b"1", Maker()), range(64)))
    assert 1 == len(list(folder.iterdir()))


def test_cldr_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cases of the corpus are the same from the cache as made; with another version of babel they are made."""
    babel = pytest.importorskip("babel")
    monkeypatch.setattr(generated_corpora, "_locales", lambda: ["ar_EG", "de", "uk"])
    made = list(corpus.load("cldr"))
    monkeypatch.setattr(generated_corpora, "_every_locale", lambda parse, identifiers: iter(["made"]))
    assert made == list(corpus.load("cldr"))
    assert len(made) > 100
    monkeypatch.setattr(babel, "__version__", "1.2.3")
    assert [b"made"] == [case.question.text for case in corpus.load("cldr")]
    assert 2 == len(os.listdir(folder))
