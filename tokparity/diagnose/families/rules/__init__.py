"""Rules about texts: what failing texts have and right texts lack, where no rule predicts the wrong answer."""
