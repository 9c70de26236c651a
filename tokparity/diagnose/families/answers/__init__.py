"""Relations between wrong answers and the right ones."""
