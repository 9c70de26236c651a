"""Hugging Face `tokenizers` on a raw tokenizer.json, with nothing of `transformers` around it.

Option `fast`: false asks `encode_batch`, which also keeps offsets, instead of `encode_batch_fast`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.adapters.tokenizers import Model
from tokparity.engines.protocol import Capabilities, Options, flag, installed_version
from tokparity.engines.spans import spanning
from tokparity.errors import EngineError
from tokparity.outcome import Spanning


class Tokenizers:
    """The engine `tokenizers`."""

    NAME = "tokenizers"
    CAPABILITIES = Capabilities(formats=("tokenizer.json",), streams=True, spans=True)
    OPTIONS = ("fast",)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("tokenizers", self.NAME, "huggingface")

    def open(self, path: str, options: Options) -> TokenizersModel:
        """Load a tokenizer.json; truncation and padding that it asks for are switched off."""
        given = {"fast": flag(options, "fast", True)}
        try:
            return TokenizersModel(Model(path, given, "tokenizer.json"))
        except Exception as error:  # the library raises nothing more specific
            raise EngineError(f"tokenizers cannot load {path!r}: {error}") from error


class TokenizersModel:
    """A tokenizer.json that is loaded, asked as in an environment of its own."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """Encode with `encode_batch_fast`, which does not compute offsets."""
        return Ids.from_list(self._model.encode(texts.to_strs(), add_special, parse_special))

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """`decode_batch`."""
        return Texts.from_list([text.encode() for text in self._model.decode(ids.to_list(), skip_special)])

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """`DecodeStream`."""
        return (delta.encode() for delta in self._model.stream(list(prefill), list(ids), skip_special))

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """`offsets`."""
        return spanning(*self._model.spans(text, add_special, parse_special))


ENGINE = Tokenizers()
