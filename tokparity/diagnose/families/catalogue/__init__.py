"""The catalog: known quirks, alone and combined, without conditions."""
