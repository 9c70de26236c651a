"""Known quirks under a condition: in some texts or words, or for some characters."""
