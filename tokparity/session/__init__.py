"""One model before its engines: cases are put, judged, kept, shrunk, explained and written down."""
