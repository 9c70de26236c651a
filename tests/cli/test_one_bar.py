"""The bar of a command that does one piece of work, such as doctor."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from tokparity import formats, models
from tokparity.cli.progress import one_bar
from tokparity.doctor import examine


def drawn(is_terminal: bool, now: str) -> str:
    """What is written while the second of four steps is under way."""
    out = io.StringIO()
    with one_bar(Console(file=out, force_terminal=is_terminal, color_system=None, width=100), "checking") as tell:
        tell(now, 1, 4)
    return out.getvalue()


def test_a_terminal_sees_what_is_done_and_how_much_of_it() -> None:
    """The work, the step and its place; markup in a name is no markup, and what does not print is an escape."""
    text = drawn(True, "[red]llama.cpp\x07 with the GGUF")
    assert "checking" in text
    assert "1/4 [red]llama.cpp\\u0007 with the GGUF" in text


def test_a_pipe_sees_nothing() -> None:
    """A log has no bars."""
    assert "" == drawn(False, "llama.cpp with the GGUF").strip()


def test_doctor_tells_the_bar_each_engine_and_file(tmp_path: Path) -> None:
    """Each engine is heard of with both files, from the first text on."""
    source = formats.read(models.load("small-bpe").sources["tokenizer.json"])
    formats.write(source, "gguf", tmp_path / "right.gguf")
    told: list[tuple[str, int, int]] = []
    (one,) = examine(
        tmp_path / "right.gguf", source, "small-bpe", ["reference"], 20, tell=lambda *step: told.append(step)
    )
    steps = {name: done for name, done, _ in reversed(told)}
    assert {"reference with the GGUF": 0, "reference with the source": 0} == steps
    assert {one.cases} == {of for _, _, of in told}
    assert {0, 400} <= {done for _, done, _ in told}
