"""Whole tokenizer.json pipelines, as models of all families have them, against the library that defines them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from tests import training
from tests.rings import nightly_but
from tests.training import Recipe
from tokparity import formats, generators
from tokparity.generators.subject import Subject
from tokparity.reference import tokenizer as reference
from tokparity.sources import corpus

_CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
_PARTS = ("<x>", "<y>", " ", "Foo", "bar ", "é", "e", "\u0301", "a", "  ", "Bar", "x", "\n", "ﬁ", "世", "１")


def _unigram() -> Recipe:
    return training.unigram(["<s>", "</s>", "<unk>", "<mask>"])


def _bpe(**options: Any) -> Recipe:
    return training.bpe(["<unk>", "<s>", "</s>"], unk_token="<unk>", **options)


def _byte_level() -> Recipe:
    return training.bpe(["<|endoftext|>"], sorted(pre_tokenizers.ByteLevel.alphabet()))


def _wordpiece() -> Recipe:
    return training.wordpiece(["[UNK]", "[CLS]", "[SEP]", "[MASK]"], unk_token="[UNK]")


def _words() -> Recipe:
    return training.word_level(["[UNK]"], "[UNK]")


def _sequence(*stages: Any) -> Any:
    return normalizers.Sequence(list(stages))


def _splits(*stages: Any) -> Any:
    return pre_tokenizers.Sequence(list(stages))


_N, _P, _D = normalizers, pre_tokenizers, decoders
PIPELINES: Mapping[str, Callable[[], tuple[Recipe, Any, Any, Any, Any]]] = {
    "albert": lambda: (
        _unigram(),
        _sequence(_N.Replace("``", '"'), _N.NFKD(), _N.StripAccents(), _N.Lowercase(), _N.Replace(Regex(" {2,}"), " ")),
        _P.Metaspace(prepend_scheme="always"),
        _D.Metaspace(prepend_scheme="always"),
        processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]),
    ),
    "llama": lambda: (
        _bpe(fuse_unk=True),
        _sequence(_N.Prepend("▁"), _N.Replace(" ", "▁")),
        None,
        _D.Sequence([_D.Replace("▁", " "), _D.ByteFallback(), _D.Fuse(), _D.Strip(" ", 1, 0)]),
        None,
    ),
    "clip": lambda: (
        _bpe(end_of_word_suffix="</w>"),
        _sequence(_N.NFC(), _N.Replace(Regex(r"\s+"), " "), _N.Lowercase()),
        _splits(_P.Split(Regex(_CLIP), behavior="removed", invert=True), _P.ByteLevel(add_prefix_space=False)),
        _D.ByteLevel(),
        None,
    ),
    "roberta": lambda: (
        _byte_level(),
        None,
        _P.ByteLevel(add_prefix_space=True),
        _D.ByteLevel(),
        processors.RobertaProcessing(("<|endoftext|>", 0), ("<|endoftext|>", 0)),
    ),
    "digits": lambda: (
        _byte_level(),
        _N.NFC(),
        _splits(_P.Digits(individual_digits=True), _P.Punctuation("contiguous"), _P.ByteLevel(add_prefix_space=False)),
        _D.ByteLevel(),
        None,
    ),
    "bert": lambda: (
        _wordpiece(),
        _N.BertNormalizer(),
        _P.BertPreTokenizer(),
        _D.WordPiece(),
        processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1)),
    ),
    "bert-cased": lambda: (
        _wordpiece(),
        _N.BertNormalizer(lowercase=False, strip_accents=True, handle_chinese_chars=False),
        _splits(_P.UnicodeScripts(), _P.Whitespace()),
        _D.WordPiece(cleanup=False),
        None,
    ),
    "words": lambda: (_words(), _sequence(_N.Strip(), _N.Nmt(), _N.NFD()), _P.CharDelimiterSplit("e"), None, None),
    "continuing": lambda: (
        _bpe(continuing_subword_prefix="##"),
        _N.ByteLevel(),
        _P.Split(Regex("Ġ?[A-Za-z]+|."), behavior="merged_with_next"),
        _D.BPEDecoder(),
        None,
    ),
    "ctc": lambda: (
        _bpe(),
        _sequence(_N.StripAccents(), _N.Replace(Regex("[0-9]+"), "#")),
        _P.Split(" ", "merged_with_previous"),
        _D.CTC(),
        None,
    ),
}
ADDED = (
    AddedToken("<x>", lstrip=True, special=True),
    AddedToken("<y>", rstrip=True, normalized=True, special=True),
    AddedToken("Foo", single_word=True, normalized=False),
    AddedToken("bar ", normalized=True),
    AddedToken("é", normalized=True),
)


def corpora() -> list[str]:
    """Lines to train on and to compare with."""
    names = ("prompts", "code", "whitespace", "normalisation", "letter_case")
    return [case.question.text.decode("utf-8", "replace") for name in names for case in islice(corpus.load(name), 80)]


def built(name: str, path: Path) -> Tokenizer:
    """The pipeline, trained, written down, and read again by the library: reading rounds scores."""
    recipe, normalizer, pre_tokenizer, decoder, processor = PIPELINES[name]()
    tokenizer = Tokenizer(models.BPE())
    stages = {
        "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "decoder": decoder, "post_processor": processor,
    }  # fmt: skip
    for field in ("normalizer", "pre_tokenizer", "decoder"):
        if stages[field] is not None:
            setattr(tokenizer, field, stages[field])
    training.train(tokenizer, recipe, corpora())
    if processor is not None:
        tokenizer.post_processor = processor
    tokenizer.add_special_tokens([token for token in ADDED if token.special])
    tokenizer.add_tokens([token for token in ADDED if not token.special])
    tokenizer.save(str(path))
    return Tokenizer.from_file(str(path))


def texts(subject: Subject) -> Iterator[str]:
    """Generated ones, added tokens in all kinds of company, and the corpora."""
    for name in generators.names():
        for text in islice(generators.texts(name, 5, subject), 40):
            yield text.decode("utf-8", "replace")
    rng = random.Random(3)
    for _ in range(200):
        yield "".join(rng.choices(_PARTS, k=rng.randint(1, 8)))
    yield from corpora()


@pytest.mark.parametrize("name", nightly_but([*PIPELINES][::2], PIPELINES))
def test_a_pipeline_is_read_as_the_library_reads_it(name: str, tmp_path: Path) -> None:
    """Equal ids and equal decoded text, added tokens that the model does not have among them."""
    path = tmp_path / "tokenizer.json"
    theirs = built(name, path)
    source = formats.read(path)
    ours = reference.Tokenizer(source.vocabulary, source.behaviour)
    for text in texts(Subject(source.vocabulary, source.behaviour)):
        expected = theirs.encode(text).ids
        assert expected == ours.encode(text.encode(), True, True), text
        decoded = ours.decode(expected, skip_special=True)
        assert theirs.decode(expected, skip_special_tokens=True).encode() == decoded, text


@pytest.mark.parametrize("name", ["clip", "roberta", "bert-cased"])
def test_added_tokens_stay_outside_of_the_model(name: str, tmp_path: Path) -> None:
    """What is written again reads the same, and the library gives the tokens their ids."""
    built(name, tmp_path / "tokenizer.json")
    source = formats.read(tmp_path / "tokenizer.json")
    assert source.vocabulary.outside
    formats.write(source, "tokenizer.json", tmp_path / "again.json")
    assert source.vocabulary == formats.read(tmp_path / "again.json").vocabulary
    again = Tokenizer.from_file(str(tmp_path / "again.json"))
    contents = {token.id: token.content for token in source.vocabulary.added}
    assert set(contents) == {again.token_to_id(content) for content in contents.values()}
