"""All numbers that bound a diagnosis stand in one place, each with words and a unit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tokparity import diagnose

FOLDER = Path(diagnose.__file__).parent
LIMITS = [FOLDER / "limits" / name for name in ("families.py", "streams.py", "texts.py")]

OF_THE_MATTER = {"LIVES", "DIES", "RUN", "MOST", "FIRST", "FIRST_OTHER", "ABOVE", "_APART", "_NONE_GIVES", "_SEED",
                 "_DECIMALS", "_BITS", "_GROUP"}  # fmt: skip
"""Numbers that bound nothing: code points, answers, seeds, what is looked for."""


def is_number(node: ast.expr) -> bool:
    """Whether an expression is a number, or several."""
    if isinstance(node, ast.Tuple):
        return bool(node.elts) and all(map(is_number, node.elts))
    if isinstance(node, ast.UnaryOp | ast.BinOp):
        return all(map(is_number, (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))))
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def numbers(path: Path) -> Iterator[str]:
    """The names of a module that are given a number."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and is_number(node.value):
            for target in node.targets:
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def test_no_module_has_bounds_of_its_own() -> None:
    """A new bound is a line of limits/."""
    others = [path for path in FOLDER.rglob("*.py") if path.parent.name != "limits"]
    own = {
        str(path.relative_to(FOLDER)): [name for name in numbers(path) if name not in OF_THE_MATTER] for path in others
    }
    assert {} == {path: names for path, names in own.items() if names}


def test_each_bound_says_what_it_bounds() -> None:
    """In a sentence behind it."""
    body = [node for path in LIMITS for node in ast.parse(path.read_text(encoding="utf-8")).body]
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.Assign):
            assert isinstance(after, ast.Expr), ast.unparse(node)
            assert ast.unparse(after).rstrip("'\"").endswith("."), ast.unparse(node)


def test_no_bound_is_there_for_nothing() -> None:
    """Each is used somewhere."""
    used = {
        name.name
        for path in FOLDER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("tokparity.diagnose.limits.")
        for name in node.names
    }
    assert [] == [name for path in LIMITS for name in numbers(path) if name not in used]
