"""Mistral's mistral-common: Tekken on a tekken.json, or its SentencePiece wrapper on a .model file.

The engine tokenizes text only, without chat templates. add_special adds BOS, as Mistral's own code does before
a prompt. Control tokens are never recognized in a text.
"""

from __future__ import annotations

from tokparity.engines.answers import UnsupportedError
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.adapters.mistral_common import Model
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
        try:
            return MistralCommonModel(Model(path, dict(options), ""))
        except Exception as error:  # assertions, KeyErrors and the like, for a file that is something else
            raise EngineError(f"mistral-common cannot load {path!r}: {type(error).__name__}: {error}"[:2000]) from error


class MistralCommonModel:
    """A tokenizer of the library, asked as in an environment of its own."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Encode texts, with BOS if the caller asks for it."""
        return Ids.from_list(self._model.encode(texts.to_strs(), add_special, parse_special))

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Special tokens are dropped or spelled; of a .model file they can only be dropped."""
        if self._model.spells_pieces and not skip_special:
            raise UnsupportedError("mistral-common spells pieces, and decodes none, where special tokens are kept")
        return Texts.from_list([text.encode() for text in self._model.decode(ids.to_list(), skip_special)])


ENGINE = MistralCommon()
