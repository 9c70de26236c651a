"""How wrong answers are made of the right ones."""
