"""The step of a cell: forward, backward, accumulation, optimizer; one program for XLA."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from precision import all_finite, next_scale


class State(NamedTuple):
    params: Any
    running: Any  # means and variances of the batch norms
    moments: Any  # of the optimizer
    scale: Any  # of the loss; None where it has none
    key: Any  # of dropout


class Steps:
    """`accumulate`: how many batches lie behind each other in every tensor of the batch, if more than one."""

    def __init__(self, model, optimizer, accumulate):
        self._model = model
        self._optimizer = optimizer
        self._accumulate = accumulate

    def step(self, state, batch, average=lambda tree: tree, own_key=lambda key: key):
        """The next state and the loss. Everything stays on the device: an overflow is seen by nobody else. Of several
        ranks, `average` gives the mean over all of them, and `own_key` a key that no other one has."""
        key, now = jax.random.split(state.key)
        gradients, running, loss = self._passes(state, batch, own_key(now))
        gradients = average(gradients)
        updates, moments = self._optimizer.update(gradients, state.moments, state.params)
        params = optax.apply_updates(state.params, updates)
        scale = state.scale
        if scale is not None:
            finite = all_finite(gradients)
            # The step of an overflow is left out.
            old, new = (state.params, state.moments), (params, moments)
            params, moments = jax.tree.map(lambda x, y: jnp.where(finite, y, x), old, new)
            scale = next_scale(scale, finite)
        return State(params, running, moments, scale, key), loss

    def gradients(self, state, batch):
        return self._passes(state, batch, state.key)[0]

    def _passes(self, state, batch, key):
        if self._accumulate == 1:
            return self._backward(state.params, state.running, state.scale, batch, key)

        def one_more(sums, inputs):
            gradients, running, loss = sums
            part, running, part_loss = self._backward(state.params, running, state.scale, *inputs)
            return (jax.tree.map(jnp.add, gradients, part), running, loss + part_loss), None

        nothing = (jax.tree.map(jnp.zeros_like, state.params), state.running, jnp.float32(0))
        keys = jax.random.split(key, self._accumulate)
        (gradients, running, loss), _ = jax.lax.scan(one_more, nothing, (batch, keys))
        return gradients, running, loss

    def _backward(self, params, running, scale, batch, key):
        factor = 1 / self._accumulate

        def scaled_loss(params):
            loss, changed = self._model.apply(
                {"params": params, "batch_stats": running}, **batch, rngs={"dropout": key}, mutable=["batch_stats"]
            )
            loss = loss * factor
            return loss * (1 if scale is None else scale.value), (loss, changed.get("batch_stats", running))

        gradients, (loss, running) = jax.grad(scaled_loss, has_aux=True)(params)
        if scale is not None:
            gradients = jax.tree.map(lambda gradient: gradient / scale.value, gradients)
        return gradients, running, loss
