"""Models whose pre-tokenizer cuts at other places."""
