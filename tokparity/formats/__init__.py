"""Model formats, one file each: read into and written from Vocabulary + Behaviour."""
