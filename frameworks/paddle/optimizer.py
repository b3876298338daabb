"""The optimizers of docs/workloads.md: PaddlePaddle's own."""

import paddle

from trainmark.workloads import Adam, AdamW, Sgd


def make_optimizer(settings, parameters):
    common = {"learning_rate": settings.learning_rate, "parameters": parameters}
    if isinstance(settings, Sgd):
        # The velocity begins at 0, so the first step sets it; the decay is added to the gradient.
        return paddle.optimizer.Momentum(momentum=settings.momentum, weight_decay=settings.weight_decay, **common)
    common.update(beta1=settings.beta1, beta2=settings.beta2, epsilon=settings.epsilon)
    if isinstance(settings, AdamW):
        return paddle.optimizer.AdamW(weight_decay=settings.weight_decay, **common)
    assert isinstance(settings, Adam)
    return paddle.optimizer.Adam(**common)
