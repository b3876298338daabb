"""One cell on Apache MXNet."""

import os

import mxnet as mx

from flops import flops_per_item
from job import make_job
from precision import Precision
from steps import Steps
from tensors import ContractTensors
from trainmark.failure import Unsupported
from trainmark.out_of_memory import MemoryErrors
from trainmark.trainer import StatefulTrainer


class Trainer(StatefulTrainer):
    memory_errors = MemoryErrors(
        kinds=(mx.MXNetError,),
        signs=("out of memory", "Out of memory", "Failed to allocate", "ALLOC_FAILED", "bad_alloc"),
    )

    def __init__(self, cell):
        super().__init__(cell)
        if cell.cuda and mx.context.num_gpus() == 0:
            raise Unsupported("MXNet sees no CUDA device; is CUDA_VISIBLE_DEVICES empty, or the driver too old?")
        self._job = make_job(cell.position)
        self.collectives, self.leave = self._job.facts, self._job.leave
        context = _own_gpu(cell.position) if cell.cuda else mx.cpu()
        self._precision = Precision(self.options.precision)
        self._model = cell.code.build(cell.size)
        self._batches = [
            {name: mx.nd.array(array, context, array.dtype) for name, array in arrays.items()}
            for arrays in cell.make_batches()
        ]
        # Counted while the model is still fp32 and nobody has hybridized it.
        shapes = {name: array.shape for name, array in self._batches[0].items()}
        self._flops_per_item = flops_per_item(self._model, shapes, self.options.batch)
        self._model.initialize(mx.init.Zero(), ctx=context)
        self._tensors = ContractTensors(self._model)

    def parameters(self):
        trained = [parameter for parameter in self._model.collect_params().values() if parameter.grad_req != "null"]
        return sum(int(parameter.data().size) for parameter in trained)

    def flops_per_item(self):
        return self._flops_per_item

    def threads(self):
        return int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))

    def gpu_name(self):
        return "CUDA device 0"  # MXNet does not know its name

    def math(self):
        return {"layout": "NCHW", "onednn": mx.runtime.Features().is_enabled("MKLDNN")}

    def prepare(self):
        self._precision.convert_model(self._model)
        self._model.hybridize(static_alloc=True, static_shape=True)
        self._batches = [self._precision.convert_batch(batch) for batch in self._batches]
        settings = self.cell.workload.optimizer
        self._steps = Steps(self._model, self._batches, settings, self._precision, wait=not self.cell.cuda, job=self._job)

    @staticmethod
    def read_loss(loss):
        return loss.asnumpy().reshape(-1).tolist()


def _own_gpu(position):
    """A rank that sees one only takes that."""
    return mx.gpu(0 if mx.context.num_gpus() == 1 else position.local_rank)
