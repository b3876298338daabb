"""One cell on PyTorch."""

from contextlib import contextmanager

import torch

from flops import flops_per_item
from job import make_job
from precision import Precision
from state import State
from steps import Steps
from tensors import ContractTensors
from timing import CudaTimer
from trainmark.failure import Unsupported, UserError
from trainmark.out_of_memory import MemoryErrors
from trainmark.phases import phases_of
from trainmark.shards import shard_of
from trainmark.trainer import StatefulTrainer

_MEMORY_FORMATS = {
    "channels_last": torch.channels_last,
    "contiguous": torch.contiguous_format,
    None: torch.preserve_format,
}


class Trainer(StatefulTrainer):
    # The host's allocator, the libraries below and the compiler have no kind of error of their own.
    memory_errors = MemoryErrors(
        always=(torch.OutOfMemoryError,),
        kinds=(RuntimeError,),
        signs=("DefaultCPUAllocator", "out of memory", "OutOfMemoryError", "ALLOC_FAILED"),
    )
    read_loss = staticmethod(torch.Tensor.tolist)
    cuda_timer = CudaTimer

    def __init__(self, cell):
        super().__init__(cell)
        options = self.options
        _choose_device(cell)
        self._memory_format = _find_memory_format(cell)
        if options.mode == "graph" and not cell.position.alone:
            raise Unsupported("the mode graph is for one rank; write eager or compile")
        if options.mode != "eager" and options.precision == "fp64":
            # Inductor takes fp64 attention for fp32 in the backward pass (PyTorch 2.11).
            raise Unsupported("fp64 is for proofs, in the mode eager")
        self._job = make_job(cell.position, options.device)
        self.collectives, self.meter, self.leave = self._job.facts, self._job.meter, self._job.leave
        torch.manual_seed(options.seed + cell.position.rank)  # of dropout: each rank drops others
        torch.backends.cudnn.benchmark = True
        self._precision = Precision(options.precision, options.device, cell.workload.first_loss_scale, options.loss_scale)
        self._model = self._build_for_ranks()
        if cell.recipe:
            _set_smoothing(self._model, cell)
        self._tensors = ContractTensors(self._model, cell.code.names(self._model), self.shards, self._job)
        self._masters = {}
        arrays = cell.make_batches()
        self._batches = [self._make_batch(part) for part in arrays]
        self._labels = [cell.labels_in(part) for part in arrays]

    @staticmethod
    def make_feed(cell):
        from input import open_feed

        _choose_device(cell)
        return open_feed(cell, _MEMORY_FORMATS[_find_memory_format(cell)])

    @staticmethod
    def make_evaluation(cell):
        from input import open_evaluation

        return open_evaluation(cell, _MEMORY_FORMATS[_find_memory_format(cell)])

    def set_weights(self, arrays):
        super().set_weights(arrays)
        self._model.to(self.options.device, memory_format=_MEMORY_FORMATS[self._memory_format]).train()

    def weights(self):
        return self._tensors.values(self._masters)

    def parameters(self):
        own = sum(parameter.numel() for parameter in self._model.parameters())
        return own + self._tensors.elsewhere()

    def flops_per_item(self):
        """On a second model without memory, since shapes are all that is needed."""
        with torch.device("meta"):
            model = self._build()
        shapes = {name: tensor.to("meta") for name, tensor in self._batches[0].items()}
        return flops_per_item(phases_of(model), shapes, self.options.batch)

    def threads(self):
        return torch.get_num_threads()

    def gpu_name(self):
        return torch.cuda.get_device_name()

    def math(self):
        math = {"optimizer": "fused"}
        if self._memory_format:
            math["memory_format"] = self._memory_format
        if self.cell.cuda:
            math["cudnn_benchmark"] = True
            math["cudnn"] = torch.backends.cudnn.version()
            math["cuda"] = torch.version.cuda
        return math

    def prepare(self):
        self._masters = self._precision.convert_model(self._model)
        self._batches = [self._precision.convert_batch(batch) for batch in self._batches]
        self._steps = Steps(
            model=self._model,
            phases=phases_of(self._model),
            batches=self._batches,
            shares=[self._job.share(labels) for labels in self._labels],
            settings=self.cell.optimizer,
            masters=self._masters,
            precision=self._precision,
            mode=self.options.mode,
            job=self._job,
            decays=self.cell.recipe.decays if self.cell.recipe else None,
        )
        self._state = State(self._model, self._steps.optimizers, self._masters, self._precision.scaler, self.cell.cuda)

    def use(self, batches):
        super().use([self._precision.convert_batch(batch) for batch in batches])

    def set_learning_rate(self, rate):
        self._steps.set_learning_rate(rate)

    @contextmanager
    def evaluating(self):
        """Of several ranks all have the same running values then: the mean of theirs."""
        self._job.average([value for value in self._model.buffers() if value.is_floating_point()])
        self._model.eval()
        with torch.no_grad():
            yield
        self._model.train()

    def evaluate(self, batch):
        """Not compiled: its batches have other shapes, and its time is nobody's."""
        with self._precision.scope():
            outputs = self._model.evaluate(**self._precision.convert_batch(batch))
        return {name: _as_array(tensor) for name, tensor in outputs.items()}

    def gather(self, part):
        return self._job.gather_parts(part)

    def state(self, step):
        return self._state.arrays()

    def own_state(self, step):
        return self._state.own_arrays(self.shards)

    def restore(self, arrays, step):
        self._state.restore(arrays)

    def peak_device_bytes(self):
        return torch.cuda.max_memory_allocated() if self.cell.cuda else None

    def _build_for_ranks(self):
        """Of classes that may be divided among the ranks, this rank's."""
        position, name = self.cell.position, "classes.weight"
        can = "sharded-classes" in self.cell.workload.capabilities
        if position.alone or not can or self.options.whole_classes:
            return self._build()
        shard = shard_of(position, self.cell.size.classes, "classes")
        self.shards = {name: shard}
        self._job.keep_apart(name)
        return self.cell.code.build_sharded(self.cell.size, shard, self._job)

    def _build(self):
        return self.cell.code.build(self.cell.size, self.options.dropout)

    def _make_batch(self, arrays):
        batch = {name: torch.from_numpy(array).to(self.options.device) for name, array in arrays.items()}
        for name, tensor in batch.items():
            if tensor.dim() == 4:
                batch[name] = tensor.contiguous(memory_format=_MEMORY_FORMATS[self._memory_format])
        return batch


def _set_smoothing(model, cell):
    if hasattr(model, "label_smoothing"):
        model.label_smoothing = cell.recipe.label_smoothing
    elif cell.recipe.label_smoothing:
        raise Unsupported(f"--label-smoothing: the labels of {cell.workload.name} cannot be smoothed here; leave it out")


def _as_array(tensor):
    return (tensor.float() if tensor.is_floating_point() else tensor).cpu().numpy()


def _choose_device(cell):
    """Of several ranks on a machine each has its own GPU, or is shown no other."""
    if not cell.cuda:
        return
    if not torch.cuda.is_available():
        raise Unsupported("PyTorch sees no CUDA device; is CUDA_VISIBLE_DEVICES empty, or the driver too old?")
    torch.cuda.set_device(0 if torch.cuda.device_count() == 1 else cell.position.local_rank)


def _find_memory_format(cell):
    asked, own = cell.options.memory_format, cell.code.MEMORY_FORMAT
    if asked and own != "channels_last":
        raise UserError(f"--memory-format: {cell.options.workload} leaves no choice")
    return asked or own
