"""Mistral's mistral-common: Tekken on a tekken.json, or its SentencePiece wrapper on a .model file.

The engine tokenizes text only, without chat templates. add_special adds BOS, as Mistral's own code does before
a prompt. Control tokens are never recognised in a text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options, installed_version
from tokparity.errors import EngineError


class MistralCommon:
    """The engine `mistral-common`."""

    NAME = "mistral-common"
    IMPORTS = ("mistral_common.tokens.tokenizers.tekken",)
    CAPABILITIES = Capabilities(formats=("tekken", "sentencepiece"), general=False, parse_special=(False,))

    def version(self) -> str:
        """Version of the library."""
        return installed_version("mistral-common", self.NAME, "mistral")

    def open(self, path: str, options: Options) -> MistralCommonModel:
        """Load a tekken.json or a .model file, whichever it is."""
        from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, TokenizerVersion
        from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer
        from mistral_common.tokens.tokenizers.tekken import Tekkenizer

        try:
            with Path(path).open("rb") as file:
                is_json = file.read(64).lstrip().startswith(b"{")
            # The version says which chat template there is; it changes no text's ids.
            tokenizer = Tekkenizer.from_file(path) if is_json else SentencePieceTokenizer(path, TokenizerVersion("v3"))
        except Exception as error:  # assertions, KeyErrors and the like, for a file that is something else
            raise EngineError(f"mistral-common cannot load {path!r}: {type(error).__name__}: {error}"[:2000]) from error
        return MistralCommonModel(tokenizer, SpecialTokenPolicy)


class MistralCommonModel:
    """A Tekkenizer or a SentencePieceTokenizer."""

    def __init__(self, tokenizer: Any, policy: Any) -> None:
        self._tokenizer = tokenizer
        self._policy = policy

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """`encode`, with BOS if asked for."""
        encode = self._tokenizer.encode
        return Ids.from_list([encode(text, bos=add_special, eos=False) for text in texts.to_strs()])

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """`decode`, which drops special tokens or spells them."""
        policy = self._policy.IGNORE if skip_special else self._policy.KEEP
        decode = self._tokenizer.decode
        return Texts.from_list([decode(row, special_token_policy=policy).encode() for row in ids.to_list()])


ENGINE = MistralCommon()
