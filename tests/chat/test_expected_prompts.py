"""The prompts that llama.cpp's own tests expect: the reference writes them, or it is known why not."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokparity.models.archive import PullError

SCRIPT = Path(__file__).parents[2] / "scripts" / "chat_templates.py"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    """What the script defines."""
    return runpy.run_path(str(SCRIPT))


def test_a_case_is_read_as_a_compiler_reads_it(script: dict[str, Any]) -> None:
    """Escapes, strings in pieces, tokens, more messages, and the prompt that is expected of Jinja."""
    source = """
        {
            /* .name= */ "a (b)",
            /* .template_str= */ U8C("{{ 'x\\\\n' }}\\"" "{{ bos_token }}"),
            /* .expected_output= */ "no",
            /* .expected_output_jinja= */ "x\\ny",
            /* .bos_token= */ "<s>",
            /* .eos_token= */ "",
            /* .supported_with_jinja= */ false, // as we say
            /* .extra_conversation= */ {{"user", "{\\"a\\": 1}"}, {"tool", "b"}},
        },
"""
    (case,) = script["cases"](source)
    assert ("a (b)", "{{ 'x\\n' }}\"{{ bos_token }}", "x\ny") == (case.name, case.template, case.expected)
    assert {"bos_token": "<s>", "eos_token": ""} == case.tokens
    assert ({"role": "user", "content": '{"a": 1}'}, {"role": "tool", "content": "b"}) == case.messages[-2:]
    assert not case.is_of_jinja


@pytest.mark.nightly
def test_all_expected_prompts_are_written(
    script: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """29 as they are, 6 with the one thing that llama.cpp's server does otherwise, none without a reason."""
    main: Callable[[Path], int] = script["main"]
    try:
        assert 0 == main(tmp_path)
    except PullError as error:
        pytest.skip(f"no package index here: {error}")
    out = capsys.readouterr().out.splitlines()
    counts = "of 35 prompts 29 are the expected ones, 6 with merges_system, 0 are others"
    assert [f"jinja2: {counts}", f"transformers: {counts}"] == out[1:]
    assert 106 == len(list(tmp_path.glob("*.jinja")))
