"""Reports: their contents, their storage, and their renderers."""
