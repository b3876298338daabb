"""The optimizers of docs/workloads.md: TensorFlow's own kernels, one for each variable.

Keras has them, too, but its Adam adds epsilon before the bias of the second moment is corrected. The kernel takes
epsilon as a tensor, so that it can be corrected with it.
"""

import tensorflow as tf

from trainmark.workloads import Adam, AdamW, Sgd


def make_optimizer(settings, variables):
    return MomentumOptimizer(settings, variables) if isinstance(settings, Sgd) else AdamOptimizer(settings, variables)


def _zeros_like(variables):
    return [tf.Variable(tf.zeros_like(variable), trainable=False) for variable in variables]


class MomentumOptimizer:
    def __init__(self, settings, variables):
        self._settings = settings
        self._variables = variables
        self._moments = _zeros_like(variables)

    def apply(self, gradients):
        settings = self._settings
        for variable, moment, gradient in zip(self._variables, self._moments, gradients):
            tf.raw_ops.ResourceApplyMomentum(
                var=variable.handle,
                accum=moment.handle,
                lr=settings.learning_rate,
                grad=gradient + settings.weight_decay * variable,
                momentum=settings.momentum,
            )


class AdamOptimizer:
    def __init__(self, settings, variables):
        assert isinstance(settings, (Adam, AdamW))
        self._settings = settings
        self._decay = settings.weight_decay if isinstance(settings, AdamW) else 0
        self._variables = variables
        self._first = _zeros_like(variables)
        self._second = _zeros_like(variables)
        self._steps = tf.Variable(0.0, trainable=False)

    def apply(self, gradients):
        settings = self._settings
        rate, beta1, beta2 = settings.learning_rate, settings.beta1, settings.beta2
        self._steps.assign_add(1)
        power1, power2 = tf.pow(beta1, self._steps), tf.pow(beta2, self._steps)
        eps = settings.epsilon * tf.sqrt(1 - power2)
        for variable, first, second, gradient in zip(self._variables, self._first, self._second, gradients):
            if self._decay:
                variable.assign_sub(rate * self._decay * variable)
            tf.raw_ops.ResourceApplyAdam(
                var=variable.handle,
                m=first.handle,
                v=second.handle,
                beta1_power=power1,
                beta2_power=power2,
                lr=rate,
                beta1=beta1,
                beta2=beta2,
                epsilon=eps,
                grad=gradient,
            )
