"""Engines at other versions: `tokenizers@0.19.1` in an environment of its own, `tokenizers@/path/python` in yours."""
