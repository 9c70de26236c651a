"""tokparity: prove that two tokenizers agree, or find out why they don't.

The names below are documented in docs/api.md. Each is loaded when it is first asked for, so that `import tokparity` is
quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tokparity.api import Comparison, LoadedReport, Tokenizer, Verdict, assert_parity, check, diff, load_report

__all__ = [
    "Comparison",
    "LoadedReport",
    "Tokenizer",
    "Verdict",
    "__version__",
    "assert_parity",
    "check",
    "diff",
    "load_report",
]


def __getattr__(name: str) -> object:
    """One of the names of `__all__` (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.api"), name)


def __dir__() -> list[str]:
    """What there is, for completion."""
    return sorted({*globals(), *__all__})
