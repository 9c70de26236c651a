"""Engines that come as wheels and run in an environment of their own, so that our own stays small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Wheel:
    """The version that is taken where none is named, and the formats that are opened, the best one first.

    `needs` is what must be installed with it and does not come by itself.
    """

    version: str
    formats: tuple[str, ...] = ("tokenizer.json",)
    needs: tuple[str, ...] = ()


WHEELS: Mapping[str, Wheel] = {
    "bpe-qwen": Wheel("0.1.5", needs=("transformers==5.23.0",)),
    "fastokens": Wheel("0.3.5"),
    "gigatoken": Wheel("0.10.0", ("tokenizer.json", "sentencepiece")),
    "iree-tokenizer": Wheel("0.3.0"),
    "kitoken": Wheel("0.11.1", ("tokenizer.json", "sentencepiece")),
    "morpheme": Wheel("0.5.0"),
    "onnxruntime-extensions": Wheel("0.15.2", ("directory",)),
    "openvino-tokenizers": Wheel("2026.4.1.0", needs=("transformers==5.23.0",)),
    "pytorch-tokenizers": Wheel("1.5.0"),
    "splintr-rs": Wheel("0.22.0"),
    "tokie": Wheel("0.1.4"),
    "xllamacpp": Wheel("2026.10.11549", ("gguf",)),
}
"""By distribution, which is also the engine's name; its adapter is adapters/NAME.py."""


@dataclass(frozen=True)
class Package:
    """A package of npm: the version that is taken where none is named, and the formats that are opened."""

    package: str
    version: str
    formats: tuple[str, ...]


PACKAGES: Mapping[str, Package] = {
    "ai-tokenizer": Package("ai-tokenizer", "1.0.6", ("tiktoken",)),
    "gpt-tokenizer": Package("gpt-tokenizer", "4.0.0", ("tiktoken",)),
    "huggingface-tokenizers": Package("@huggingface/tokenizers", "0.2.0", ("tokenizer.json",)),
    "js-tiktoken": Package("js-tiktoken", "1.0.21", ("tiktoken",)),
    "lenml-tokenizers": Package("@lenml/tokenizers", "3.7.2", ("tokenizer.json",)),
    "llama-tokenizer-js": Package("llama-tokenizer-js", "1.2.2", ("tokenizer.json",)),
    "llama3-tokenizer-js": Package("llama3-tokenizer-js", "1.2.0", ("tokenizer.json",)),
    "tiktoken-wasm": Package("tiktoken", "1.0.22", ("tiktoken",)),
}
"""By engine, whose name is plain where that of the package is not; its adapter is adapters/NAME.js."""

RELEASED: Mapping[str, Wheel | Package] = {**WHEELS, **PACKAGES}
"""The engines that are always in an environment of their own."""

TEMPLATES: Mapping[str, Wheel | Package] = {
    "minijinja": Wheel("3.1.0"),
    "huggingface-jinja": Package("@huggingface/jinja", "0.5.11", ()),
    "xllamacpp-server": Wheel(f"xllamacpp-{WHEELS['xllamacpp'].version}"),
}
"""What renders chat templates in an environment of its own; none of them is an engine for texts."""

NODE = {name: found for name, found in {**RELEASED, **TEMPLATES}.items() if isinstance(found, Package)}
"""What runs in node."""

_DISTRIBUTIONS = {"llama.cpp": "llama-cpp-python", "xllamacpp-server": "xllamacpp"}
_NEEDS = {"mistral-common": ("sentencepiece",), **{name: wheel.needs for name, wheel in WHEELS.items()}}

REQUIREMENTS: Mapping[str, tuple[str, ...]] = {
    name: (f"{_DISTRIBUTIONS.get(name, name)}=={{version}}", *_NEEDS.get(name, ()))
    for name in (
        *("llama.cpp", "mistral-common", "sentencepiece", "tiktoken", "tokenizers", "transformers"),
        *WHEELS,
        *(name for name in TEMPLATES if name not in NODE),
    )
} | {name: (f"{package.package}@{{version}}",) for name, package in NODE.items()}
"""What is installed for an engine at a version; what that needs comes with it."""


def distribution(engine: str) -> str:
    """The distribution of an engine's library."""
    return REQUIREMENTS[engine][0].partition("==")[0]
