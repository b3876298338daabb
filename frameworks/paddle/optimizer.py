"""The optimizers of docs/workloads.md: PaddlePaddle's own."""

import paddle

from trainmark.workloads import Adam, AdamW, Sgd


def make_optimizer(settings, parameters, decays=None):
    """`decays(dimensions)`: are parameters of so many subject to weight decay? None: all are."""
    exempt = [parameter for parameter in parameters if decays and not decays(parameter.ndim)]
    common = {"learning_rate": settings.learning_rate, "parameters": parameters}
    if isinstance(settings, Sgd):
        for parameter in exempt:
            parameter.regularizer = paddle.regularizer.L2Decay(0.0)
        # The velocity begins at 0, so the first step sets it; the decay is added to the gradient.
        return paddle.optimizer.Momentum(momentum=settings.momentum, weight_decay=settings.weight_decay, **common)
    common.update(beta1=settings.beta1, beta2=settings.beta2, epsilon=settings.epsilon)
    if isinstance(settings, AdamW):
        names = {parameter.name for parameter in exempt}
        common["apply_decay_param_fun"] = lambda name: name not in names
        return paddle.optimizer.AdamW(weight_decay=settings.weight_decay, **common)
    assert isinstance(settings, Adam)
    return paddle.optimizer.Adam(**common)
