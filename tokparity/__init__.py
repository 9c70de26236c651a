"""tokparity: prove that two tokenizers agree, or find out why they don't."""

__version__ = "0.1.0"
