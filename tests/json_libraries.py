"""The JSON libraries that runners in other languages need: Debian's nlohmann-json3-dev and librust-serde-json-dev."""

from __future__ import annotations

from pathlib import Path

_PLACES = {
    "nlohmann/json.hpp": ("/usr/include/nlohmann/json.hpp", "/usr/local/include/nlohmann/json.hpp"),
    "serde_json": ("/usr/share/cargo/registry/serde_json-*/Cargo.toml",),
}


def missing(name: str) -> bool:
    """Whether a library is nowhere that the tests look for it."""
    return not any(found for place in _PLACES[name] for found in Path("/").glob(place.removeprefix("/")))
