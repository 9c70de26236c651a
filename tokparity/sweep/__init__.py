"""Sweeps: much text before many models, in shards, on as many processes and machines as there are."""
