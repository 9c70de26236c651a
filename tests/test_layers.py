"""Who may import whom, read from the syntax trees: imports inside functions and under TYPE_CHECKING count as well."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tokparity

PACKAGE = Path(tokparity.__file__).parent

LAYERS = (
    {"errors", "garbage"},
    {"questions"},
    {"vocabulary", "behaviour", "quirk", "outcome", "case", "difference", "trait", "finding"},
    {"laws", "span_laws", "rounds"},
    {"reference"},
    {"quirks", "formats"},
    {"diagnose", "sources", "generators", "engines", "models", "report", "strategies"},
    {"session", "lint", "chat"},
    {"fuzz", "doctor", "sweep", "loader", "vectors"},
    {"cli", "pytest_plugin", "api"},
    {"__main__"},
)  # fmt: skip
"""From the bottom up. A part may import its own layer and those below it."""

LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

FORBIDDEN = (("reference", "quirks"), ("diagnose", "engines"), ("report", "engines"))
"""What the levels alone would allow."""

MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def part_of(module: Path) -> str:
    """The name of the folder or file right below the package."""
    return module.parts[0].removesuffix(".py")


@cache
def imports_and_calls(path: Path) -> list[ast.AST]:
    """The statements and expressions of a module that tell what it imports, or what it calls."""
    kinds = ast.Import, ast.ImportFrom, ast.Call
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds)]


def imported(module: Path) -> Iterator[str]:
    """The parts of tokparity that a module imports anywhere; "" for the package itself."""
    package = ("tokparity", *module.parts[:-1])
    for node in imports_and_calls(PACKAGE / module):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            path = ".".join((*base, *([node.module] if node.module else [])))
            names = [f"{path}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            root, _, rest = name.partition(".")
            if root == "tokparity":
                part = rest.partition(".")[0]
                yield part if part in LEVEL or (PACKAGE / part).exists() or (PACKAGE / f"{part}.py").exists() else ""


def test_every_part_has_a_layer() -> None:
    """A new part of the package is placed in a layer on purpose."""
    assert set() == {part_of(module) for module in MODULES} - LEVEL.keys() - {"__init__"}


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_point_downwards(module: Path) -> None:
    """No module imports a part of a layer above its own."""
    part = part_of(module)
    if part == "__init__":
        assert ["api", "report"] == sorted({*imported(module)})  # for type checkers; test_pages.py has what is loaded
        return
    assert [] == [other for other in imported(module) if other and LEVEL[other] > LEVEL[part]]


@pytest.mark.parametrize(("part", "never"), FORBIDDEN)
def test_forbidden_imports(part: str, never: str) -> None:
    """What the order of the layers would allow, and the design does not."""
    assert [] == [str(module) for module in MODULES if part_of(module) == part and never in imported(module)]


def test_only_one_engine_imports_the_reference() -> None:
    """Engines are independent of the reference, except the one that serves it."""
    importing = [module.name for module in MODULES if part_of(module) == "engines" and "reference" in imported(module)]
    assert ["reference.py"] == importing


def modules_of(module: Path, part: str) -> Iterator[str]:
    """The modules of a part of tokparity that another one imports, with their dots."""
    for node in imports_and_calls(PACKAGE / module):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.startswith(f"tokparity.{part}."))


def test_diagnosis_is_asked_at_its_door() -> None:
    """No other part imports a module below `tokparity.diagnose`."""
    others = [module for module in MODULES if part_of(module) != "diagnose"]
    assert {} == {str(module): found for module in others if (found := [*modules_of(module, "diagnose")])}


def names_benchmarks(module: Path) -> bool:
    """Whether a module imports `benchmarks`, by a statement or by that name in a call."""
    for node in imports_and_calls(PACKAGE / module):
        names: list[object] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        elif isinstance(node, ast.Call):
            names = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        if any(isinstance(name, str) and name.partition(".")[0] == "benchmarks" for name in names):
            return True
    return False


def test_only_their_command_knows_the_benchmarks() -> None:
    """They are outside the package, so that nothing but the command that looks for them may need them."""
    assert [Path("cli/bench.py")] == [module for module in MODULES if names_benchmarks(module)]


def test_only_run_and_cli_print() -> None:
    """Everything else is data in, data out."""
    printing = {
        part_of(module)
        for module in MODULES
        for node in imports_and_calls(PACKAGE / module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert set() == printing - {"cli", "engines"}  # a worker has no other way than its stderr


def test_no_module_is_long() -> None:
    """Above 250 lines a module has more than one purpose: it is split by these, not by length."""
    long = {str(module): len((PACKAGE / module).read_text(encoding="utf-8").splitlines()) for module in MODULES}
    assert {} == {module: lines for module, lines in long.items() if lines > 250}


def test_imports_inside_functions_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test itself sees what it is to see."""
    (tmp_path / "errors.py").write_text(
        "def f():\n    from tokparity.cli import main\nif TYPE_CHECKING:\n    import tokparity.session.run\n",
        encoding="utf-8",
    )
    (tmp_path / "cli").mkdir()
    monkeypatch.setattr("test_layers.PACKAGE", tmp_path)
    assert {"cli", "session"} == set(imported(Path("errors.py")))
