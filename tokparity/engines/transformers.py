"""Hugging Face `transformers`: AutoTokenizer on a local directory, of which it sees known data files alone (`placed`).

Code that comes with a model is never run, and nothing is unpickled. What the model's configuration says
(clean_up_tokenization_spaces, legacy, ...) is obeyed: that is what this engine adds to `tokenizers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tokparity.engines.buffers import Ids, Texts
from tokparity.engines.environment.adapters.transformers import offsets, streamed
from tokparity.engines.environment.placed import PLACED, placed
from tokparity.engines.protocol import Capabilities, Options, installed_version
from tokparity.engines.spans import spanning
from tokparity.errors import EngineError
from tokparity.outcome import Spanning


class Transformers:
    """The engine `transformers`. Its options go to `from_pretrained`.

    `tokenizer_class` and `model_type` are put into the configuration beside a directory's tokenizer.json.
    """

    NAME = "transformers"
    IMPORTS = ("transformers.models.auto.tokenization_auto",)
    CAPABILITIES = Capabilities(formats=("directory",), streams=True, spans=True)
    OPTIONS = (
        "legacy",
        "fix_mistral_regex",
        "use_fast",
        "add_prefix_space",
        "clean_up_tokenization_spaces",
        "tokenizer_type",
        "add_bos_token",
        "add_eos_token",
        "do_lower_case",
        "revision",
        *PLACED,
    )

    def version(self) -> str:
        """The version of transformers, and of the `tokenizers` library that it uses."""
        library = installed_version("transformers", self.NAME, "huggingface")
        return f"{library}, {installed_version('tokenizers', self.NAME, 'huggingface')}"

    def open(self, path: str, options: Options) -> TransformersModel:
        """Load the tokenizer of a directory, without the network."""
        from transformers import AutoTokenizer

        if not Path(path).is_dir():
            message = f"transformers needs a directory, which {path!r} is not"
            raise EngineError(message, "give the directory that holds the tokenizer.json")
        given = {name: options[name] for name in self.OPTIONS if name in options and name not in PLACED}
        try:
            with placed(path, dict(options)) as folder:
                tokenizer = AutoTokenizer.from_pretrained(
                    folder, trust_remote_code=False, local_files_only=True, **{"revision": "main", **given}
                )
        except Exception as error:  # anything at all may come out of a model's configuration
            raise EngineError(f"transformers cannot load {path!r}: {type(error).__name__}: {error}"[:2000]) from error
        if type(tokenizer).__name__ == "MistralCommonBackend":  # it refuses split_special_tokens
            raise EngineError(f"{path!r} asks transformers for mistral-common", "use the engine mistral-common itself")
        return TransformersModel(tokenizer)


class TransformersModel:
    """A tokenizer that AutoTokenizer has loaded."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def encode(self, texts: Texts, add_special: bool, parse_special: bool) -> Ids:
        """The tokenizer's `__call__`, with truncation and padding off."""
        if not len(texts):
            return Ids.from_list([])
        encoded = self._tokenizer(
            texts.to_strs(),
            add_special_tokens=add_special,
            split_special_tokens=not parse_special,
            padding=False,
            truncation=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return Ids.from_list(encoded["input_ids"])

    def decode(self, ids: Ids, skip_special: bool) -> Texts:
        """The tokenizer's `decode`, with the clean-up that the model asks for."""
        decode = self._tokenizer.decode
        return Texts.from_list([decode(row, skip_special_tokens=skip_special).encode() for row in ids.to_list()])

    def stream(self, prefill: Sequence[int], ids: Sequence[int], skip_special: bool) -> Iterator[bytes]:
        """`TextStreamer`."""
        given = streamed(self._tokenizer, list(prefill), list(ids), skip_special)
        return (delta.encode() for delta in given)

    def spans(self, text: str, add_special: bool, parse_special: bool) -> Spanning:
        """`return_offsets_mapping`, which a tokenizer written in Python does not have."""
        return spanning(*offsets(self._tokenizer, text, add_special, {"split_special_tokens": not parse_special}))


ENGINE = Transformers()
