"""The ranks of a job and what they do together: MultiWorkerMirroredStrategy, whose collectives go in rings through gRPC
(CPU) or through NCCL (CUDA)."""

import json
import os

import tensorflow as tf

from trainmark.requests import requests_as_number

BUCKET_BYTES = 25 * 1024 * 1024  # as DistributedDataParallel has it; the strategy's own is one bucket for all
_BACKENDS = {"cpu": "ring", "cuda": "nccl"}


def make_job(position, device):
    return Alone() if position.alone else Job(position, device)


def _function(function, xla=False):
    return tf.function(function, jit_compile=xla or None, autograph=False)


class Alone:
    facts = {}

    def whole(self, function, xla):
        """A part of a step that may talk to the other ranks, as a function of TensorFlow's."""
        return _function(function, xla)

    def inner(self, function, _xla):
        """A part of such a part that talks to nobody."""
        return function

    def average(self, gradients):
        return gradients

    def requests(self):
        return None

    def result(self, loss, _requests):
        return loss


class Job:
    def __init__(self, position, device):
        backend = _BACKENDS[device]
        self.facts = {"backend": backend, "bucket_bytes": BUCKET_BYTES}
        os.environ.setdefault("TF_CONFIG", json.dumps(_cluster(position)))
        implementation = tf.distribute.experimental.CommunicationImplementation[backend.upper()]
        self._options = tf.distribute.experimental.CommunicationOptions(BUCKET_BYTES, implementation=implementation)
        self._strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=self._options)
        self._ranks = position.ranks

    def whole(self, function, _xla):
        """Never by XLA, which has no collectives on a CPU; `inner` is."""
        return _function(lambda *arguments: self._strategy.run(function, arguments))

    def inner(self, function, xla):
        return _function(function, xla) if xla else function

    def average(self, gradients):
        return self._reduce(tf.distribute.ReduceOp.MEAN, gradients)

    def requests(self):
        """What this rank is asked for, to be told to the others."""
        return tf.constant(requests_as_number(), tf.float32)

    def result(self, loss, requests):
        """What the ranks tell each other in every step: the mean of their losses, and what they are asked for."""
        return self._reduce(tf.distribute.ReduceOp.SUM, tf.stack([loss / self._ranks, requests]))

    def _reduce(self, operation, tensors):
        # What was made outside of the replica has no device, and the strategy asks for one.
        tensors = tf.nest.map_structure(tf.identity, tensors)
        return tf.distribute.get_replica_context().all_reduce(operation, tensors, self._options)


def _cluster(position):
    """The variable that a launcher sets, where it is missing: all ranks are then on the machine of rank 0."""
    ports = range(position.master_port + 1, position.master_port + 1 + position.ranks)
    workers = [f"{position.master_address}:{port}" for port in ports]
    return {"cluster": {"worker": workers}, "task": {"type": "worker", "index": position.rank}}
