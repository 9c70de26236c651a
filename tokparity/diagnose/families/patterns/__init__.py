"""Models with another pattern in the pre-tokenizer."""
