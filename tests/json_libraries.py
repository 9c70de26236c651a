"""The JSON libraries that runners in other languages need.

Debian has them as nlohmann-json3-dev, librust-serde-json-dev and libgoogle-gson-java; Maven keeps the last one, too.
"""

from __future__ import annotations

from pathlib import Path

_PLACES = {
    "nlohmann/json.hpp": ("/usr/include/nlohmann/json.hpp", "/usr/local/include/nlohmann/json.hpp"),
    "gson": ("/usr/share/java/gson.jar", f"{Path.home()}/.m2/repository/com/google/code/gson/gson/*/gson-*[0-9].jar"),
    "serde_json": ("/usr/share/cargo/registry/serde_json-*/Cargo.toml",),
}


def found(name: str) -> str:
    """Where a library is; empty if it is nowhere that the tests look for it."""
    return next((str(one) for place in _PLACES[name] for one in sorted(Path("/").glob(place[1:]))), "")
