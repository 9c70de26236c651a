"""How engines are found."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tokparity import engines
from tokparity.errors import MissingDependencyError, UsageError


def test_every_engine_is_found_by_its_name() -> None:
    """The folder's engines, each under its own name and with capabilities and a version."""
    expected = ["llama.cpp", "mistral-common", "reference", "sentencepiece", "tiktoken", "tokenizers", "transformers"]
    assert set(expected) <= set(engines.names())
    for name in engines.names():
        engine = engines.get(name)
        assert name == engine.NAME
        assert engine.CAPABILITIES.formats
        assert engine.version()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("llama.ccp", "unknown engine 'llama.ccp'; did you mean 'llama.cpp'"),
        ("zzz", "known engines: llama.cpp, "),
        ("llama_cpp", "did you mean 'llama.cpp'"),
        ("llamacpp", "did you mean 'llama.cpp'"),
        ("buffers", "unknown engine 'buffers'"),
        ("llama.cpp+skips_nfkc", "takes no quirks"),
        ("no_such_module:Class", "no_such_module"),
        ("fakes:NoSuchClass", "NoSuchClass"),
        (":", "module:Class"),
        ("", "unknown engine ''"),
    ],
)
def test_what_is_no_engine(name: str, words: str) -> None:
    """A wrong name is a usage error with the nearest right one."""
    with pytest.raises(UsageError, match=words.replace("+", r"\+")):
        engines.get(name)


def test_an_engine_outside_the_package() -> None:
    """A class in any importable module is an engine."""
    assert "fakes:Bytes" == engines.get("fakes:Bytes").NAME


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra to install."""
    from importlib import metadata

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    with pytest.raises(MissingDependencyError, match=r"pip install 'tokparity\[llama-cpp\]'"):
        engines.get("llama.cpp").version()


def test_no_library_is_imported_outside_a_worker() -> None:
    """Finding all engines and their capabilities imports none of the libraries."""
    libraries = ["llama_cpp", "sentencepiece", "tokenizers", "transformers", "tiktoken", "mistral_common"]
    code = (
        "import sys; from tokparity import engines; [engines.get(n).CAPABILITIES for n in engines.names()];"
        f"print([name for name in {libraries} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
