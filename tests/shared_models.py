"""The published tokenizers that some tests need. They are not in the repository; without them a test is skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "TOKPARITY_SHARED_MODELS"
"""The environment variable that says where the folder is; without it, it is looked for beside the project."""

REASON = "the published tokenizers are not there"
"""What every skip for want of them says, followed by the path that was looked for."""


def folder() -> Path:
    """Where they are, or would be: a folder with sentencepiece/, tokenizers/, tiktoken/ and expected/."""
    return Path(os.environ.get(VARIABLE) or Path(__file__).parents[2] / "shared" / "models")


SHARED_MODELS = folder()

RECORDED = SHARED_MODELS.parent / "recorded"
"""What real engines gave, beside the tokenizers."""

NAMES = {
    "sentencepiece": ("llama2", "mistral01", "nai-t5", "xlnet_base_cased"),
    "tokenizers": ("bert_base_cased", "clip_base", "gpt2", "llama2", "mistral01", "xlnet_base_cased"),
    "tiktoken": ("cl100k_base", "llama4"),
}
"""All that are in the folder, by subfolder. They are named here so that one that is missing shows as a skip."""

SUFFIXES = {"sentencepiece": ".model", "tokenizers": ".json", "tiktoken": ".tiktoken"}

needs_shared_models = pytest.mark.skipif(not SHARED_MODELS.is_dir(), reason=f"{REASON}: {SHARED_MODELS}")


def mixed_lines() -> list[str]:
    """Lines of many languages and symbols."""
    return (SHARED_MODELS / "expected/mixed_input.txt").read_text(encoding="utf-8").splitlines()


def paths(kind: str) -> list[Path]:
    """The files of one subfolder, whether they are there or not."""
    return [SHARED_MODELS / kind / f"{name}{SUFFIXES[kind]}" for name in NAMES[kind]]
