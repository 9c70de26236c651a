"""tokparity: prove that two tokenizers agree, or find out why they don't.

The names below are documented in docs/api.md. Each is loaded when it is first asked for, so that `import tokparity` is
quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tokparity.api.asserting import assert_parity
    from tokparity.api.comparing import Comparison, diff
    from tokparity.api.gate import check
    from tokparity.api.tables import LoadedReport, load_report
    from tokparity.api.tokenizer import Tokenizer
    from tokparity.report.verdict import Verdict

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

_MODULES = {
    "Comparison": "api.comparing",
    "LoadedReport": "api.tables",
    "Tokenizer": "api.tokenizer",
    "Verdict": "report.verdict",
    "assert_parity": "api.asserting",
    "check": "api.gate",
    "diff": "api.comparing",
    "load_report": "api.tables",
}


def __getattr__(name: str) -> object:
    """One of the names of `__all__` (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """What there is, for completion."""
    return sorted({*globals(), *__all__})
