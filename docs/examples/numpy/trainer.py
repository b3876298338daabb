"""One cell on numpy."""

import numpy as np

from trainmark.trainer import FrameworkTrainer
from trainmark.workloads import Sgd


class Trainer(FrameworkTrainer):
    def __init__(self, cell):
        super().__init__(cell)
        self._model = cell.code.build(cell.size)
        self._batches = cell.make_batches()
        self._weights = {}
        self._momenta = {}

    def shapes(self):
        return self._model.shapes()

    def set_weights(self, arrays):
        self._weights = {name: arrays[name] for name in self.shapes()}

    def weights(self):
        return self._weights

    def parameters(self):
        return sum(array.size for array in self._weights.values())

    def flops_per_item(self):
        return 3 * 2 * self._model.multiply_adds()

    def threads(self):
        return 1

    def math(self):
        return {"library": "numpy"}

    def prepare(self):
        assert isinstance(self.cell.workload.optimizer, Sgd)
        self._momenta = {name: np.zeros_like(array) for name, array in self._weights.items()}

    def step(self, keep_gradients=None):
        passes = [self._model.differentiate(self._weights, **batch) for batch in self._batches]
        loss = sum(loss for loss, _ in passes) / len(passes)
        gradients = {name: sum(part[name] for _, part in passes) / len(passes) for name in self._weights}
        if keep_gradients:
            keep_gradients(gradients)
        self._learn(gradients)
        return loss

    def _learn(self, gradients):
        settings = self.cell.workload.optimizer
        for name, gradient in gradients.items():
            decayed = gradient + settings.weight_decay * self._weights[name]
            self._momenta[name] = settings.momentum * self._momenta[name] + decayed
            self._weights[name] = self._weights[name] - settings.learning_rate * self._momenta[name]
