"""What an engine says of itself is bounded, whoever says it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokparity.cli import main
from tokparity.engines.hello import MAX_VERSION, Hello, capabilities_from_json, error_to_json
from tokparity.engines.protocol import ANY, Capabilities
from tokparity.errors import LONGEST, EngineError

ADAPTER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    said = {"hello": {"name": "long", "version": "v" * 10_000_000}, "open": {}}.get(asked["op"])
    if said is None:
        break
    print(json.dumps({"id": asked["id"], **said}), flush=True)
"""


def test_a_version_has_a_bound() -> None:
    """At the bound it is taken, and above it told by its length, not shown."""
    assert MAX_VERSION == len(Hello(Capabilities(ANY), "v" * MAX_VERSION).version)
    with pytest.raises(EngineError, match="version is 257 characters; return a version of at most 256 characters"):
        Hello(Capabilities(ANY), "v" * (MAX_VERSION + 1))


def test_capabilities_and_refusals_have_bounds() -> None:
    """Formats without end are refused; a message without end is cut."""
    for formats in (["gguf"] * 1000, ["g" * 1000], "g" * 1000):
        with pytest.raises(EngineError) as caught:
            capabilities_from_json({"formats": formats})
        assert len(str(caught.value)) < 300
    told = error_to_json(EngineError("m" * 10_000, "h" * 10_000))
    assert max(len(told["message"]), len(told["hint"])) <= LONGEST
    assert (told["message"][:9], told["hint"][-9:]) == ("m" * 9, "h" * 9)


def test_a_program_with_a_version_of_10_megabytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its engine is unusable: exit 3, and one short line."""
    (tmp_path / "long.py").write_text(ADAPTER)
    assert 3 == main(["diff", "small-spm", "a", "--engine", f"exec:{sys.executable} {tmp_path / 'long.py'}"])
    error = capsys.readouterr().err
    assert ("version is 10000005 characters" in error, True) == (True, len(error) < 1000)
