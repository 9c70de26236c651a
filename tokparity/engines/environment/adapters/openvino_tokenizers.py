"""openvino-tokenizers: the graph that it makes of a tokenizer.json; special tokens in a text are always recognized.

Its strings go through numpy, which drops U+0000 at the end of a text, as for everybody who calls it from Python.
"""

from __future__ import annotations

from typing import Any


class Model:
    """A tokenizer.json as graphs, one for each way in which it is asked."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from openvino import Core
        from transformers import PreTrainedTokenizerFast

        self.core = Core()
        self.source = PreTrainedTokenizerFast(tokenizer_file=path)
        self.graphs: dict[tuple[str, bool], Any] = {}
        self._graph("encode", False)

    def capabilities(self) -> dict[str, Any]:
        """The capabilities of the tokenizer, which has no switch for special tokens in the text."""
        return {"add_special": [False, True], "parse_special": [True], "skip_special": [False, True]}

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """The ids of each text; rows are filled up to the longest, which the mask tells."""
        found = self._graph("encode", add_special)(texts)
        rows, masks = found["input_ids"].tolist(), found["attention_mask"].tolist()
        return [[i for i, mask in zip(row, kept, strict=True) if mask] for row, kept in zip(rows, masks, strict=True)]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """The text of each row."""
        graph = self._graph("decode", skip_special)
        return [str(graph([[row]])["string_output"][0]) if row else "" for row in rows]

    def _graph(self, what: str, special: bool) -> Any:
        """`special`: whether encoding adds special tokens, whether decoding leaves them out."""
        from openvino_tokenizers import convert_tokenizer

        if (what, special) not in self.graphs:
            options = {"add_special_tokens": special, "skip_special_tokens": special}
            graphs = convert_tokenizer(self.source, with_detokenizer=True, **options)
            for name, graph in zip(("encode", "decode"), graphs, strict=True):
                self.graphs[name, special] = self.core.compile_model(graph, "CPU")
        return self.graphs[what, special]
