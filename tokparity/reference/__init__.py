"""The reference tokenizers: exact, readable, parameterised by a Behaviour."""
