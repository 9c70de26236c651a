"""What an engine can be asked: one module per kind of question, how each is spelled and made smaller."""
