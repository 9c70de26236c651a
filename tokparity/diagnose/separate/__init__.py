"""What tells two sets apart: classes of characters, lengths, places, flags."""
