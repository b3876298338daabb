"""One cell on PaddlePaddle."""

import os
from contextlib import contextmanager

import paddle

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

# Its own handlers print a stack trace where the request to stop should be heard.
paddle.disable_signal_handler()


class Trainer(StatefulTrainer):
    # One of PaddlePaddle's has no kind of its own in all versions.
    memory_errors = MemoryErrors(
        kinds=(Exception,), signs=("ResourceExhausted", "Out of memory", "out of memory", "ALLOC_FAILED")
    )
    read_loss = staticmethod(paddle.Tensor.tolist)
    cuda_timer = CudaTimer

    def __init__(self, cell):
        super().__init__(cell)
        options = self.options
        _choose_device(cell)
        self._layout = _find_layout(cell)
        if options.mode == "static" and not cell.position.alone:
            raise Unsupported("the mode static is for one rank; write dygraph")
        self._job = make_job(cell.position, options.device)
        self.collectives = self._job.facts
        paddle.seed(options.seed + cell.position.rank)  # of dropout: each rank drops others
        if cell.cuda:
            paddle.set_flags({"FLAGS_cudnn_exhaustive_search": True})
        if options.checkpoint and options.precision == "fp16":
            raise Unsupported("--checkpoint: PaddlePaddle's master weights cannot be kept; write another precision than fp16")
        self._precision = Precision(options.precision, options.device, cell.workload.first_loss_scale, options.loss_scale)
        self._model = self._build_for_ranks()
        if cell.recipe:
            _set_smoothing(self._model, cell)
        self._tensors = ContractTensors(self._model, self.shards, self._job)
        self._arrays = [self._with_layout(arrays) for arrays in cell.make_batches()]

    @staticmethod
    def make_feed(cell):
        from input import open_feed

        _choose_device(cell)
        return open_feed(cell, _find_layout(cell))

    @staticmethod
    def make_evaluation(cell):
        from input import open_evaluation

        return open_evaluation(cell, _find_layout(cell))

    def set_weights(self, arrays):
        super().set_weights(arrays)
        self._model.train()

    def parameters(self):
        own = sum(parameter.size for parameter in self._model.parameters() if not parameter.stop_gradient)
        return own + self._tensors.elsewhere()

    def flops_per_item(self):
        return flops_per_item(self._build, self._arrays[0], self.options.batch)

    def threads(self):
        return int(os.environ["OMP_NUM_THREADS"])

    def gpu_name(self):
        return paddle.device.cuda.get_device_name()

    def math(self):
        math = {"layout": self._layout} if self.cell.code.HAS_LAYOUTS else {}
        math["onednn"] = paddle.get_flags("FLAGS_use_onednn")["FLAGS_use_onednn"]
        if self.cell.cuda:
            math["cudnn"] = paddle.version.cudnn()
            math["cuda"] = paddle.version.cuda()
        return math

    def prepare(self):
        self._steps = Steps(
            model=self._model,
            phases=phases_of(self._model),
            batches=[self._make_batch(arrays) for arrays in self._arrays],
            shares=[self._job.share(self.cell.labels_in(arrays)) for arrays in self._arrays],
            settings=self.cell.optimizer,
            precision=self._precision,
            mode=self.options.mode,
            job=self._job,
            decays=self.cell.recipe.decays if self.cell.recipe else None,
        )
        chances = self.options.seed + self.cell.position.rank
        self._state = State(self._model, self._steps.optimizers, self._precision.scaler, chances)

    def use(self, batches):
        super().use([self._precision.convert_batch(batch) for batch in batches])

    def set_learning_rate(self, rate):
        self._steps.set_learning_rate(rate)

    @contextmanager
    def evaluating(self):
        """Of several ranks all have the same running values then: the mean of theirs."""
        self._job.average(self._tensors.running())
        self._model.eval()
        with paddle.no_grad():
            yield
        self._model.train()

    def evaluate(self, batch):
        with self._precision.scope():
            outputs = self._model.evaluate(**self._precision.convert_batch(batch))
        return {name: _as_array(tensor) for name, tensor in outputs.items()}

    def gather(self, part):
        return self._job.gather_parts(part)

    def state(self, step):
        return self._state.arrays(step)

    def own_state(self, step):
        return self._state.own_arrays(step, self.shards)

    def restore(self, arrays, step):
        self._state.restore(arrays, step)

    def peak_device_bytes(self):
        return paddle.device.cuda.max_memory_allocated() if self.cell.cuda else None

    def _build_for_ranks(self):
        """Of classes that may be divided among the ranks, this rank's."""
        position, code = self.cell.position, self.cell.code
        can = "sharded-classes" in self.cell.workload.capabilities
        if position.alone or not can or self.options.whole_classes:
            return self._build()
        shard = shard_of(position, self.cell.size.classes, "classes")
        model = code.build_sharded(self.cell.size, self._layout, shard, self._job)
        self.shards = {"classes.weight": shard}
        self._job.keep_apart(model.classes.weight)
        return model

    def _build(self):
        code, size = self.cell.code, self.cell.size
        return code.build(size, self._layout) if code.HAS_LAYOUTS else code.build(size, self.options.dropout)

    def _with_layout(self, arrays):
        if self._layout == "NHWC":
            arrays["images"] = arrays["images"].transpose(0, 2, 3, 1).copy()
        return arrays

    def _make_batch(self, arrays):
        return self._precision.convert_batch({name: paddle.to_tensor(array) for name, array in arrays.items()})


def _set_smoothing(model, cell):
    if hasattr(model, "label_smoothing"):
        model.label_smoothing = cell.recipe.label_smoothing
    elif cell.recipe.label_smoothing:
        raise Unsupported(f"--label-smoothing: the labels of {cell.workload.name} cannot be smoothed here; leave it out")


def _as_array(tensor):
    return (tensor.astype("float32") if tensor.is_floating_point() else tensor).numpy()


def _choose_device(cell):
    if cell.cuda and paddle.device.cuda.device_count() == 0:
        raise Unsupported("PaddlePaddle sees no CUDA device; is CUDA_VISIBLE_DEVICES empty, or the driver too old?")
    paddle.set_device("gpu" if cell.cuda else "cpu")


def _find_layout(cell):
    """NHWC is for tensor cores. On a CPU, and in IEEE fp32 on a GPU, the kernels are made for NCHW."""
    asked = cell.options.layout
    if not cell.code.HAS_LAYOUTS:
        if asked:
            raise UserError(f"--layout: {cell.options.workload} leaves no choice")
        return "NCHW"
    tensor_cores = cell.cuda and cell.options.precision != "fp32"
    return asked or ("NHWC" if tensor_cores else "NCHW")
