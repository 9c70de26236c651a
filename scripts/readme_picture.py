"""Writes docs/pictures/diff.svg: a terminal in which the README's command was run, with its real output and colors.

python scripts/readme_picture.py
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "pictures" / "diff.svg"
COLUMNS = 100


def main() -> None:
    """Run the README's line with `--why`, and draw what it printed."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^tokparity diff .* --why .*$", readme, re.MULTILINE)
    words = [sys.executable, "-m", "tokparity", *shlex.split(line)[1:]]
    settings = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    done = subprocess.run(words, stdout=subprocess.PIPE, env={**os.environ, **settings}, check=False)
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text(f"$ {line}", style="bold"))
    console.print(Text.from_ansi(done.stdout.decode()))
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(console.export_svg(title="tokparity diff", unique_id="diff"), encoding="utf-8")


if __name__ == "__main__":
    main()
