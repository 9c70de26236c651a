"""Hugging Face `tokenizers` on a raw tokenizer.json, with nothing of `transformers` around it.

Option `fast`: false asks `encode_batch`, which also keeps offsets, instead of `encode_batch_fast`.
"""

from __future__ import annotations

from typing import Any

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options, flag, installed_version
from tokparity.errors import EngineError


class Tokenizers:
    """The engine `tokenizers`."""

    NAME = "tokenizers"
    CAPABILITIES = Capabilities(formats=("tokenizer.json",))
    OPTIONS = ("fast",)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("tokenizers", self.NAME, "huggingface")

    def open(self, path: str, options: Options) -> TokenizersModel:
        """Load a tokenizer.json; truncation and padding that it asks for are switched off."""
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(path)
        except Exception as error:  # the library raises nothing more specific
            raise EngineError(f"tokenizers cannot load {path!r}: {error}") from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return TokenizersModel(tokenizer, flag(options, "fast", True))


class TokenizersModel:
    """A tokenizer.json that is loaded."""

    def __init__(self, tokenizer: Any, fast: bool) -> None:
        self._tokenizer = tokenizer
        self._encode = tokenizer.encode_batch_fast if fast else tokenizer.encode_batch

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """`encode_batch_fast`, which leaves out the offsets."""
        self._tokenizer.encode_special_tokens = not parse_special
        encodings = self._encode(texts.to_strs(), add_special_tokens=add_special)
        return Ids.from_list([encoding.ids for encoding in encodings])

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """`decode_batch`."""
        decoded = self._tokenizer.decode_batch(ids.to_list(), skip_special_tokens=skip_special)
        return Texts.from_list([text.encode() for text in decoded])


ENGINE = Tokenizers()
