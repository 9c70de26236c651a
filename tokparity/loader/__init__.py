"""Does AutoTokenizer give what the tokenizer.json says? One file, many configurations around it, several versions.

The judge is the raw file in the `tokenizers` of the very same environment, so that what the loader changed and what the
library below it changed stay apart.
"""
