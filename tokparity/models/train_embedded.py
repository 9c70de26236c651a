"""Trains the small models that ship with tokparity, so that a run needs nothing but the project.

    python -m tokparity.models.train_embedded

Texts are our own corpora: every language (as they are) and code. The result is committed; train again only to change
it, because accepted findings and tests may depend on it. Together they stay under 300 KB. SentencePiece and byte-level
BPE come out the same every time; WordPiece doesn't, because its trainer breaks ties at random.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from tokparity.models.record import EMBEDDED
from tokparity.sources import corpus

CORPORA = ("languages", "code")
PIECES = 2800
USER_DEFINED = ("<|user|>", "<|assistant|>", "▁▁▁▁")
BYTE_LEVEL_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
BERT_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

NORMALISATION = {
    **{0xFF01 + i: chr(0x21 + i) for i in range(94)},  # fullwidth forms
    **{0xFB00 + i: text for i, text in enumerate(("ff", "fi", "fl", "ffi", "ffl"))},
    **{0x2460 + i: str(i + 1) for i in range(20)},  # circled numbers
    **dict.fromkeys((0x09, 0x0A, 0x0D, 0xA0, 0x2003, 0x3000), " "),
    **dict.fromkeys((0x200B, 0xAD), ""),  # zero-width space, soft hyphen
    0xBD: "1⁄2",
    0x2026: "...",
    0x2122: "TM",
}
COMPOSITIONS = {
    ("e", "\u0301"): "é",
    ("u", "\u0308"): "ü",
    ("か", "\u3099"): "が",
    ("\u1112", "\u1161", "\u11ab"): "한",
}
"""A small part of NFKC, because the whole charsmap alone has 240 KB."""


def texts() -> Iterator[str]:
    """What the models are trained on."""
    for name in CORPORA:
        for case in corpus.load(name):
            yield case.question.text.decode("utf-8", "replace")


def main() -> None:
    """Train all four."""
    EMBEDDED.mkdir(exist_ok=True)
    _sentencepiece("small-unigram", "unigram", byte_fallback=False)
    _sentencepiece("small-spm", "bpe", byte_fallback=True)
    _byte_level_bpe()
    _wordpiece()


def _sentencepiece(name: str, kind: str, byte_fallback: bool) -> None:
    import sentencepiece

    rules = EMBEDDED / "rules.tsv"
    rules.write_text("".join(_rules()), encoding="utf-8")
    # Unigram is T5's way (charsmap, spaces collapsed, pad first), BPE is Llama's (nothing normalized, bytes).
    unigram: dict[str, Any] = {
        "normalization_rule_tsv": str(rules),
        "pad_id": 0,
        "eos_id": 1,
        "unk_id": 2,
        "bos_id": -1,
    }
    llama: dict[str, Any] = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=texts(),
        model_writer=model,
        model_type=kind,
        vocab_size=PIECES,
        byte_fallback=byte_fallback,
        character_coverage=0.98,
        num_threads=1,
        max_sentence_length=1 << 16,
        minloglevel=2,
        **(unigram if kind == "unigram" else llama),
    )
    rules.unlink()
    (EMBEDDED / f"{name}.model").write_bytes(model.getvalue())


def _rules() -> Iterator[str]:
    for characters, text in ({chr(code): text for code, text in NORMALISATION.items()} | COMPOSITIONS).items():
        yield " ".join(f"{ord(c):X}" for c in characters) + "\t" + " ".join(f"{ord(c):X}" for c in text) + "\n"


def _byte_level_bpe() -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=PIECES, initial_alphabet=alphabet, special_tokens=list(BYTE_LEVEL_SPECIAL), show_progress=False
    )
    tokenizer.train_from_iterator(texts(), trainer)
    tokenizer.save(str(EMBEDDED / "small-bpe.json"), pretty=False)


def _wordpiece() -> None:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=PIECES, limit_alphabet=700, special_tokens=list(BERT_SPECIAL), show_progress=False
    )
    tokenizer.train_from_iterator(texts(), trainer)
    ids = [(token, BERT_SPECIAL.index(token)) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ids
    )
    tokenizer.save(str(EMBEDDED / "small-wordpiece.json"), pretty=False)


if __name__ == "__main__":
    main()
