"""The optimizers of docs/workloads.md: Optax's."""

import optax

from trainmark.workloads import Adam, AdamW, Sgd


def make_optimizer(settings):
    if isinstance(settings, Sgd):
        decay = optax.add_decayed_weights(settings.weight_decay)
        return optax.chain(decay, optax.sgd(settings.learning_rate, settings.momentum))
    common = (settings.learning_rate, settings.beta1, settings.beta2, settings.epsilon)
    if isinstance(settings, AdamW):
        return optax.adamw(*common, weight_decay=settings.weight_decay)
    assert isinstance(settings, Adam)
    return optax.adam(*common)
