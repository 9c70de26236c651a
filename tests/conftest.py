"""Settings for all tests."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

pytest_plugins = ["pytester", "tests.few_texts", "tests.strict_skips", "tests.spent"]

# A worker holds millions of objects of libraries and models, and each search for garbage goes through them anew.
# Searched this seldom, the tests take 8 to 10 percent less of the processor. Each worker of xdist loads this file.
gc.set_threshold(100_000, 50, 100)

# Times are not what our tests are about. In CI the same examples every time.
os.environ.pop("COLUMNS", None)  # what is printed is as in a pipe, whatever started the tests
os.environ["TOKPARITY_ANEW"] = "1"  # what a test sees is what was concluded in it, also by the processes it starts
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, derandomize=False, database=None)  # the seed alone says which
settings.load_profile("ci" if os.environ.get("CI") else "here")
