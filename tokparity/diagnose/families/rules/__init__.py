"""Rules about texts: what failing texts have and right texts lack, if no hypothesis predicts the wrong answer."""
