"""Each line of the lists of known deviations is needed: without it, `check` is red on few texts.

Those that an embedded model shows; TOKPARITY_QUALITY=long takes all, each on one model that shows it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from shown_on import SHOWN_IN_PROMPTS_ON, SHOWN_IN_SPANS_ON, SHOWN_IN_STREAMS_ON, SHOWN_ON

from tests.rings import nightly_but
from tokparity import cli, models
from tokparity.engines import deviations
from tokparity.session import one_model
from tokparity.session.deviations import known_cases

LONG = os.environ.get("TOKPARITY_QUALITY") == "long"


_SHOWN = SHOWN_ON | SHOWN_IN_STREAMS_ON | SHOWN_IN_SPANS_ON | SHOWN_IN_PROMPTS_ON
ALL = [(engine, quirk, model) for (engine, quirk), model in _SHOWN.items()]
TRIED = [entry for entry in ALL if LONG or entry[2].startswith("small-")]


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the lists, which is read in their place."""
    folder = tmp_path / "lists"
    folder.mkdir()
    for path in deviations.FOLDER.glob("*.toml"):
        shutil.copy(path, folder)
    monkeypatch.setattr(deviations, "FOLDER", folder)
    deviations.known.cache_clear()
    yield folder
    deviations.known.cache_clear()


def delete(path: Path, quirk: str) -> None:
    """Take one entry out of a list."""
    head, *entries = path.read_text(encoding="utf-8").split("[[deviation]]")
    kept = [entry for entry in entries if f'quirk = "{quirk}"' not in entry]
    assert len(entries) == len(kept) + 1
    path.write_text("[[deviation]]".join([head, *kept]), encoding="utf-8")


@pytest.mark.parametrize(("engine", "quirk", "model"), nightly_but(TRIED[:1], TRIED), ids=str)
def test_without_its_line_check_is_red(
    engine: str,
    quirk: str,
    model: str,
    lists: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What its texts show, which are put as before, is a new finding."""
    assert models.load(model).is_here, "tokparity models pull"
    cases = list(known_cases([engine]))
    monkeypatch.setattr(one_model, "known_cases", lambda engines: iter(cases))
    delete(lists / f"{engine}.toml", quirk)
    deviations.known.cache_clear()
    corpus = tmp_path / "one.txt"
    corpus.write_text("plain\n", encoding="utf-8")
    words = [
        "check",
        model,
        "--engine",
        engine,
        "--cases",
        "0",
        "--corpus",
        str(corpus),
        "--out",
        str(tmp_path / "out"),
        "--ask",
        "stream"
        if (engine, quirk) in SHOWN_IN_STREAMS_ON
        else "spans"
        if (engine, quirk) in SHOWN_IN_SPANS_ON
        else "render"
        if (engine, quirk) in SHOWN_IN_PROMPTS_ON
        else "encode,decode",
    ]
    assert 1 == cli.main(words)
    assert "new finding" in capsys.readouterr().out


@pytest.mark.parametrize("missing", nightly_but([True], [False, True]))
def test_without_the_line_about_ids_fuzz_is_red(missing: bool, lists: Path, tmp_path: Path) -> None:
    """Only `fuzz` decodes ids that no vocabulary has, of which llama.cpp dies."""
    if missing:
        delete(lists / "llama.cpp.toml", "aborts_on_ids_out_of_range")
        deviations.known.cache_clear()
    words = ["fuzz", "small-bpe", "--engine", "llama.cpp", "--cases", "3000", "--out", str(tmp_path / "out")]
    assert missing == cli.main(words)
