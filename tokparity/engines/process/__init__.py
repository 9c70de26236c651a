"""Engines in processes of their own: a crash, a hang or garbage is an answer, never the end of a run."""
