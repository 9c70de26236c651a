"""Our own reference tokenizer as an engine, alone or with quirks: `reference+greedy_longest_match`."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from tokparity import __version__, formats, quirks
from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.protocol import Capabilities, Options
from tokparity.errors import UsageError
from tokparity.outcome import Spanning
from tokparity.reference.spans import spanned
from tokparity.reference.tokenizer import Tokenizer

_AT_A_TIME = 256


@dataclass(frozen=True)
class Reference:
    """The engine `reference`, or with `quirks` one that is wrong on purpose."""

    quirks: tuple[str, ...] = ()
    CAPABILITIES = Capabilities(
        formats=("gguf", "sentencepiece", "tokenizer.json", "tiktoken", "tekken"),
        invalid_utf8=True,
        streams=True,
        spans=True,
    )

    @property
    def NAME(self) -> str:
        """`reference`, and its quirks behind plus signs."""
        return "+".join(("reference", *self.quirks))

    def with_quirks(self, names: tuple[str, ...]) -> Reference:
        """Return the reference with these quirks; UsageError if one is unknown, or if two exclude each other."""
        found = [quirks.get(name) for name in names]
        for one, other in combinations(found, 2):
            if quirks.clash(one, other):
                message = f"quirks {one.name!r} and {other.name!r} both set {one.field!r}"
                raise UsageError(message, "name only one of them")
        return Reference(names)

    def version(self) -> str:
        """Version of tokparity."""
        return f"tokparity {__version__}"

    def open(self, path: str, options: Options) -> ReferenceModel:
        """Read the model's file and flip its behavior."""
        source = formats.read(Path(path))
        behaviour = quirks.flip_all((quirks.get(name) for name in self.quirks), source.behaviour)
        opened = ReferenceModel(Tokenizer(source.vocabulary, behaviour))
        gc.freeze()  # the model lives as long as the worker: the collector need not walk through it again and again
        return opened


class ReferenceModel:
    """A reference tokenizer behind the engines' interface."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The ids of each text."""
        import numpy

        # Each list goes into the array at once, as it takes three times the memory of its part of the array.
        ids, lengths = array("i"), [0]
        for start in range(0, len(texts), _AT_A_TIME):
            for text in texts.slice(start, start + _AT_A_TIME).to_list():
                row = array("i", self._tokenizer.encode(text, add_special, parse_special))
                ids.extend(row)
                lengths.append(len(row))
        return Ids(numpy.frombuffer(ids, dtype=numpy.int32), numpy.cumsum(lengths, dtype=numpy.int64))

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """The bytes of each list."""
        return Texts.from_list([self._tokenizer.decode(row, skip_special) for row in ids.to_list()])

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """The bytes that each id adds."""
        return self._tokenizer.stream(prefill, ids, skip_special)

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """The characters that each id comes from, and how far a span may reach."""
        return spanned(self._tokenizer, text, add_special, parse_special)


ENGINE = Reference()
