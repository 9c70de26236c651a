"""Adapters of engines that come as wheels, run by `worker.py` in an environment of their own: one file each.

Each has a class `Model(path, options)` with `capabilities()`, `encode` and `decode`, and imports nothing but the
standard library and its own.
"""
