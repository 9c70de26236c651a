"""OpenAI's tiktoken on a .tiktoken file.

The file holds ranks only. Options: `pattern` (the pre-tokenizer's regex) and `special_tokens` (text to id), which
NAME.json beside the file may hold instead. `prefix_ids` and `suffix_ids` serve add_special, which tiktoken does not
know.
"""

from __future__ import annotations

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.adapters.tiktoken import Model
from tokparity.engines.protocol import Capabilities, Options, id_list, installed_version
from tokparity.engines.spans import spanning, wrapped
from tokparity.errors import EngineError
from tokparity.outcome import Spanning


class Tiktoken:
    """The engine `tiktoken`."""

    NAME = "tiktoken"
    CAPABILITIES = Capabilities(formats=("tiktoken",), general=False, skip_special=(False,), spans=True)

    def version(self) -> str:
        """Version of the library."""
        return installed_version("tiktoken", self.NAME, "tiktoken")

    def open(self, path: str, options: Options) -> TiktokenModel:
        """Make an Encoding of a file of ranks, and of the pattern and special tokens in the file beside it."""
        try:
            model = Model(path, dict(options), "tiktoken")
        except (OSError, ValueError, AssertionError) as error:
            raise EngineError(f"tiktoken cannot open {path!r}: {error}") from error
        return TiktokenModel(model, id_list(options, "prefix_ids"), id_list(options, "suffix_ids"))


class TiktokenModel:
    """An Encoding, asked as in an environment of its own."""

    def __init__(self, model: Model, prefix: tuple[int, ...], suffix: tuple[int, ...]) -> None:
        self._model = model
        self._prefix = prefix
        self._suffix = suffix

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """With the model's own ids around it, if asked for."""
        ids = Ids.from_list(self._model.encode(texts.to_strs(), False, parse_special))
        return ids.wrapped(self._prefix, self._suffix) if add_special else ids

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """Special tokens are always shown."""
        return Texts.from_list(self._model.decode(ids.to_list(), skip_special))

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """`decode_with_offsets`, which says where ids begin."""
        given = spanning(*self._model.spans(text, False, parse_special))
        return wrapped(given, self._prefix, self._suffix, len(text)) if add_special else given


ENGINE = Tiktoken()
