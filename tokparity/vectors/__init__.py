"""Test vectors: one JSON file for each model with texts, right ids, and the wrong ids that each known fault gives.

docs/vectors.md explains the file, docs/vectors.schema.json is its schema, runners/ has programs that put it to engines.
"""
