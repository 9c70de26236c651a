"""What may be done with a text before it is read: cut, changed, trimmed, lost in part."""
