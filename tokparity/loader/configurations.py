"""What stands beside a tokenizer.json: classes and types of model that public families ship, and options that matter.

Each was seen in a family's tokenizer_config.json and config.json, or in the thread that is named beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tokparity.engines.engine_name import EngineName
from tokparity.formats.beside import CONFIGURATION
from tokparity.reference.ugm import ugm
from tokparity.reference.wpm import wpm

if TYPE_CHECKING:
    from tokparity.formats import Source
    from tokparity.models import Model

Shape = Literal["byte-level", "marker", "unigram", "wordpiece"]
"""What kind of tokenizer a file holds: bytes spelled as letters, ▁ for spaces, unigram scores, words with ##."""


@dataclass(frozen=True)
class Configuration:
    """A class, a type of model ("" for none) and options; `seen` says where. Without a class: what stands there."""

    tokenizer_class: str = ""
    model_type: str = ""
    options: tuple[tuple[str, object], ...] = ()
    seen: str = ""

    @property
    def words(self) -> tuple[tuple[str, object], ...]:
        """As options of the engine `transformers`."""
        said = (("tokenizer_class", self.tokenizer_class), ("model_type", self.model_type), *self.options)
        return tuple((name, value) for name, value in said if value != "")

    def __str__(self) -> str:
        said = ", ".join(f"{name}={json.dumps(value)}" for name, value in self.options)
        words = (self.tokenizer_class or "as it is", self.model_type, said)
        return ", ".join(filter(None, words))

    def engine(self, version: str) -> str:
        """The engine that loads a file in this way, at a version ("" for the one that is installed)."""
        return str(EngineName("transformers", version, self.words))


_NEUTRAL = Configuration("PreTrainedTokenizerFast", seen="what a tokenizer.json alone means")
_THREAD = "huggingface/transformers#"

_BYTE_LEVEL = (
    _NEUTRAL,
    Configuration("LlamaTokenizerFast", "deepseek_v3", seen=f"DeepSeek-V3, R1; {_THREAD}45488"),
    Configuration("LlamaTokenizerFast", "llama", seen=f"deepseek-math, R1-Distill-Llama; {_THREAD}48206, 45920, 46489"),
    Configuration("LlamaTokenizer", "llama", seen=f"the same class by its other name; {_THREAD}48317"),
    Configuration("GPT2Tokenizer", "granite", seen=f"Granite 3 and 4; {_THREAD}45812"),
    Configuration("GPT2Tokenizer", "olmo2", seen=f"OLMo 2; {_THREAD}45920"),
    Configuration("GPT2Tokenizer", "gpt2", seen="GPT-2"),
    Configuration("GPT2TokenizerFast", seen="a folder without config.json"),
    Configuration("GPT2Tokenizer", "gpt2", (("add_prefix_space", True),), seen="the option of RoBERTa's family"),
    Configuration("GPTNeoXTokenizerFast", "gpt_neox", seen="GPT-NeoX, Pythia"),
    Configuration("Qwen2Tokenizer", "qwen2", seen="Qwen 2"),
    Configuration("CohereTokenizerFast", "cohere", seen="Command R"),
)
_MARKER = (
    _NEUTRAL,
    Configuration("LlamaTokenizer", "llama", seen="Llama 2"),
    Configuration("LlamaTokenizerFast", "llama", (("legacy", True),), seen=f"Vicuna; {_THREAD}24565"),
    Configuration("LlamaTokenizerFast", "llama", (("legacy", False),), seen="TinyLlama, Phi-3"),
    Configuration("LlamaTokenizerFast", "llama", (("add_prefix_space", False),), seen="code models"),
    Configuration("LlamaTokenizerFast", "mistral", seen="Mistral 7B"),
    Configuration("GemmaTokenizerFast", "gemma", seen="Gemma"),
)
_UNIGRAM = (
    _NEUTRAL,
    Configuration("T5TokenizerFast", "t5", seen="T5"),
    Configuration("XLMRobertaTokenizerFast", "xlm-roberta", seen="XLM-RoBERTa"),
    Configuration("AlbertTokenizerFast", "albert", seen="ALBERT"),
    Configuration("LlamaTokenizerFast", "llama", seen="unigram models under Llama's class"),
)
_WORDPIECE = (
    _NEUTRAL,
    Configuration("BertTokenizer", "bert", seen="BERT, BGE"),
    Configuration("BertTokenizerFast", "bert", (("do_lower_case", True),), seen="bert-base-uncased"),
    Configuration("BertTokenizerFast", "bert", (("do_lower_case", False),), seen="bert-base-cased"),
    Configuration("DistilBertTokenizerFast", "distilbert", seen="DistilBERT"),
    Configuration("MPNetTokenizerFast", "mpnet", seen="MPNet"),
)
_TABLE: dict[Shape, tuple[Configuration, ...]] = {
    "byte-level": _BYTE_LEVEL,
    "marker": _MARKER,
    "unigram": _UNIGRAM,
    "wordpiece": _WORDPIECE,
}


def configurations(source: Source, model: Model) -> Iterator[Configuration]:
    """Those for the kind of tokenizer that the file holds; first what the model ships, where that is known."""
    beside = source.path.with_name(CONFIGURATION)  # of a tokenizer.json by another name a folder of our own is made
    ships = source.path.name == "tokenizer.json" and beside.is_file()
    if model.configuration or "directory" in model.sources or ships:
        yield Configuration(seen=f"what {model.name} ships")
    yield from _TABLE[shape(source)]


def shape(source: Source) -> Shape:
    """The kind of tokenizer that a file holds."""
    behaviour = source.behaviour
    if behaviour.byte_level:
        return "byte-level"
    if behaviour.segment is wpm:
        return "wordpiece"
    return "unigram" if behaviour.segment is ugm else "marker"
