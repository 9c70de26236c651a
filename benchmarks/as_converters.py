"""A GGUF as llama.cpp's converter writes it: with gguf's own SpecialVocab and GGUFWriter, from a folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from tokparity.errors import CannotExpressError
from tokparity.formats import Source, beside
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_writer import NAMES, keys_of
from tokparity.lint.control_names import looks_special
from tokparity.reference.bpe import bpe
from tokparity.vocabulary import Kind

PADDING = 8
"""Pieces that are put behind those of the model, for its embeddings have more rows."""


def write_as_converters(source: Source, path: Path, pre: str = "") -> None:
    """Write the byte-level BPE of a tokenizer.json; CannotExpressError for all else.

    `pre` is the name of the pre-tokenizer, by which the converter knows it; without one, the name that we write.
    """
    import gguf

    vocabulary = source.vocabulary
    if source.behaviour.segment is not bpe or not source.behaviour.byte_level:
        raise CannotExpressError("only byte-level BPE is written so", "take another model")
    pre = pre or keys_of(beside.as_configured(source))[PREFIX + "pre"].decode()
    added = {token.id: token for token in vocabulary.added}
    pieces, kinds = list(vocabulary.pieces), []
    for i, piece in enumerate(vocabulary.pieces):
        token = added.get(i)
        kind = Kind.NORMAL if piece else Kind.UNUSED
        if token is not None:
            kind = Kind.CONTROL if token.special or looks_special(token.content) else Kind.USER_DEFINED
        kinds.append(int(kind))
    pieces = [piece or f"[PAD{i}]".encode() for i, piece in enumerate(pieces)]
    pieces += [f"[PAD{i}]".encode() for i in range(len(pieces), len(pieces) + PADDING)]
    kinds += [int(Kind.UNUSED)] * PADDING
    writer = gguf.GGUFWriter(path, NAMES[0][0])
    writer.add_name(NAMES[0][1])
    writer.add_context_length(2048)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(pieces)
    writer.add_token_types(kinds)
    with TemporaryDirectory() as folder:
        shutil.copy(source.path, Path(folder) / beside.LOADED_AS[0])
        for name in (beside.CONFIGURATION, beside.TOKENS_MAP):
            if source.path.with_name(name).is_file():
                shutil.copy(source.path.with_name(name), folder)
        gguf.SpecialVocab(folder, load_merges=True).add_to_gguf(writer, quiet=True)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
