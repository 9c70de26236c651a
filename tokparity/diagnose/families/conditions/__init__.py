"""Known quirks under a condition: only in some texts or words, or for some characters."""
