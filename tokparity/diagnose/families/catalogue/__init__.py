"""The catalogue: known quirks, alone and together, as they are."""
