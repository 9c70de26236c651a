"""SentencePiece's .model files.

SentencePiece adds no ids by itself. A `tokenizer_config.json` beside the file says which of BOS and EOS belong to the
model. Without it, the usual ones are taken: BPE with byte fallback (Llama) has BOS, unigram (T5) has EOS.
"""

from __future__ import annotations

from pathlib import Path

from tokparity.errors import FormatError
from tokparity.formats import Source
from tokparity.formats.beside import configuration, written
from tokparity.formats.sentencepiece_model import ADD_BOS, ADD_EOS, TYPE_NAMES, parse, text_of, tokenizer_of
from tokparity.formats.sentencepiece_writer import model_of

NAME = "sentencepiece"
SUFFIXES = (".model",)

MAX_BYTES = 1 << 28


def sniff(path: Path) -> bool:
    """A first piece: field 1 with a length, and in it field 1 (the piece) or, less usual, another one."""
    with path.open("rb") as file:
        head = file.read(12)
    if len(head) < 4 or head[0] != 0x0A:
        return False
    inside = 2
    while inside < 11 and head[inside - 1] & 0x80:
        inside += 1
    return inside < len(head) and head[inside] in (0x0A, 0x15, 0x18)


def read(path: Path) -> Source:
    """Read the model in a .model file; FormatError if it is not one, or is of a kind that tokparity does not read."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise FormatError(
            f"{path} has {size} bytes, too many for a SentencePiece model",
            f"at most {MAX_BYTES} bytes are read: check the path",
        )
    model = parse(path)
    sidecar = configuration(path)
    vocabulary, behaviour = tokenizer_of(path, model, sidecar)
    metadata = {
        "model_type": TYPE_NAMES[model.trainer_spec.model_type],
        "normalizer": text_of(path, model.normalizer_spec, "name"),
        "byte_fallback": model.trainer_spec.byte_fallback,
        "vocab_size": model.trainer_spec.vocab_size,
    }
    return Source(NAME, path, vocabulary, behaviour, metadata, frozenset({ADD_BOS, ADD_EOS} - sidecar.keys()))


companions = written
"""What stands beside the file, for it has no place in it."""


def write(source: Source, path: Path) -> None:
    """Write an SPM or UGM tokenizer as a .model file; CannotExpressError names what has no words there."""
    path.write_bytes(model_of(source).SerializeToString())
