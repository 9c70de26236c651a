"""Reports: what they hold, how they are stored, and their renderers."""
