"""The published tokenizers that some tests need. They are not in the repository; without them a test is skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tokparity.models import load, names
from tokparity.sources import corpus

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


def skip_the_module() -> None:
    """Skip a whole module, which is one skip: for modules that ask nothing but these files."""
    if not SHARED_MODELS.is_dir():
        pytest.skip(f"{REASON}: {SHARED_MODELS}", allow_module_level=True)


needs_shared_models = pytest.mark.skipif(not SHARED_MODELS.is_dir(), reason=f"{REASON}: {SHARED_MODELS}")


def mixed_lines() -> list[str]:
    """Lines of many languages and symbols; where the folder is not, those of a corpus."""
    if SHARED_MODELS.is_dir():
        return (SHARED_MODELS / "expected/mixed_input.txt").read_text(encoding="utf-8").splitlines()
    texts = [case.question.text.decode() for case in corpus.load("languages")]
    return [line for text in texts[::3] for line in text.splitlines()]


def beside(kind: str) -> list[Path]:
    """The files of one subfolder, for a test that also has models from packages; none where the folder is not."""
    return [SHARED_MODELS / kind / f"{name}{SUFFIXES[kind]}" for name in NAMES[kind] if SHARED_MODELS.is_dir()]


def pulled(format: str) -> list[Path]:
    """The files of the known models that have this format, which come from packages or with tokparity."""
    return [path for name in names() for kind, path in load(name).sources.items() if kind == format]
