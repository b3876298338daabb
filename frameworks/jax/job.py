"""The ranks of a job and what they do together: jax.distributed, with Gloo between CPUs and NCCL between GPUs."""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from steps import State
from trainmark.requests import requests_as_number

_AXIS = "ranks"
_MEETING_SECONDS = 120  # programs start at about the same time; a cluster's file system may keep one of them waiting
_SILENCE_SECONDS = 300  # after which a machine that says nothing is taken for lost
_WHOLE, _PARTED = PartitionSpec(), PartitionSpec(_AXIS)
# Parameters, moments and scale are the same on all ranks. The running values of batch norms are each rank's own.
_STATE = State(params=_WHOLE, running=_PARTED, moments=_WHOLE, scale=_WHOLE, key=_WHOLE)


def meet(position, device):
    """Before JAX looks for its devices."""
    if position.alone:
        return
    if device == "cpu":
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_enable_preemption_service", False)  # it takes SIGTERM for itself
    jax.distributed.initialize(
        coordinator_address=f"{position.master_address}:{position.master_port}",
        num_processes=position.ranks,
        process_id=position.rank,
        local_device_ids=_own_gpu(position) if device == "cuda" else None,
        cluster_detection_method="deactivate",  # the position is known
        initialization_timeout=_MEETING_SECONDS,
        heartbeat_timeout_seconds=_SILENCE_SECONDS,
    )


def make_job(position, device):
    return Alone() if position.alone else Job(position, device)


class Alone:
    facts = {}

    def place(self, tree):
        return jax.tree.map(jnp.asarray, tree)

    place_own = place

    def make(self, function, *arguments):
        return jax.jit(function)(*arguments)

    def compile_step(self, steps):
        # The memory of the old state is the new one's.
        return jax.jit(steps.step, donate_argnums=0)

    def compile_gradients(self, steps):
        return jax.jit(steps.gradients)

    @staticmethod
    def own(tree):
        return tree

    def leave(self):
        pass


class Job:
    """Arrays that are each rank's own have one more axis, along which the ranks' lie side by side."""

    def __init__(self, position, device):
        self.facts = {"backend": "nccl" if device == "cuda" else "gloo"}
        self._ranks = position.ranks
        self._mesh = jax.make_mesh((position.ranks,), (_AXIS,))

    def place(self, tree):
        """What all ranks have the same of."""
        return jax.tree.map(lambda array: self._global(_WHOLE, array), tree)

    def place_own(self, tree):
        return jax.tree.map(lambda array: self._global(_PARTED, np.asarray(array)[None]), tree)

    def make(self, function, *arguments):
        """The same on all ranks."""
        return jax.jit(function, out_shardings=NamedSharding(self._mesh, _WHOLE))(*arguments)

    def compile_step(self, steps):
        def step(state, batch, requests):
            state, loss = steps.step(_with_running(state, _without_axis), _without_axis(batch), self._average, self._own_key)
            result = jax.lax.psum(jnp.stack([loss / self._ranks, requests[0]]), _AXIS)
            return _with_running(state, _with_axis), result

        compiled = self._on_all(step, (_STATE, _PARTED, _PARTED), (_STATE, _WHOLE), donate_argnums=0)
        return lambda state, batch: compiled(state, batch, self.place_own(np.float32(requests_as_number())))

    def compile_gradients(self, steps):
        def gradients(state, batch):
            return self._average(steps.gradients(_with_running(state, _without_axis), _without_axis(batch)))

        return self._on_all(gradients, (_STATE, _PARTED), _WHOLE)

    @staticmethod
    def own(tree):
        """This rank's part of what `place_own` has placed."""
        return jax.tree.map(lambda array: array.addressable_data(0)[0], tree)

    def leave(self):
        jax.distributed.shutdown()

    def _average(self, tree):
        return jax.lax.pmean(tree, _AXIS)

    def _own_key(self, key):
        """Each rank drops others."""
        return jax.random.fold_in(key, jax.lax.axis_index(_AXIS))

    def _on_all(self, function, inputs, outputs, **settings):
        # Not checked for what varies between ranks: JAX would then sum gradients by itself, before they are added up.
        mapped = jax.shard_map(function, mesh=self._mesh, in_specs=inputs, out_specs=outputs, check_vma=False)
        return jax.jit(mapped, **settings)

    def _global(self, spec, array):
        return jax.make_array_from_process_local_data(NamedSharding(self._mesh, spec), np.asarray(array))


def _own_gpu(position):
    """A rank that sees one only takes that."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return 0 if visible is not None and len(visible.split(",")) == 1 else position.local_rank


def _with_running(state, change):
    return state._replace(running=change(state.running))


def _without_axis(tree):
    return jax.tree.map(lambda array: array[0], tree)


def _with_axis(tree):
    return jax.tree.map(lambda array: array[None], tree)
