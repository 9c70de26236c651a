"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

pytest_plugins = ["pytester", "tests.strict_skips", "tests.spent"]

# Times are not what our tests are about. In CI the same examples every time.
os.environ.pop("COLUMNS", None)  # what is printed is as in a pipe, whatever started the tests
os.environ["TOKPARITY_ANEW"] = "1"  # what a test sees is what was concluded in it, also by the processes it starts
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, derandomize=False, database=None)  # the seed alone says which
settings.load_profile("ci" if os.environ.get("CI") else "here")
