"""Which optimizer step has which learning rate, and after which one something is due."""

import math


def rounded(number):
    """Halves upwards, as in C++."""
    return math.floor(number + 0.5)


class Schedule:
    """Of a training from its first step to its last, whether it is interrupted or not."""

    def __init__(self, recipe, steps_per_epoch):
        self._kind = recipe.schedule
        self._base = recipe.optimizer.learning_rate
        self._warm_up = rounded(recipe.warm_up * steps_per_epoch)
        self.steps = max(1, rounded(recipe.epochs * steps_per_epoch))

    def learning_rate(self, step):
        """`step`: from 0."""
        if step < self._warm_up:
            return self._base * (step + 1) / self._warm_up
        progress = (step - self._warm_up) / max(1, self.steps - self._warm_up)
        if self._kind == "cosine":
            return self._base * (1 + math.cos(math.pi * progress)) / 2
        if self._kind == "linear":
            return self._base * (1 - progress)
        if self._kind == "inverse-sqrt":
            return self._base * math.sqrt(max(self._warm_up, 1) / (step + 1))
        return self._base


class Recurring:
    """What is due again and again, after so many steps each time, and after the last of them."""

    def __init__(self, every, last):
        """`every`: in steps, and mostly not a whole number."""
        self._every = every
        self._last = last

    def due(self, steps):
        """After so many of them?"""
        if steps >= self._last:
            return True
        number = max(1, rounded(steps / self._every))
        return any(max(1, rounded(turn * self._every)) == steps for turn in (number - 1, number, number + 1) if turn > 0)
