"""What an engine may do to a text before it tokenizes it: cut, change, trim or lose parts of it."""
