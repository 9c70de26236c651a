"""Writes the README's pictures: a terminal with the real output of its command, and the HTML report of a real run.

python scripts/readme_picture.py, which `nox -s pictures` runs. Chromium is that on PATH, or TOKPARITY_CHROMIUM.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
TERMINAL = ROOT / "docs" / "pictures" / "diff.svg"
REPORT = ROOT / "reports" / "report.png"
COLUMNS = 100
TOKPARITY = (sys.executable, "-m", "tokparity")
SIZE: ViewportSize = {"width": 1100, "height": 820}
RUN = (
    "check small-spm small-bpe --engine sentencepiece --engine tokenizers --engine llama.cpp "
    "--engine reference+greedy_longest_match"
)
"""A run with an engine that is wrong, so that its report shows a finding."""


def main() -> None:
    """Make both."""
    terminal()
    report()


def terminal() -> None:
    """Run the README's line with `--why`, and draw what it printed."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^tokparity diff .* --why .*$", readme, re.MULTILINE)
    settings = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    done = subprocess.run(
        [*TOKPARITY, *shlex.split(line)[1:]], stdout=subprocess.PIPE, env={**os.environ, **settings}, check=False
    )
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text(f"$ {line}", style="bold"))
    console.print(Text.from_ansi(done.stdout.decode()))
    TERMINAL.parent.mkdir(exist_ok=True)
    TERMINAL.write_text(console.export_svg(title="tokparity diff", unique_id="diff"), encoding="utf-8")


def report() -> None:
    """Run a check, and take a picture of the first screen of its report."""
    chromium = os.environ.get("TOKPARITY_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([*TOKPARITY, *RUN.split(), "--out", folder], cwd=folder, check=False)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE)
        page.goto((Path(folder) / "index.html").as_uri())
        page.screenshot(path=REPORT)
        browser.close()


if __name__ == "__main__":
    main()
