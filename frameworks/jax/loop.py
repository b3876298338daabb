"""Trains one cell from set-up to the `end` event."""

import os

import jax
import jax.numpy as jnp
import numpy as np

import workloads
from flops import forward_flops
from optimizer import make_optimizer
from precision import first_scale, make_numerics, set_matmul_precision
from steps import State, Steps
from tensors import ContractTensors
from trainmark.cell import make_batches, train_cell
from trainmark.failure import OutOfMemory, Unsupported
from trainmark.host import cpu_name
from trainmark.timing import HostTimer, ReadingTimer
from trainmark.workloads import WORKLOADS

# Of dropout: XLA's own generator, which large JAX programs choose for accelerators. On a CPU it is as fast as JAX's
# default, Threefry.
_GENERATOR = "rbg"


def train(options, description, events):
    choose_device(options)
    timer = ReadingTimer() if options.device == "cuda" else HostTimer()
    try:
        train_cell(options, description, events, Trainer(options), timer)
    except (jax.errors.JaxRuntimeError, ValueError) as error:
        if _is_out_of_memory(error):
            raise OutOfMemory(str(error)) from None
        raise


def choose_device(options):
    threads = os.environ.get("OMP_NUM_THREADS")
    if threads:
        os.environ["NPROC"] = threads  # how many threads XLA makes, if it is not to ask the machine
    jax.config.update("jax_platforms", options.device)
    set_matmul_precision(options)
    try:
        jax.devices()
    except RuntimeError as error:
        raise Unsupported(f"JAX cannot use {options.device}: {error}") from None


def _is_out_of_memory(error):
    signs = ("RESOURCE_EXHAUSTED", "out of memory", "Out of memory", "bad_alloc")
    return any(sign in str(error) for sign in signs)


class Trainer:
    """What trainmark.cell asks for."""

    def __init__(self, options):
        workload = WORKLOADS[options.workload]
        self._options = options
        self._size = workload.sizes[options.size]
        batches = [_convert(batch) for batch in make_batches(options)]
        self._shapes = {name: jax.ShapeDtypeStruct(array.shape, array.dtype) for name, array in batches[0].items()}
        self._model = self._build(make_numerics(options))
        self._tensors = ContractTensors(self._model, self._shapes)
        self._optimizer = make_optimizer(workload.optimizer)
        self._steps = Steps(self._model, self._optimizer, options.accumulate)
        # The memory of the old state is the new one's.
        self._step = jax.jit(self._steps.step, donate_argnums=0)
        self._batch = jax.tree.map(lambda *parts: jnp.asarray(_stacked(parts)), *batches)
        self._state = None

    def shapes(self):
        return self._tensors.shapes()

    def set_weights(self, arrays):
        params = self._tensors.make_variables("params", arrays)
        self._state = State(
            params=params,
            running=self._tensors.make_variables("batch_stats", arrays),
            moments=jax.jit(self._optimizer.init)(params),
            scale=first_scale(self._options.precision),
            key=jax.random.key(self._options.seed % 2**63, impl=_GENERATOR),
        )

    def weights(self):
        return {**self._tensors.to_contract(self._state.params), **self._tensors.to_contract(self._state.running)}

    def gradients(self):
        return self._tensors.to_contract(jax.jit(self._steps.gradients)(self._state, self._batch))

    def step(self):
        self._state, loss = self._step(self._state, self._batch)
        if self._options.device == "cpu":
            jax.block_until_ready(self._state)
        return loss

    def facts(self):
        cuda = self._options.device == "cuda"
        return {
            "device_name": jax.devices()[0].device_kind if cuda else cpu_name(),
            "parameters": self._tensors.parameters(),
            "flops_per_item": self._flops_per_item(),
            "threads": int(os.environ.get("NPROC") or len(os.sched_getaffinity(0))),
            "math": self._math(),
        }

    def peak_device_bytes(self):
        return jax.devices()[0].memory_stats()["peak_bytes_in_use"] if self._options.device == "cuda" else None

    def _build(self, numerics):
        return workloads.find(self._options.workload).build(self._size, self._options.dropout, numerics)

    def _flops_per_item(self):
        """Training: the backward pass costs twice the forward pass. Of a fused attention nothing could be seen, so a
        model without is counted."""
        model = self._build(make_numerics(self._options)._replace(fused_attention=False))

        def forward(batch):
            return model.init_with_output(jax.random.key(0), **batch)[0]

        return 3 * forward_flops(forward, self._shapes) / self._options.batch

    def _math(self):
        math = {"compiler": "XLA", "optimizer": "optax", "random": _GENERATOR}
        if "images" in self._shapes:
            math["memory_format"] = "NHWC"
        if make_numerics(self._options).fused_attention:
            math["attention"] = "cudnn"
        return math


def _convert(batch):
    """Channels last; labels of 32 bits, since JAX has no others unless it is told to."""
    return {
        name: array.transpose(0, 2, 3, 1) if array.ndim == 4 else array.astype(np.int32)
        for name, array in batch.items()
    }


def _stacked(parts):
    return parts[0] if len(parts) == 1 else np.stack(parts)
