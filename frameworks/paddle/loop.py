"""Trains one cell from set-up to the `end` event."""

import os

import paddle

import workloads
from flops import flops_per_item
from job import make_job
from naming import ContractTensors
from precision import Precision
from steps import Trainer
from timing import make_timer
from trainmark.cell import set_weights, train_and_save
from trainmark.data import first_item, labels_in, make_batch
from trainmark.failure import OutOfMemory, Unsupported, UserError
from trainmark.host import cpu_name
from trainmark.options import start_fields
from trainmark.phases import phases_of
from trainmark.workloads import WORKLOADS

_SIGNS_OF_NO_MEMORY = ("ResourceExhausted", "Out of memory", "out of memory", "ALLOC_FAILED")


def train(options, description, events):
    if options.device == "cuda" and paddle.device.cuda.device_count() == 0:
        raise Unsupported("PaddlePaddle sees no CUDA device; is CUDA_VISIBLE_DEVICES empty, or the driver too old?")
    try:
        Cell(options, description, events).train()
    except Exception as error:  # one of PaddlePaddle's has no kind of its own in all versions
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
        self.code = workloads.find(options.workload)
        self.layout = self._find_layout()
        paddle.set_device("gpu" if options.device == "cuda" else "cpu")
        if options.mode == "static" and not options.place.alone:
            raise Unsupported("the mode static is for one rank; write dygraph")
        self.job = make_job(options.place, options.device)
        paddle.seed(options.seed + options.place.rank)  # of dropout: each rank drops others
        if options.device == "cuda":
            paddle.set_flags({"FLAGS_cudnn_exhaustive_search": True})
        self.precision = Precision(options.precision, options.device)

    def train(self):
        options = self.options
        model = self._build()
        tensors = ContractTensors(model)
        set_weights(options, tensors)
        model.train()
        arrays = [self._make_arrays(number) for number in range(options.accumulate)]
        self.events.start(self._start_event(model, arrays[0]))
        trainer = Trainer(
            model=model,
            phases=phases_of(model),
            batches=[self._make_batch(part) for part in arrays],
            shares=[self.job.share(labels_in(options.workload, part)) for part in arrays],
            settings=self.workload.optimizer,
            precision=self.precision,
            mode=options.mode,
            job=self.job,
        )
        peak = paddle.device.cuda.max_memory_allocated if options.device == "cuda" else lambda: None
        train_and_save(options, self.events, make_timer(options.device), trainer.step, tensors, peak)

    def _find_layout(self):
        """NHWC is for tensor cores. On a CPU, and in IEEE fp32 on a GPU, the kernels are made for NCHW."""
        asked = self.options.layout
        if not self.code.HAS_LAYOUTS:
            if asked:
                raise UserError(f"--layout: {self.options.workload} leaves no choice")
            return "NCHW"
        tensor_cores = self.options.device == "cuda" and self.options.precision != "fp32"
        return asked or ("NHWC" if tensor_cores else "NCHW")

    def _build(self):
        if self.code.HAS_LAYOUTS:
            return self.code.build(self.size, self.layout)
        return self.code.build(self.size, self.options.dropout)

    def _make_arrays(self, number):
        options = self.options
        arrays = make_batch(options.workload, self.size, options.seed, first_item(options, number), options.batch)
        if self.layout == "NHWC":
            arrays["images"] = arrays["images"].transpose(0, 2, 3, 1).copy()
        return arrays

    def _make_batch(self, arrays):
        return self.precision.convert_batch({name: paddle.to_tensor(array) for name, array in arrays.items()})

    def _start_event(self, model, arrays):
        cuda = self.options.device == "cuda"
        trained = [parameter for parameter in model.parameters() if not parameter.stop_gradient]
        return {
            **start_fields(self.options, self.description),
            **self.job.facts,
            "device_name": paddle.device.cuda.get_device_name() if cuda else cpu_name(),
            "parameters": sum(parameter.size for parameter in trained),
            "flops_per_item": flops_per_item(self._build, arrays, self.options.batch),
            "threads": int(os.environ["OMP_NUM_THREADS"]),
            "math": self._math(cuda),
        }

    def _math(self, cuda):
        math = {"layout": self.layout} if self.code.HAS_LAYOUTS else {}
        if not self.options.place.alone and self.options.workload == "arcface":
            math["classes"] = "whole"  # on every rank
        math["onednn"] = paddle.get_flags("FLAGS_use_onednn")["FLAGS_use_onednn"]
        if cuda:
            math["cudnn"] = paddle.version.cudnn()
            math["cuda"] = paddle.version.cuda()
        return math
