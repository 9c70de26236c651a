"""How llama-cpp-python, which has no wheels on the package index, is built for vocabularies alone.

noxfile.py runs this file as well, so it imports nothing but the standard library.
"""

from __future__ import annotations

import os
from pathlib import Path

BUILT = "llama-cpp-python"

# llama.cpp's build forces its `common` library on; this file is read inside its project() call and turns it off again.
_WITHOUT_COMMON = 'set(LLAMA_BUILD_COMMON OFF CACHE BOOL "a vocabulary does not need it" FORCE)\n'
_LEFT_OUT = (
    *("LLAVA_BUILD", "LLAMA_BUILD_MTMD", "LLAMA_BUILD_TOOLS", "LLAMA_BUILD_EXAMPLES", "LLAMA_BUILD_TESTS"),
    *("LLAMA_BUILD_SERVER", "GGML_CPU", "GGML_OPENMP"),  # no backend: nothing is ever computed
)


def variables(folder: Path) -> dict[str, str]:
    """The variables of a lean build, unless the user has set them; a file that it needs is put into the folder."""
    without_common = folder / "without_common.cmake"
    without_common.write_text(_WITHOUT_COMMON, encoding="utf-8")
    options = [f"-D{option}=OFF" for option in _LEFT_OUT]
    options.append(f"-DCMAKE_PROJECT_llama.cpp_INCLUDE={without_common}")
    return {"CMAKE_ARGS": os.environ.get("CMAKE_ARGS") or " ".join(options)}
