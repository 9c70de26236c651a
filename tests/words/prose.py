"""The prose of the project, file by file, and what a machine can count in it.

From tests/, `python -m words.prose long` lists one kind of fault, and `python -m words.prose` writes the counts anew.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import codespell_lib
import pysbd

ROOT = Path(__file__).parents[2]
KNOWN = Path(__file__).with_name("known.json")
PAGES = ("README.md", "ARCHITECTURE.md", "SECURITY.md")
MOST_WORDS = 25
IDIOMS = re.compile(
    r"\b(?:put before|puts? (?:it|them|these|texts) before|stands? for|so many|has no words for|have no words for|"
    r"such as have|what is told|is told of|are told as|who has only)\b",
    re.IGNORECASE,
)
"""What docs/style.md calls private idiom."""

_CODE_BLOCK = re.compile(r"^(?:```.*?^```|(?: {4}.*\n)+)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"`+[^`]+`+")


def _paragraphs(markdown: str) -> Iterator[str]:
    """The paragraphs, list items and table cells of a page, without its code."""
    text = _LINK.sub(r"\1", _CODE_BLOCK.sub("\n", markdown))
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.) ?)", text):
        yield from (cell for cell in block.split("|")) if block.lstrip().startswith("|") else (block,)


def _literal(node: ast.expr) -> str:
    """The text of a string in the source; each formatted value is one word."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "VALUE" for part in node.values)
    if isinstance(node, ast.BinOp):
        return _literal(node.left) + _literal(node.right)
    return ""


def _of_module(source: str) -> Iterator[str]:
    """Docstrings, and strings of several words: messages, help texts, the catalogue."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            text = _literal(node)
            if text.count(" ") > 2:
                yield from re.split(r"\n\s*\n|\n(?=\s*[-*|>])", text)


def texts() -> Iterator[tuple[str, str]]:
    """Each file's name and one paragraph of it."""
    for page in (*(ROOT / name for name in PAGES), *sorted((ROOT / "docs").rglob("*.md"))):
        for paragraph in _paragraphs(page.read_text(encoding="utf-8")):
            yield str(page.relative_to(ROOT)), paragraph
    for module in sorted((ROOT / "tokparity").rglob("*.py")):
        for paragraph in _of_module(module.read_text(encoding="utf-8")):
            yield str(module.relative_to(ROOT)), paragraph


@cache
def _segmenter() -> pysbd.Segmenter:
    return pysbd.Segmenter(language="en", clean=False)


def long_sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph that have more words than the style allows."""
    plain = _CODE.sub("CODE", " ".join(paragraph.split()))
    if len(plain.split()) <= MOST_WORDS:
        return []
    return [sentence for sentence in _segmenter().segment(plain) if len(sentence.split()) > MOST_WORDS]


@cache
def _british() -> dict[str, str]:
    """British spellings and the American ones, as codespell knows them."""
    lists = Path(codespell_lib.__file__).parent / "data" / "dictionary_en-GB_to_en-US.txt"
    pairs = (line.partition("->") for line in lists.read_text(encoding="utf-8").splitlines())
    return {british: american for british, _, american in pairs} | {
        "tokeniser": "tokenizer",
        "tokenisers": "tokenizers",
    }


def british_words(paragraph: str) -> list[str]:
    """Words in British spelling; names in code are none of the prose."""
    return [word for word in re.findall(r"[a-z-]+", _CODE.sub(" ", paragraph).lower()) if _is_british(word)]


def _is_british(word: str) -> bool:
    return word in _british() or word.endswith(("tokeniser", "tokenisers", "normaliser", "normalisers"))


@cache
def faults() -> dict[str, list[str]]:
    """Each kind of fault with its places: the file, and the sentence or word."""
    found: dict[str, list[str]] = {"long": [], "idioms": [], "british": []}
    for name, paragraph in texts():
        found["long"] += (f"{name}: {sentence}" for sentence in long_sentences(paragraph))
        found["idioms"] += (f"{name}: {idiom}" for idiom in IDIOMS.findall(_CODE.sub(" ", paragraph)))
        found["british"] += (f"{name}: {word}" for word in british_words(paragraph))
    return found


if __name__ == "__main__":
    for kind in sys.argv[1:]:
        print("\n".join(faults()[kind]))
    if not sys.argv[1:]:
        counts = {kind: len(places) for kind, places in faults().items()}
        KNOWN.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
