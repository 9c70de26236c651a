"""Rules about texts: what tells the wrong ones from the right ones, where nothing says what comes instead."""
