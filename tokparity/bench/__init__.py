"""Benchmarks: one file each with NAME, TITLE, add_arguments(parser) and main(args), which prints a table."""
