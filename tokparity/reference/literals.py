"""Finding one of many literal strings in a text: leftmost, and of those the longest."""

from __future__ import annotations

import re
from collections.abc import Iterable

Node = dict[str, "Node"]
_END = ""  # key of a node at which a literal ends


def compile_literals(literals: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that matches, at the leftmost place, the longest of the literals; None if there are none.

    The literals become a trie, and the trie a pattern. So thousands of literals (Gemma has 6,000 added tokens) cost
    the depth of the trie per character, not their number.
    """
    found = {literal for literal in literals if literal}
    root: Node = {}
    for literal in sorted(found):
        node = root
        for character in literal:
            node = node.setdefault(character, {})
        node[_END] = {}
    try:
        return re.compile(_pattern(root)) if found else None
    except RecursionError:
        # Hundreds of literals of which each begins with the one before, as no sound model has them: slower, but exact.
        return re.compile("|".join(map(re.escape, sorted(found, key=len, reverse=True))))


def _pattern(node: Node) -> str:
    """The pattern for what may follow `node`; longer branches are tried first because the group is greedy."""
    leaves = [c for c, child in node.items() if c and list(child) == [_END]]
    branches = [_chain(c, child) for c, child in node.items() if c and list(child) != [_END]]
    if len(leaves) > 1:
        branches.append("[" + "".join(map(re.escape, leaves)) + "]")
    else:
        branches += map(re.escape, leaves)
    group = branches[0] if len(branches) == 1 else "|".join(branches)
    if _END in node:
        return f"(?:{group})?" if branches else ""
    return group if len(branches) == 1 else f"(?:{group})"


def _chain(character: str, node: Node) -> str:
    """A run of nodes with one child each, as one literal, so that the recursion is as deep as the trie branches."""
    run = [character]
    while len(node) == 1 and _END not in node:
        ((character, node),) = node.items()
        run.append(character)
    return re.escape("".join(run)) + _pattern(node)
