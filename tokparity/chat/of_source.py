"""The chat templates of a model, and the variables for its special tokens, as its files say them."""

from __future__ import annotations

from tokparity.formats import Source
from tokparity.formats.beside import chat_of, files_of_templates, special_tokens, templates


def templates_of(source: Source) -> dict[str, str]:
    """The chat templates that prompts are made of, by their key in a GGUF: as transformers, files of their own win."""
    return ({} if source.format == "gguf" else files_of_templates(source.path)) or templates_to_convert(source)


def templates_to_convert(source: Source) -> dict[str, str]:
    """The chat templates of a source, by their key in a GGUF; without any, those of the files beside it."""
    return chat_of(source) or ({} if source.format == "gguf" else templates(source.path))


def tekken_of(source: Source) -> str:
    """The path of the model's tekken.json; empty where it has none."""
    folder = source.path if source.path.is_dir() else source.path.parent
    found = source.path if source.format == "tekken" else folder / "tekken.json"
    return str(found) if found.is_file() else ""


def tokens_of(source: Source) -> dict[str, str]:
    """The variables of a template for special tokens, as transformers names them."""
    beside = {} if source.format == "gguf" else special_tokens(source.path)
    pieces, special = source.vocabulary.pieces, source.vocabulary.special
    own = {role: pieces[i].decode("utf-8", "replace") for role, i in special.items() if 0 <= i < len(pieces)}
    return {f"{role}_token": text for role, text in {**own, **beside}.items()}
