"""Other patterns of the pre-tokenizer."""
