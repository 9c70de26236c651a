"""`python -m tokparity` is `tokparity`."""

from __future__ import annotations

import sys

from tokparity.cli import main

if __name__ == "__main__":
    sys.exit(main())
