"""The steered search for disagreements, on one model and on generated ones."""
