"""Doctor: which keys of a GGUF are wrong, measured against the model's own tokenizer, and the file with them repaired.

The file's faults are separated from an engine's: every engine opens both this GGUF and the GGUF as it should be. So it
does not matter what the engine does differently from the model's library.
"""

from __future__ import annotations

from tokparity.doctor.change import KeyChange
from tokparity.doctor.changes import base_of, changes, granted, legible
from tokparity.doctor.comparable import sayable
from tokparity.doctor.examine import Examination, examine
from tokparity.doctor.faults import about_files, bare, file_faults
from tokparity.doctor.fitting import TooFewPiecesError

__all__ = [
    "Examination",
    "KeyChange",
    "TooFewPiecesError",
    "about_files",
    "bare",
    "base_of",
    "changes",
    "examine",
    "file_faults",
    "granted",
    "legible",
    "sayable",
]
