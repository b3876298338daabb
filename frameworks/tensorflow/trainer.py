"""One cell on TensorFlow."""

import os

import numpy as np
import tensorflow as tf

from flops import forward_flops
from job import make_job
from precision import compute_type, make_scale
from steps import Steps
from tensors import ContractTensors
from trainmark.failure import Unsupported
from trainmark.out_of_memory import MemoryErrors
from trainmark.phases import phases_of
from trainmark.trainer import StatefulTrainer


class Trainer(StatefulTrainer):
    memory_errors = MemoryErrors(
        always=(tf.errors.ResourceExhaustedError,),
        kinds=(tf.errors.OpError, ValueError),  # XLA's and the libraries' below have kinds of their own
        signs=("RESOURCE_EXHAUSTED", "Out of memory", "out of memory", "OOM when allocating", "bad_alloc"),
    )

    @staticmethod
    def read_loss(result):
        return result.numpy().tolist()

    def __init__(self, cell):
        super().__init__(cell)
        options = self.options
        choose_device(options)
        self._job = make_job(cell.position, options.device)
        self.collectives = self._job.facts
        self._xla = options.mode == "xla"
        dtype = compute_type(options.precision)
        self._model = cell.code.build(cell.size, options.dropout, dtype, self._xla and not cell.cuda)
        self._tensors = ContractTensors(self._model)
        self._phases = phases_of(self._model)
        self._batches = [_convert(batch) for batch in cell.make_batches()]

    @staticmethod
    def make_feed(cell):
        from input import TensorFlowFeed

        if cell.options.input_only:  # else the trainer has chosen it
            choose_device(cell.options)
        return TensorFlowFeed(cell)

    def parameters(self):
        return sum(int(np.prod(parameter.shape)) for parameter in self._model.parameters())

    def flops_per_item(self):
        return 3 * forward_flops(self._phases, self._batches[0]) / self.options.batch

    def threads(self):
        return _threads()

    def gpu_name(self):
        details = tf.config.experimental.get_device_details(tf.config.list_physical_devices("GPU")[0])
        return details.get("device_name", "unknown GPU")

    def math(self):
        math = {"executor": "XLA" if self._xla else "TensorFlow", "memory_format": "NHWC"}
        if not self.cell.cuda:
            math["onednn"] = os.environ.get("TF_ENABLE_ONEDNN_OPTS", "1") != "0"
        return math

    def prepare(self):
        scale = make_scale(self.options.precision, self.cell.workload.first_loss_scale)
        self._steps = Steps(self._phases, self._batches, self.cell.workload.optimizer, scale, self._xla, self._job)

    def step(self, keep_gradients=None):
        if keep_gradients:
            keep_gradients(self._gradients())
        return self._steps.step()

    def peak_device_bytes(self):
        return tf.config.experimental.get_memory_info("GPU:0")["peak"] if self.cell.cuda else None

    def _gradients(self):
        """In a pass of their own: the one function that a step is gives nothing but the loss."""
        before = self.weights()
        named = {}
        for parameters, gradients in self._steps.gradients():
            named.update(self._tensors.name_gradients(parameters, gradients))
        self.set_weights(before)  # the running values have moved
        return named


def choose_device(options):
    """TensorFlow can be told once in a process, before it does anything."""
    gpus = tf.config.list_physical_devices("GPU")
    if options.device == "cuda":
        if not gpus:
            raise Unsupported("TensorFlow sees no GPU; is CUDA_VISIBLE_DEVICES empty, or a CUDA library missing?")
        own = gpus[0 if len(gpus) == 1 else options.position.local_rank]
        tf.config.set_visible_devices([own], "GPU")
        tf.config.experimental.set_memory_growth(own, True)
        tf.config.experimental.enable_tensor_float_32_execution(options.precision == "tf32")
    elif gpus:
        tf.config.set_visible_devices([], "GPU")
    if tf.config.threading.get_intra_op_parallelism_threads() != _threads():
        tf.config.threading.set_intra_op_parallelism_threads(_threads())
    tf.random.set_seed((options.seed + options.position.rank) % 2**63)  # of dropout: each rank drops others


def _threads():
    return int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))


def _convert(batch):
    """Channels last; labels of 32 bits, for which a GPU has all kernels."""
    return {
        name: tf.constant(array.transpose(0, 2, 3, 1) if array.ndim == 4 else array.astype(np.int32))
        for name, array in batch.items()
    }
