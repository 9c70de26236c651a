"""One mutant: read, twenty texts encoded and decoded, in a process of its own with limits of time and memory."""

from __future__ import annotations

import os
import resource
import select
import signal
import time
import traceback
from pathlib import Path

SECONDS = 10
"""Of the processor; so a busy machine breaks nothing."""
AT_MOST = 120
"""Seconds by the clock, for one that waits."""
BYTES = 1 << 30
MAX_MESSAGE = 4000

TEXTS = (
    b"",
    b" ",
    b"a",
    b"the quick  brown fox",
    "Ünïcödé é e\u0301 ﬁ ½ ①".encode(),
    "漢字かな交じり文。한국어".encode(),
    "🙂👩‍👩‍👧 1\ufe0f\u20e3".encode(),
    b"\xff\xfe\xc0\x80 \xe2\x96",
    b"\0\x1b[31m\r\n\t",
    b"<s> </s> <unk> <|endoftext|> [CLS] [INST]",
    "▁▁▁ ▁a▁".encode(),
    b"<0x41><0xZZ>",
    b"1234567890 3.14 1e9",
    b"don't DON'T they'll",
    b"a" * 3000,
    b" " * 3000,
    b"ab" * 1500,
    "é".encode() * 1000,
    b"\n" * 500 + b"x",
    b"word " * 1000,
)


def what_broke(path: Path) -> str:
    """Empty if the file was read or refused as it should be; else what happened."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _in_child(path, writer)
    os.close(writer)
    try:
        return _told(child, reader)
    finally:
        os.close(reader)


def _in_child(path: Path, writer: int) -> None:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, used + SECONDS + 1))
        found = _read(path)
    except BaseException as error:  # whatever it is, that is what is looked for
        frames = traceback.extract_tb(error.__traceback__)
        found = f"{type(error).__name__}: {str(error)[:200]} at {Path(frames[-1].filename).name}:{frames[-1].lineno}"
    os.write(writer, found.encode("utf-8", "replace")[:4000])
    os._exit(0)


def _read(path: Path) -> str:
    """What is wrong with how the file is read, or refused."""
    from tests.hostile.readings import READINGS
    from tokparity.errors import TokparityError

    reading = READINGS.get(path.name)
    if reading is None:
        return _read_and_encode(path)
    try:
        return reading.read(path)
    except TokparityError as error:
        return _wrong_message(str(error), path if reading.names_the_file else None)


def _read_and_encode(path: Path) -> str:
    from tokparity import formats
    from tokparity.errors import TokparityError
    from tokparity.reference.tokenizer import Tokenizer

    try:
        source = formats.read(path)
        tokenizer = Tokenizer(source.vocabulary, source.behaviour)
    except TokparityError as error:
        return _wrong_message(str(error), path)
    for i, text in enumerate(TEXTS):
        try:
            ids = tokenizer.encode(text, add_special=i % 2 == 0, parse_special=i % 3 == 0)
            tokenizer.decode(ids, skip_special=i % 2 == 1)
        except TokparityError as error:
            if problem := _wrong_message(str(error), None):
                return problem
            continue
        if any(not 0 <= i < 1 << 31 for i in ids):
            return f"ids that are not 32-bit numbers: {min(ids)} to {max(ids)}"
    return ""


def _wrong_message(message: str, path: Path | None) -> str:
    """What is wrong with how an error is told: it is one line, not endless, and says which file is meant."""
    if len(message.splitlines()) > 1 or len(message) > MAX_MESSAGE:
        return f"a message of {len(message.splitlines())} lines and {len(message)} characters: {message[:100]!r}"
    return "" if path is None or path.name in message else f"a message that does not name the file: {message[:100]!r}"


def _told(child: int, reader: int) -> str:
    """What the child says, or how it ended without a word."""
    until = time.monotonic() + AT_MOST
    ready, _, _ = select.select([reader], [], [], until - time.monotonic())
    told = os.read(reader, 1 << 16) if ready else b""
    if not ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not ready:
        return f"no answer within {AT_MOST} s"
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return f"more than {SECONDS} s of the processor" if name == "SIGXCPU" else f"ended by {name}"
    return told.decode()
