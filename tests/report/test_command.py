"""The command that shows a mismatch again: a shell must take it for exactly what it was."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from reports import HEADER, NASTY, mismatch, nasty_report
from tokparity.case import text_case
from tokparity.questions import Encode
from tokparity.questions.json_text import parse
from tokparity.questions.shell import quote
from tokparity.report.render.command import reproduce
from tokparity.report.render.visible import pointed

BASH = shutil.which("bash")
ECHO = "import os, sys; sys.stdout.buffer.write(os.fsencode(sys.argv[1]))"


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("text", [text for text in NASTY if b"\0" not in text])
def test_bash_gives_the_text_back(text: bytes) -> None:
    """The quoted word is the text, byte by byte."""
    command = f"{sys.executable} -c '{ECHO}' {quote(text)}"
    assert text == subprocess.run([str(BASH), "-c", command], capture_output=True, check=True).stdout


@pytest.mark.skipif(BASH is None, reason="needs bash")
def test_a_nul_goes_through_standard_input() -> None:
    """No argument can hold a NUL, so such a text is piped as JSON."""
    text = b"a\0b'\\"
    before, _, _ = reproduce(nasty_report(), mismatch(text)).partition(" | tokparity")
    piped = subprocess.run([str(BASH), "-c", before], capture_output=True, check=True).stdout
    assert text == parse(piped.decode())


def test_model_flags_and_engine() -> None:
    """The command names the model as the user did, and the case's flags."""
    found = mismatch(b"-x")
    found = replace(found, case=text_case(b"-x", add_special=False, parse_special=True))
    assert (
        "tokparity diff --sentencepiece 'my models/nai-t5.model' --engine tokenizers --no-special --parse-special -- -x"
    ) == reproduce(replace(nasty_report(), header=HEADER), found)


def test_a_long_text_is_found_by_its_corpus() -> None:
    """Nobody pastes a megabyte."""
    text = b" ".join(b"%d" % i for i in range(2000))
    assert "--corpus unicode-marks" in reproduce(nasty_report(), mismatch(text))


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize("text", [b"x" * 5000, "\n世".encode() * 700 + b"\n"])
def test_a_long_run_is_made_by_a_short_command(text: bytes) -> None:
    """A few characters in turn are spelled once, with how often."""
    before, _, after = reproduce(nasty_report(), mismatch(text)).partition(" | tokparity diff ")
    assert (len(before) < 200, True) == (True, after.endswith(" -"))
    piped = subprocess.run([str(BASH), "-c", before], capture_output=True, check=True).stdout
    assert text == json.loads(piped).encode()


def test_a_long_run_that_is_no_utf_8_has_no_short_command() -> None:
    """JSON has no string for it."""
    assert "--corpus unicode-marks" in reproduce(nasty_report(), mismatch(b"\xff'" * 1200))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\U00010f8a", '"a\\ud803\\udf8a" (U+0061 U+10F8A)'), ("\U0001f600", '"\U0001f600"'), ("\u200b", '"\\u200b"')],
)
def test_two_escapes_of_one_character_have_its_code_point(text: str, shown: str) -> None:
    """A JSON literal writes what stands above U+FFFF and does not print as two halves; nobody knows these."""
    assert shown == pointed(Encode(text.encode()), 100)
