"""Finds what separates two sets of texts or characters: classes of characters, lengths, positions, flags."""
