"""`tokparity site --vectors`: a page with each vectors file, whoever made it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from site_reports import run, stored

from tokparity.cli import main
from tokparity.vectors.file import read

STORED = Path(__file__).parents[2] / "vectors"
SMALL = STORED / "small-spm.vectors.json"


def site(folder: Path, vectors: Path) -> int:
    """The exit code of the command on one report and these vectors."""
    stored(run(0), folder / "run")
    return main(["site", str(folder / "run"), "-o", str(folder / "site"), "--vectors", str(vectors)])


def test_a_site_has_a_page_of_the_vectors(tmp_path: Path) -> None:
    """The index links it, it says what each file has, and the files lie beside it as they were."""
    assert 0 == site(tmp_path, STORED)
    assert 'href="vectors.html"' in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    page = (tmp_path / "site" / "vectors.html").read_text(encoding="utf-8")
    assert len(list(STORED.glob("*.json"))) == page.count(" download>")
    assert f'<td class="n">{len(read(SMALL).cases)}</td>' in page
    assert SMALL.read_bytes() == (tmp_path / "site" / "vectors" / SMALL.name).read_bytes()


def test_names_in_a_vectors_file_are_no_markup(tmp_path: Path) -> None:
    """What a file says of itself is escaped."""
    data = json.loads(SMALL.read_text(encoding="utf-8"))
    (tmp_path / "own").mkdir()
    hostile = tmp_path / "own" / "a.vectors.json"
    hostile.write_text(json.dumps({**data, "model": "<script>x</script>"}), encoding="utf-8")
    assert 0 == site(tmp_path, tmp_path / "own")
    assert "<script" not in (tmp_path / "site" / "vectors.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["", None])
def test_a_damaged_file_or_none_is_one_clear_line(
    tmp_path: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written then."""
    (tmp_path / "own").mkdir()
    if content is not None:
        (tmp_path / "own" / "a.vectors.json").write_text(content, encoding="utf-8")
    assert 2 == site(tmp_path, tmp_path / "own")
    assert 1 == len(capsys.readouterr().err.splitlines())
    assert not (tmp_path / "site").exists()
