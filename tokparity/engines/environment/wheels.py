"""The SHA-256 of the wheels that an environment was made of, from what its installer says."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

Hashes = dict[str, str]
"""SHA-256 by distribution, as `canonical` spells its name."""


def canonical(name: str) -> str:
    """A distribution's name as indexes spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def of_report(said: str) -> Hashes:
    """From what `pip install --report` wrote."""
    found = {}
    for entry in json.loads(said)["install"]:
        hashes = entry.get("download_info", {}).get("archive_info", {}).get("hashes", {})
        if "sha256" in hashes:
            found[canonical(entry["metadata"]["name"])] = str(hashes["sha256"])
    return found


def of_lock(said: str, tags: Mapping[str, frozenset[str]]) -> Hashes:
    """From a pylock.toml, which lists all wheels of each package; that with the tags of the installed one is meant."""
    found = {}
    for package in tomllib.loads(said).get("packages", ()):
        name = canonical(package["name"])
        for wheel in package.get("wheels", ()):
            if "sha256" in wheel.get("hashes", {}) and tags.get(name, frozenset()) & _tags(_file_name(wheel)):
                found[name] = str(wheel["hashes"]["sha256"])
    return found


def installed_tags(folder: Path) -> dict[str, frozenset[str]]:
    """The tags of each installed wheel, as its own record says, by distribution."""
    return dict(_installed_tags(folder))


def _installed_tags(folder: Path) -> Iterator[tuple[str, frozenset[str]]]:
    for wheel in folder.glob("lib/python*/site-packages/*.dist-info/WHEEL"):
        lines = wheel.read_text(encoding="utf-8", errors="replace").splitlines()
        found = [_tags(line.removeprefix("Tag:").strip()) for line in lines if line.startswith("Tag:")]
        yield canonical(wheel.parent.name.partition("-")[0]), frozenset().union(*found)


def _file_name(wheel: Mapping[str, Any]) -> str:
    place = str(wheel.get("name") or wheel.get("url") or wheel.get("path") or "")
    return unquote(urlsplit(place).path).rpartition("/")[2]


def _tags(file_name: str) -> frozenset[str]:
    """The tags that the name of a wheel ends with: cp311.cp312-abi3-linux_x86_64 represents two."""
    parts = file_name.removesuffix(".whl").split("-")[-3:]
    return frozenset("-".join(tag) for tag in product(*(part.split(".") for part in parts)))
