"""The smallest template that still shows a fault: blocks are left out or become what is in them, sums lose a part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tokparity.chat.place import cut
from tokparity.questions.shrink import Attempts, shorten

MOST = 400
"""Attempts at one template."""

_AT_A_TIME = 8
_OPENS = ("if", "for", "macro", "call", "filter", "block", "generation", "raw", "with", "autoescape")
_BRANCHES = ("elif", "else")
_WORD = re.compile(r"\{%[-+]?\s*(\w+)")
_TOKENS = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|.""", re.DOTALL)
_SHOWN = re.compile(r"(\{\{[-+]?)(.*?)([-+]?\}\})", re.DOTALL)
_JOINS = "+~|"
_DEPTHS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}

Check = Callable[[Sequence[str]], Sequence[bool]]
"""Templates -> for each, whether it still shows the fault."""


@dataclass(frozen=True)
class Node:
    """A piece of a template: a text, a tag, or a block, of which each tag but the last one has nodes after it."""

    tags: tuple[str, ...]
    branches: tuple[tuple[Node, ...], ...] = ()

    def __str__(self) -> str:
        parts = [tag + "".join(map(str, nodes)) for tag, nodes in zip(self.tags, (*self.branches, ()), strict=False)]
        return "".join(parts)


def reduced(template: str, check: Check) -> str:
    """The template with as few pieces as show the fault, as this one does; itself where its blocks do not close."""
    nodes = _parsed(list(cut(template)))
    if nodes is None:
        return template
    left = [MOST]

    def some(texts: Sequence[str]) -> list[bool]:
        """In order, and none after the first that holds."""
        told: list[bool] = []
        for i in range(0, len(texts), _AT_A_TIME):
            if any(told) or left[0] <= 0:
                break
            left[0] -= _AT_A_TIME
            told += check(texts[i : i + _AT_A_TIME])
        return told

    while True:
        fewer = _fewer(nodes, _text, some)
        if fewer == nodes:
            return _text(nodes)
        nodes = fewer


def without_each(template: str) -> Iterator[tuple[str, str]]:
    """Each piece that is not white space, the outermost first, and the template without it; none if a block is open."""
    level: list[tuple[tuple[Node, ...], Callable[[tuple[Node, ...]], str]]]
    level = [(_parsed(list(cut(template))) or (), _text)]
    while level:
        for nodes, whole in level:
            for i, node in enumerate(nodes):
                if str(node).strip():
                    yield str(node), whole((*nodes[:i], *nodes[i + 1 :]))
        level = [
            (branch, partial(_within, whole, nodes, i, k))
            for nodes, whole in level
            for i, node in enumerate(nodes)
            for k, branch in enumerate(node.branches)
        ]


def _text(nodes: Sequence[Node]) -> str:
    return "".join(map(str, nodes))


def _fewer(nodes: tuple[Node, ...], whole: Callable[[tuple[Node, ...]], str], check: Check) -> tuple[Node, ...]:
    """The nodes of one list, of which `whole` makes the template, with as little in them as can be."""

    def holds(given: tuple[Node, ...]) -> bool:
        return any(check([whole(given)]))

    nodes = shorten(nodes, Attempts[Node](lambda rows: check([whole(row) for row in rows]), MOST))
    for i, node in enumerate(nodes):
        before, after = nodes[:i], nodes[i + 1 :]
        for smaller in _simpler(node):
            if holds((*before, *smaller, *after)):
                return _fewer((*before, *smaller, *after), whole, check)
        for k, branch in enumerate(node.branches):
            found = _fewer(branch, partial(_within, whole, nodes, i, k), check)
            nodes = _placed(nodes, i, k, found)
    return nodes


def _placed(nodes: tuple[Node, ...], i: int, k: int, given: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes with others in one branch of one of them."""
    branches = nodes[i].branches
    return (*nodes[:i], replace(nodes[i], branches=(*branches[:k], given, *branches[k + 1 :])), *nodes[i + 1 :])


def _within(
    whole: Callable[[tuple[Node, ...]], str], nodes: tuple[Node, ...], i: int, k: int, given: tuple[Node, ...]
) -> str:
    return whole(_placed(nodes, i, k, given))


def _simpler(node: Node) -> Iterator[tuple[Node, ...]]:
    """What may take the place of a node: what is in a block, the block without a branch, a sum without a part."""
    yield from node.branches
    for k in range(1, len(node.branches)):
        yield (Node((*node.tags[:k], *node.tags[k + 1 :]), (*node.branches[:k], *node.branches[k + 1 :])),)
    shown = _SHOWN.fullmatch(node.tags[0])
    if shown and not node.branches:
        parts = list(_operands(shown[2]))
        for i in range(len(parts) if len(parts) > 1 else 0):
            left = "".join((*parts[:i], *parts[i + 1 :])).strip().lstrip(_JOINS).strip()
            yield (Node((f"{shown[1]} {left} {shown[3]}",)),)


def _operands(expression: str) -> Iterator[str]:
    """The parts of a sum, and its filters, each with the sign before it."""
    depth, part = 0, ""
    for token in _TOKENS.findall(expression):
        depth += _DEPTHS.get(token, 0)
        if depth == 0 and token in _JOINS and part.strip():
            yield part
            part = ""
        part += token
    if part:
        yield part


def _parsed(pieces: list[str]) -> tuple[Node, ...] | None:
    """The tree of the blocks; None where they do not close."""
    stack: list[tuple[list[str], list[list[Node]]]] = [([], [[]])]
    for piece in pieces:
        found = _WORD.match(piece)
        word = found[1] if found else ""
        tags, branches = stack[-1]
        if word in _OPENS or (word == "set" and "=" not in piece):
            stack.append(([piece], [[]]))
        elif word in _BRANCHES and len(stack) > 1:
            tags.append(piece)
            branches.append([])
        elif word.startswith("end"):
            if len(stack) == 1:
                return None
            stack.pop()
            stack[-1][1][-1].append(Node((*tags, piece), tuple(map(tuple, branches))))
        else:
            branches[-1].append(Node((piece,)))
    return tuple(stack[0][1][0]) if len(stack) == 1 else None
