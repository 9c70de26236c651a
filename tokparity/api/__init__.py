"""What `import tokparity` offers to people's own programs; docs/api.md is its page."""

from __future__ import annotations

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
    "assert_parity",
    "check",
    "diff",
    "load_report",
]
