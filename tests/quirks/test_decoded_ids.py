"""Quirks of decoding that meet."""

from __future__ import annotations

from tokparity import quirks
from tokparity.quirks import toys
from tokparity.reference.tokenizer import Tokenizer
from tokparity.vocabulary import Kind


def test_a_token_that_is_hidden_by_its_name_was_the_first() -> None:
    """llama.cpp takes a space away from the first id alone, also where the file does not call it special (phi-3)."""
    names = ("hides_tokens_by_name_when_decoding", "keeps_decoded_prefix_after_specials")
    more = {"space_prefix": "always", "strip_decoded_prefix": True, "skip_special": True}
    toy = toys.spm("a ▁ ▁a <EOT>", kinds={"<EOT>": Kind.USER_DEFINED}, **more)
    ids = [toy.vocabulary.ids[piece.encode()] for piece in ("<EOT>", "▁a")]
    shown = [
        Tokenizer(toy.vocabulary, quirks.flip_all([quirks.get(name) for name in some], toy.behaviour)).decode(ids)
        for some in ((), names[:1], names)
    ]
    assert [b"<EOT> a", b"a", b" a"] == shown
