"""What the texts on which an engine is wrong have in common, where no known quirk explains them."""
