"""Trains one cell from set-up to the `end` event."""

import os

import mxnet as mx

import workloads
from flops import flops_per_item
from naming import ContractTensors
from precision import Precision
from steps import Trainer
from trainmark.cell import set_weights, train_and_save
from trainmark.data import make_batch
from trainmark.failure import OutOfMemory, Unsupported
from trainmark.host import cpu_name
from trainmark.options import start_fields
from trainmark.timing import HostTimer, ReadingTimer
from trainmark.workloads import WORKLOADS

_SIGNS_OF_NO_MEMORY = ("out of memory", "Out of memory", "Failed to allocate", "ALLOC_FAILED", "bad_alloc")


def train(options, description, events):
    if options.device == "cuda" and mx.context.num_gpus() == 0:
        raise Unsupported("MXNet sees no CUDA device; is CUDA_VISIBLE_DEVICES empty, or the driver too old?")
    try:
        Cell(options, description, events).train()
    except mx.MXNetError as error:
        if any(sign in str(error) for sign in _SIGNS_OF_NO_MEMORY):
            raise OutOfMemory(str(error)) from None
        raise


class Cell:
    def __init__(self, options, description, events):
        self.options = options
        self.description = description
        self.events = events
        self.workload = WORKLOADS[options.workload]
        self.size = self.workload.sizes[options.size]
        self.context = mx.gpu() if options.device == "cuda" else mx.cpu()
        self.precision = Precision(options.precision)

    def train(self):
        options = self.options
        model = workloads.find(options.workload).build(self.size)
        batches = [self._make_batch(number) for number in range(options.accumulate)]
        flops = flops_per_item(model, {name: array.shape for name, array in batches[0].items()}, options.batch)
        model.initialize(mx.init.Zero(), ctx=self.context)
        tensors = ContractTensors(model)
        set_weights(options, tensors)
        self.precision.convert_model(model)
        model.hybridize(static_alloc=True, static_shape=True)
        self.events.start(self._start_event(model, flops))
        trainer = Trainer(
            model=model,
            batches=[self.precision.convert_batch(batch) for batch in batches],
            settings=self.workload.optimizer,
            precision=self.precision,
            wait=options.device == "cpu",
        )
        timer = HostTimer() if options.device == "cpu" else ReadingTimer(lambda loss: float(loss.asscalar()))
        train_and_save(options, self.events, timer, trainer.step, tensors)

    def _make_batch(self, number):
        options = self.options
        arrays = make_batch(options.workload, self.size, options.seed, number * options.batch, options.batch)
        return {name: mx.nd.array(array, self.context, array.dtype) for name, array in arrays.items()}

    def _start_event(self, model, flops):
        cuda = self.options.device == "cuda"
        trained = [parameter for parameter in model.collect_params().values() if parameter.grad_req != "null"]
        return {
            **start_fields(self.options, self.description),
            "device_name": "CUDA device 0" if cuda else cpu_name(),
            "parameters": sum(int(parameter.data().size) for parameter in trained),
            "flops_per_item": flops,
            "threads": int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0))),
            "math": {"layout": "NCHW", "onednn": mx.runtime.Features().is_enabled("MKLDNN")},
        }
