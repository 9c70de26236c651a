"""The part of docs/style.md that a machine can check; `known.json` counts what is still wrong, and may only shrink."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from itertools import pairwise

import pytest
from words import prose

KNOWN: dict[str, int] = json.loads(prose.KNOWN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["long", "idioms", "british"])
def test_the_prose_gets_no_worse(kind: str) -> None:
    """Long sentences, private idioms and British spellings are no more than the number of known ones."""
    assert len(prose.faults()[kind]) <= KNOWN[kind], f"`cd tests && python -m words.prose {kind}` lists them"


def test_a_long_sentence_is_seen() -> None:
    """26 words are too many, 25 are not, and code counts as one word."""
    assert 1 == len(prose.long_sentences("word " * 25 + "end."))
    assert [] == prose.long_sentences("word " * 24 + "end.")
    assert [] == prose.long_sentences("word " * 23 + "`a b c d e f` end.")


def test_british_spelling_and_idioms_are_seen() -> None:
    """Both are found in prose and left alone in code."""
    assert ["normaliser", "behaviour"] == prose.british_words("The normaliser has another behaviour than `normalise`.")
    assert 1 == len(prose.IDIOMS.findall("A recording stands for the engine."))


def test_no_end_of_a_message_is_lost() -> None:
    """A string that stands alone documents what stands before it; else it is the end of a message that nobody sees."""
    lost = "def f():\n    'documents f'\n    self.a = 1\n    'documents a'\n    hint = 'name '\n    'one'\n"
    assert ["f.py:6"] == list(_alone("f.py", lost))
    package = prose.ROOT / "tokparity"
    assert [] == [one for path in package.rglob("*.py") for one in _alone(str(path), path.read_text(encoding="utf-8"))]


def _alone(path: str, code: str) -> Iterator[str]:
    for scope in ast.walk(ast.parse(code)):
        body = getattr(scope, "body", None)
        for before, one in pairwise([scope, *body]) if isinstance(body, list) else ():
            is_string = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant | ast.JoinedStr)
            if is_string and ast.unparse(one) != "..." and not _may_be_documented(before, scope):
                yield f"{path}:{one.lineno}"


def _may_be_documented(before: ast.AST, scope: ast.AST) -> bool:
    """Whether it is the head of a module, class or function, or a name of one of the first two, or an attribute."""
    if isinstance(before, ast.Assign | ast.AnnAssign):
        target = before.targets[0] if isinstance(before, ast.Assign) else before.target
        return isinstance(scope, ast.Module | ast.ClassDef) or isinstance(target, ast.Attribute)
    return before is scope and isinstance(scope, ast.Module | ast.ClassDef | ast.FunctionDef)
