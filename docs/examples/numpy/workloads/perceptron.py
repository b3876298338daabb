"""A perceptron with one hidden layer."""

import numpy as np


class Perceptron:
    def __init__(self, inputs, width, classes):
        self._inputs, self._width, self._classes = inputs, width, classes

    def shapes(self):
        return {
            "hidden.weight": (self._width, self._inputs),
            "hidden.bias": (self._width,),
            "output.weight": (self._classes, self._width),
            "output.bias": (self._classes,),
        }

    def multiply_adds(self):
        return self._width * (self._inputs + self._classes)

    def differentiate(self, weights, images, labels):
        """The loss and the gradients."""
        x = images.reshape(len(images), -1)
        hidden = np.maximum(x @ weights["hidden.weight"].T + weights["hidden.bias"], 0)
        logits = hidden @ weights["output.weight"].T + weights["output.bias"]
        logits -= logits.max(axis=1, keepdims=True)
        log_shares = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        items = np.arange(len(labels))
        loss = -log_shares[items, labels].mean()

        of_logits = np.exp(log_shares)
        of_logits[items, labels] -= 1
        of_logits /= len(labels)
        of_hidden = (of_logits @ weights["output.weight"]) * (hidden > 0)
        return loss, {
            "hidden.weight": of_hidden.T @ x,
            "hidden.bias": of_hidden.sum(axis=0),
            "output.weight": of_logits.T @ hidden,
            "output.bias": of_logits.sum(axis=0),
        }


def build(size):
    return Perceptron(3 * size.side**2, size.width, size.classes)
