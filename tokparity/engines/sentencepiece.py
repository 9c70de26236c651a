"""Google's SentencePiece library, on a .model file.

SentencePiece adds no BOS or EOS by itself and its files do not say who wants them: options `prefix_ids` and
`suffix_ids` say what add_special adds. It never recognizes control tokens in a text, nor shows them in a decoded
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.adapters.sentencepiece import spans_of, streamed
from tokparity.engines.protocol import Capabilities, Options, id_list, installed_version
from tokparity.engines.spans import spanning, wrapped
from tokparity.errors import EngineError
from tokparity.outcome import Spanning


class SentencePiece:
    """The engine `sentencepiece`."""

    NAME = "sentencepiece"
    CAPABILITIES = Capabilities(
        formats=("sentencepiece",),
        invalid_utf8=True,
        parse_special=(False,),
        skip_special=(True,),
        streams=True,
        spans=True,
    )

    def version(self) -> str:
        """Version of the library."""
        return installed_version("sentencepiece", self.NAME, "sentencepiece")

    def open(self, path: str, options: Options) -> SentencePieceModel:
        """Load a .model file."""
        from sentencepiece import SentencePieceProcessor

        processor = SentencePieceProcessor()
        try:
            processor.Load(path)
        except (OSError, RuntimeError) as error:
            raise EngineError(f"SentencePiece cannot load {path!r}: {error}") from error
        return SentencePieceModel(processor, id_list(options, "prefix_ids"), id_list(options, "suffix_ids"))


class SentencePieceModel:
    """A model that SentencePiece has loaded."""

    def __init__(self, processor: Any, prefix: tuple[int, ...], suffix: tuple[int, ...]) -> None:
        self._processor = processor
        self._prefix = prefix
        self._suffix = suffix

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The best path of each text, from its bytes."""
        ids = Ids.from_list(self._processor.Encode(texts.to_list(), out_type=int, num_threads=1))
        return ids.wrapped(self._prefix, self._suffix) if add_special else ids

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """The text of each list, as the library's bytes."""
        return Texts.from_list(self._processor.Decode(ids.to_list(), out_type=bytes, num_threads=1))

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """The library has no stream: this is what its users do."""
        yield from streamed(lambda row: self._processor.Decode(row, out_type=bytes), list(prefill), list(ids))

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """`return_type="proto"`, with empty spans for what is put around the ids."""
        given = spanning(*spans_of(self._processor, text))
        return wrapped(given, self._prefix, self._suffix, len(text)) if add_special else given


ENGINE = SentencePiece()
