"""The ways of two libraries' streams, held against the libraries themselves on random ids."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import numpy
import pytest
import tokenizers
from tokenizers.decoders import DecodeStream
from transformers import PreTrainedTokenizerFast, TextStreamer

from tokparity.models.record import EMBEDDED
from tokparity.reference.library_streams import since_two_deltas, words_of_answer
from tokparity.reference.stream import InvalidPrefixError

LIBRARY = tokenizers.Tokenizer.from_file(str(EMBEDDED / "small-bpe.json"))
FAST = PreTrainedTokenizerFast(tokenizer_object=LIBRARY)


def rows() -> Iterator[tuple[list[int], list[int]]]:
    """Prompts and ids; half of them are bytes, of which most are not UTF-8."""
    chosen = random.Random(0)
    for i in range(400):
        most = 256 if i % 2 else LIBRARY.get_vocab_size()
        sizes = chosen.choice((0, 0, 1, 3)), chosen.randrange(1, 9)
        prompt, ids = ([chosen.randrange(most) for _ in range(size)] for size in sizes)
        yield prompt, ids


def decoded(ids: Sequence[int]) -> bytes:
    """What the library decodes a row to."""
    return LIBRARY.decode(list(ids), skip_special_tokens=True).encode()


def decode_stream(prompt: list[int], ids: list[int]) -> list[bytes]:
    """The deltas of tokenizers, and nothing at the end."""
    stream = DecodeStream(skip_special_tokens=True, **({"ids": prompt} if prompt else {}))
    return [*((stream.step(LIBRARY, i) or "").encode() for i in ids), b""]


def text_streamer(prompt: list[int], ids: list[int]) -> list[bytes]:
    """The deltas of transformers."""
    given: list[bytes] = []
    streamer = TextStreamer(FAST, skip_prompt=bool(prompt), skip_special_tokens=True)
    streamer.on_finalized_text = lambda text, stream_end=False: given.append(text.encode())
    for part in ([prompt] if prompt else []) + [[i] for i in ids]:
        streamer.put(numpy.array(part))
    streamer.end()
    return given


@pytest.mark.parametrize(
    ("library", "ours"), [(decode_stream, since_two_deltas), (text_streamer, words_of_answer)], ids=["tokenizers", "hf"]
)
def test_each_delta_is_the_library_s(
    library: Callable[[list[int], list[int]], list[bytes]], ours: Callable[..., Iterator[bytes]]
) -> None:
    """Of all rows, or the same error."""

    def given(run: Callable[[], Sequence[bytes]]) -> object:
        try:
            return run()
        except Exception as error:
            return "Invalid prefix" in str(error)

    for prompt, ids in rows():
        expected = given(lambda prompt=prompt, ids=ids: library(prompt, ids))  # type: ignore[misc]
        assert expected == given(lambda prompt=prompt, ids=ids: list(ours(decoded, prompt, ids)))  # type: ignore[misc]


def test_what_is_taken_back_is_an_error() -> None:
    """Where text changes that was given, DecodeStream raises; no text of small-bpe does."""
    texts = {1: "ab", 2: "cde"}
    with pytest.raises(InvalidPrefixError, match="Invalid prefix"):
        list(since_two_deltas(lambda row: texts[len(row)].encode(), [], [5, 6]))
