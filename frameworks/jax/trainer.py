"""One cell on JAX."""

import os

import jax
import numpy as np

from flops import forward_flops
from job import make_job, meet
from optimizer import make_optimizer
from precision import first_scale, make_numerics, set_matmul_precision
from steps import State, Steps
from tensors import ContractTensors
from trainmark.failure import Unsupported
from trainmark.out_of_memory import MemoryErrors
from trainmark.trainer import FrameworkTrainer

# Of dropout: XLA's own generator, which large JAX programs choose for accelerators. On a CPU it is as fast as JAX's
# default, Threefry.
_GENERATOR = "rbg"


class Trainer(FrameworkTrainer):
    memory_errors = MemoryErrors(
        kinds=(jax.errors.JaxRuntimeError, ValueError),
        signs=("RESOURCE_EXHAUSTED", "out of memory", "Out of memory", "bad_alloc"),
    )

    @staticmethod
    def read_loss(result):
        return np.asarray(result).tolist()

    def __init__(self, cell):
        super().__init__(cell)
        meet(cell.position, self.options.device)
        choose_device(self.options)
        self._job = make_job(cell.position, self.options.device)
        self.collectives, self.leave = self._job.facts, self._job.leave
        batches = [_convert(batch) for batch in cell.make_batches()]
        self._shapes = {name: jax.ShapeDtypeStruct(array.shape, array.dtype) for name, array in batches[0].items()}
        self._numerics = make_numerics(self.options)
        self._model = self._build(self._numerics)
        self._tensors = ContractTensors(self._model, self._shapes)
        self._optimizer = make_optimizer(cell.workload.optimizer)
        self._steps = Steps(self._model, self._optimizer, self.options.accumulate)
        self._step = self._job.compile_step(self._steps)
        self._gradients = self._job.compile_gradients(self._steps)
        self._batch = self._job.place_own(jax.tree.map(lambda *parts: _stacked(parts), *batches))
        self._state = None

    def shapes(self):
        return self._tensors.shapes()

    def set_weights(self, arrays):
        job = self._job
        params = job.place(self._tensors.make_variables("params", arrays))
        self._state = State(
            params=params,
            running=job.place_own(self._tensors.make_variables("batch_stats", arrays)),
            moments=job.make(self._optimizer.init, params),
            scale=job.place(first_scale(self.options.precision, self.cell.workload.first_loss_scale)),
            key=job.make(lambda: jax.random.key(self.options.seed % 2**63, impl=_GENERATOR)),
        )

    def weights(self):
        running = self._job.own(self._state.running)
        return {**self._tensors.to_contract(self._state.params), **self._tensors.to_contract(running)}

    def parameters(self):
        return self._tensors.parameters()

    def flops_per_item(self):
        """Of a fused attention nothing could be seen, so a model without is counted."""
        model = self._build(self._numerics._replace(fused_attention=False))

        def forward(batch):
            return model.init_with_output(jax.random.key(0), **batch)[0]

        return 3 * forward_flops(forward, self._shapes) / self.options.batch

    def threads(self):
        return int(os.environ.get("NPROC") or len(os.sched_getaffinity(0)))

    def gpu_name(self):
        return jax.devices()[0].device_kind

    def math(self):
        math = {"compiler": "XLA", "optimizer": "optax", "random": _GENERATOR}
        if any(len(shape.shape) == 4 for shape in self._shapes.values()):  # images
            math["memory_format"] = "NHWC"
        if self._numerics.fused_attention:
            math["attention"] = "cudnn"
        return math

    def step(self, keep_gradients=None):
        if keep_gradients:  # in a pass of their own: the one program that a step is gives nothing but the loss
            keep_gradients(self._tensors.to_contract(self._gradients(self._state, self._batch)))
        self._state, loss = self._step(self._state, self._batch)
        if not self.cell.cuda:
            jax.block_until_ready(self._state)
        return loss

    def peak_device_bytes(self):
        return jax.devices()[0].memory_stats()["peak_bytes_in_use"] if self.cell.cuda else None

    def _build(self, numerics):
        return self.cell.code.build(self.cell.size, self.options.dropout, numerics)


def choose_device(options):
    threads = os.environ.get("OMP_NUM_THREADS")
    if threads:
        os.environ["NPROC"] = threads  # how many threads XLA makes, if it is not to ask the machine
    # Others may be on the GPU beside us, as where trainers take turns: JAX would take three quarters of its memory at once.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax.config.update("jax_platforms", options.device)
    set_matmul_precision(options)
    try:
        jax.devices()
    except RuntimeError as error:
        raise Unsupported(f"JAX cannot use {options.device}: {error}") from None


def _convert(batch):
    """Channels last; labels of 32 bits, since JAX has no others unless it is told to."""
    return {
        name: array.transpose(0, 2, 3, 1) if array.ndim == 4 else array.astype(np.int32)
        for name, array in batch.items()
    }


def _stacked(parts):
    return parts[0] if len(parts) == 1 else np.stack(parts)
