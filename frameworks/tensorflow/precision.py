"""The precisions of docs/workloads.md."""

import tensorflow as tf

from trainmark.scaling import BACKOFF, GOOD_STEPS, GROWTH

_HALVES = {"amp-fp16": tf.float16, "amp-bf16": tf.bfloat16}


def compute_type(precision):
    """Of activations and products; variables are always fp32 and rounded where they are used."""
    return _HALVES.get(precision, tf.float32)


class NoScale:
    """Of losses whose gradients do not vanish."""

    def scale(self, loss):
        return loss

    def unscale(self, gradients):
        return gradients

    def apply(self, gradients, apply):
        apply()

    def update(self):
        pass


class LossScale:
    """Dynamic loss scaling. All of it stays on the device."""

    def __init__(self, first):
        self.value = tf.Variable(float(first), trainable=False)
        self._good = tf.Variable(0, trainable=False)  # steps since the scale last changed
        self._finite = tf.Variable(True, trainable=False)  # all gradients of this step so far

    def scale(self, loss):
        return loss * self.value

    def unscale(self, gradients):
        return [gradient / self.value for gradient in gradients]

    def apply(self, gradients, apply):
        """Where the gradients have overflowed, the step of their optimizer is left out."""
        finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(gradient)) for gradient in gradients])
        self._finite.assign(tf.logical_and(self._finite, finite))
        tf.cond(finite, lambda: _nothing(apply), lambda: None)

    def update(self):
        """At the end of a step: one scale for all optimizers."""
        good = self._good + 1
        grown = good >= GOOD_STEPS
        kept = tf.where(grown, self.value * GROWTH, self.value)
        self.value.assign(tf.where(self._finite, kept, self.value * BACKOFF))
        self._good.assign(tf.where(tf.logical_and(self._finite, tf.logical_not(grown)), good, 0))
        self._finite.assign(True)


def _nothing(function):
    function()


def make_scale(precision, first):
    return LossScale(first) if precision == "amp-fp16" else NoScale()
