"""Trains one cell from set-up to the `end` event."""

import os

import numpy as np
import tensorflow as tf

import workloads
from flops import forward_flops
from precision import compute_type, make_scale
from steps import Steps
from tensors import ContractTensors
from trainmark.cell import make_batches, train_cell
from trainmark.failure import OutOfMemory, Unsupported
from trainmark.host import cpu_name
from trainmark.phases import phases_of
from trainmark.timing import HostTimer, ReadingTimer
from trainmark.workloads import WORKLOADS

_SIGNS_OF_NO_MEMORY = ("RESOURCE_EXHAUSTED", "Out of memory", "out of memory", "OOM when allocating", "bad_alloc")


def train(options, description, events):
    choose_device(options)
    # A GPU has done its work when its loss has come to the host; a CPU when a call returns.
    timer = ReadingTimer() if options.device == "cuda" else HostTimer()
    try:
        train_cell(options, description, events, Trainer(options), timer)
    except tf.errors.ResourceExhaustedError as error:
        raise OutOfMemory(error.message) from None
    except (tf.errors.OpError, ValueError) as error:  # XLA's and the libraries' below have kinds of their own
        if any(sign in str(error) for sign in _SIGNS_OF_NO_MEMORY):
            raise OutOfMemory(str(error)) from None
        raise


def choose_device(options):
    """TensorFlow can be told once in a process, before it does anything."""
    gpus = tf.config.list_physical_devices("GPU")
    if options.device == "cuda":
        if not gpus:
            raise Unsupported("TensorFlow sees no GPU; is CUDA_VISIBLE_DEVICES empty, or a CUDA library missing?")
        tf.config.experimental.set_memory_growth(gpus[0], True)
        tf.config.experimental.enable_tensor_float_32_execution(options.precision == "tf32")
    elif gpus:
        tf.config.set_visible_devices([], "GPU")
    if tf.config.threading.get_intra_op_parallelism_threads() != _threads():
        tf.config.threading.set_intra_op_parallelism_threads(_threads())
    tf.random.set_seed(options.seed % 2**63)  # of dropout


def _threads():
    return int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))


class Trainer:
    """What trainmark.cell asks for."""

    def __init__(self, options):
        workload = WORKLOADS[options.workload]
        xla = options.mode == "xla"
        self._options = options
        build = workloads.find(options.workload).build
        self._model = build(
            workload.sizes[options.size],
            options.dropout,
            compute_type(options.precision),
            xla and options.device == "cpu",
        )
        self._tensors = ContractTensors(self._model)
        self._phases = phases_of(self._model)
        self._batches = [_convert(batch) for batch in make_batches(options)]
        scale = make_scale(options.precision)
        self._steps = Steps(self._phases, self._batches, workload.optimizer, scale, xla)
        self.step = self._steps.step

    def shapes(self):
        return self._tensors.shapes()

    def set_weights(self, arrays):
        self._tensors.assign(arrays)

    def weights(self):
        return self._tensors.values()

    def gradients(self):
        before = self.weights()
        named = {}
        for parameters, gradients in self._steps.gradients():
            named.update(self._tensors.name_gradients(parameters, gradients))
        self.set_weights(before)  # the running values have moved
        return named

    def facts(self):
        cuda = self._options.device == "cuda"
        math = {"executor": "XLA" if self._options.mode == "xla" else "TensorFlow", "memory_format": "NHWC"}
        if not cuda:
            math["onednn"] = os.environ.get("TF_ENABLE_ONEDNN_OPTS", "1") != "0"
        return {
            "device_name": _gpu_name() if cuda else cpu_name(),
            "parameters": sum(int(np.prod(parameter.shape)) for parameter in self._model.parameters()),
            # Of training: the backward pass costs twice the forward pass.
            "flops_per_item": 3 * forward_flops(self._phases, self._batches[0]) / self._options.batch,
            "threads": _threads(),
            "math": math,
        }

    def peak_device_bytes(self):
        return tf.config.experimental.get_memory_info("GPU:0")["peak"] if self._options.device == "cuda" else None


def _gpu_name():
    details = tf.config.experimental.get_device_details(tf.config.list_physical_devices("GPU")[0])
    return details.get("device_name", "unknown GPU")


def _convert(batch):
    """Channels last; labels of 32 bits, for which a GPU has all kernels."""
    return {
        name: tf.constant(array.transpose(0, 2, 3, 1) if array.ndim == 4 else array.astype(np.int32))
        for name, array in batch.items()
    }
