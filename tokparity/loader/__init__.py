"""Does AutoTokenizer give what the tokenizer.json says? One file, many configurations around it, several versions.

The judge is the raw file in the `tokenizers` of the same environment. So changes of the loader and of the library
below it stay separate.
"""
