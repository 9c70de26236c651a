"""Mistral's mistral-common: Tekken on a tekken.json, or its SentencePiece wrapper on a .model file."""

from __future__ import annotations

from typing import Any

MODULE = "mistral_common.tokens.tokenizers.tekken"


class Model:
    """A Tekkenizer or a SentencePieceTokenizer. It adds BOS, as Mistral's own code does before a prompt."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, TokenizerVersion
        from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer
        from mistral_common.tokens.tokenizers.tekken import Tekkenizer

        with open(path, "rb") as file:
            is_json = file.read(64).lstrip().startswith(b"{")
        # The version says which chat template there is; it changes no text's ids.
        tokenizer = Tekkenizer.from_file(path) if is_json else SentencePieceTokenizer(path, TokenizerVersion("v3"))
        self.tokenizer: Any = tokenizer
        self.policy = SpecialTokenPolicy
        self.spells_pieces = not is_json
        """Whether the policy KEEP joins pieces as the vocabulary spells them, which is no text."""

    def capabilities(self) -> dict[str, Any]:
        """Control tokens are never recognized in a text, and shown as asked."""
        return {
            "add_special": [False, True],
            "parse_special": [False],
            "skip_special": [True] if self.spells_pieces else [False, True],
        }

    def encode(self, texts: list[str], add_special: bool, parse_special: bool) -> Any:
        """`encode`, with BOS if asked for."""
        return [self.tokenizer.encode(text, bos=add_special, eos=False) for text in texts]

    def decode(self, rows: list[list[int]], skip_special: bool) -> Any:
        """`decode`, which drops special tokens or spells them."""
        policy = self.policy.IGNORE if skip_special else self.policy.KEEP
        return [self.tokenizer.decode(row, special_token_policy=policy) for row in rows]
