"""Training to a quality: recipes, learning rates, evaluations, metrics and checkpoints, the same for all frameworks."""
