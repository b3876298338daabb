"""Trains one cell from set-up to the `end` event."""

import torch

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

_MEMORY_FORMATS = {
    "channels_last": torch.channels_last,
    "contiguous": torch.contiguous_format,
    None: torch.preserve_format,
}


def train(options, description, events):
    if options.device == "cuda" and not torch.cuda.is_available():
        raise Unsupported("PyTorch sees no CUDA device; is CUDA_VISIBLE_DEVICES empty, or the driver too old?")
    try:
        Cell(options, description, events).train()
    except RuntimeError as error:
        if _is_out_of_memory(error):
            raise OutOfMemory(str(error)) from None
        raise


def _is_out_of_memory(error):
    if isinstance(error, torch.OutOfMemoryError):
        return True
    # The host's allocator, the libraries below and the compiler have no kind of error of their own.
    signs = ("DefaultCPUAllocator", "out of memory", "OutOfMemoryError", "ALLOC_FAILED")
    return any(sign in str(error) for sign in signs)


class Cell:
    def __init__(self, options, description, events):
        self.options = options
        self.description = description
        self.events = events
        self.workload = WORKLOADS[options.workload]
        self.size = self.workload.sizes[options.size]
        self.code = workloads.find(options.workload)
        self.memory_format = self._find_memory_format()
        if options.mode == "graph" and not options.place.alone:
            raise Unsupported("the mode graph is for one rank; write eager or compile")
        if options.mode != "eager" and options.precision == "fp64":
            # Inductor takes fp64 attention for fp32 in the backward pass (PyTorch 2.11).
            raise Unsupported("fp64 is for proofs, in the mode eager")
        self.job = make_job(options.place, options.device)
        torch.manual_seed(options.seed + options.place.rank)  # of dropout: each rank drops others
        torch.backends.cudnn.benchmark = True
        self.precision = Precision(options.precision, options.device)

    def train(self):
        options = self.options
        model = self.code.build(self.size, options.dropout)
        tensors = ContractTensors(model, self.code.names(model))
        set_weights(options, tensors)
        model.to(options.device, memory_format=_MEMORY_FORMATS[self.memory_format]).train()
        masters = self.precision.convert_model(model)
        arrays = [self._make_arrays(number) for number in range(options.accumulate)]
        batches = [self._make_batch(part) for part in arrays]
        self.events.start(self._start_event(model, batches[0]))
        trainer = Trainer(
            model=model,
            phases=phases_of(model),
            batches=[self.precision.convert_batch(batch) for batch in batches],
            shares=[self.job.share(labels_in(options.workload, part)) for part in arrays],
            settings=self.workload.optimizer,
            masters=masters,
            precision=self.precision,
            mode=options.mode,
            job=self.job,
        )
        peak = torch.cuda.max_memory_allocated if options.device == "cuda" else lambda: None
        timer = make_timer(options.device)
        train_and_save(options, self.events, timer, trainer.step, tensors, peak, self.job.meter)
        self.job.leave()

    def _find_memory_format(self):
        asked, own = self.options.memory_format, self.code.MEMORY_FORMAT
        if asked and own != "channels_last":
            raise UserError(f"--memory-format: {self.options.workload} leaves no choice")
        return asked or own

    def _make_arrays(self, number):
        options = self.options
        return make_batch(options.workload, self.size, options.seed, first_item(options, number), options.batch)

    def _make_batch(self, arrays):
        batch = {name: torch.from_numpy(array).to(self.options.device) for name, array in arrays.items()}
        for name, tensor in batch.items():
            if tensor.dim() == 4:
                batch[name] = tensor.contiguous(memory_format=_MEMORY_FORMATS[self.memory_format])
        return batch

    def _start_event(self, model, batch):
        cuda = self.options.device == "cuda"
        return {
            **start_fields(self.options, self.description),
            **self.job.facts,
            "device_name": torch.cuda.get_device_name() if cuda else cpu_name(),
            "parameters": sum(parameter.numel() for parameter in model.parameters()),
            "flops_per_item": self._count_flops(batch),
            "threads": torch.get_num_threads(),
            "math": self._math(cuda),
        }

    def _count_flops(self, batch):
        """On a second model without memory, since shapes are all that is needed."""
        with torch.device("meta"):
            model = self.code.build(self.size, self.options.dropout)
        shapes = {name: tensor.to("meta") for name, tensor in batch.items()}
        return flops_per_item(phases_of(model), shapes, self.options.batch)

    def _math(self, cuda):
        math = {"optimizer": "fused"}
        if not self.options.place.alone and self.options.workload == "arcface":
            math["classes"] = "whole"  # on every rank
        if self.memory_format:
            math["memory_format"] = self.memory_format
        if cuda:
            math["cudnn_benchmark"] = True
            math["cudnn"] = torch.backends.cudnn.version()
            math["cuda"] = torch.version.cuda
        return math
