"""The reference tokenizers: exact, readable, parameterized by a `Behaviour`."""
