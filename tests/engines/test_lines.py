"""Lines of JSON to an adapter and back."""

from __future__ import annotations

import os
import resource
import sys

from tokparity.engines.lines import Lines
from tokparity.engines.process.child import last_words

READS_TWO_FIRST = """
import json, sys
waiting = []
for line in sys.stdin:
    waiting.append(json.loads(line)["id"])
    if len(waiting) == 2:
        print("\\n".join(json.dumps({"id": number, "n": number}) for number in waiting), flush=True)
        waiting.clear()
"""


def test_the_next_request_is_sent_while_one_is_answered() -> None:
    """An adapter that answers only when it has two finds two; the replies keep the order of the requests."""
    lines = Lines([sys.executable, "-c", READS_TWO_FIRST])
    try:
        replies = lines.ask_all({"op": "encode", "texts": ["a" * 100_000]} for _ in range(6))
        assert [1, 2, 3, 4, 5, 6] == [reply["n"] for reply in replies]
    finally:
        lines.close()


def test_a_process_with_many_open_files_can_be_asked() -> None:
    """Numbers of descriptors above 1,024 are nothing special."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1500), hard))
    held = [os.dup(0) for _ in range(1100)]
    try:
        lines = Lines([sys.executable, "-c", READS_TWO_FIRST])
        replies = lines.ask_all({"op": "encode"} for _ in range(2))
        assert [1, 2] == [reply["n"] for reply in replies]
        lines.close()
    finally:
        for fd in held:
            os.close(fd)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_last_words_of_a_program_hold_what_went_wrong() -> None:
    """Node.js, Java and Go tell it before the trace, Python after it."""
    node = b"x.js:1\n\nRangeError: out of memory\n    at a (1)\n    at b (2)\n    at c (3)\n\nNode.js v20\n"
    assert "RangeError: out of memory | ... | at a (1) | at b (2) | at c (3) | Node.js v20" == last_words(node)
    python = b"Traceback (most recent call last):\n  line 1\n  line 2\n  line 3\nValueError: none\n"
    assert "line 1 | line 2 | line 3 | ValueError: none" == last_words(python)
    assert "" == last_words(b"\n")
