"""The ranks of a job and what they do together: DistributedDataParallel over Gloo (CPU) or NCCL (CUDA)."""

import os
import sys
from contextlib import nullcontext
from datetime import timedelta

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from timing import CudaMeter
from trainmark.communication import CommunicationMeter
from trainmark.position import own_interface
from trainmark.ranks import OneRank, turn_of
from trainmark.requests import requests_as_number

BUCKET_BYTES = 25 * 1024 * 1024  # DistributedDataParallel's own
_TIMEOUT = timedelta(seconds=300)  # of a collective
Turn = turn_of(nn.Module)


def make_job(position, device):
    return Alone() if position.alone else Job(position, device)


class Alone(OneRank):
    meter = None

    def after_backward(self):
        pass

    def agree_on_overflow(self, scaler, optimizer):
        pass

    def begin_result(self, loss):
        return lambda: loss

    def gather_parts(self, part):
        return [part]

    def average(self, tensors):
        pass

    def leave(self):
        pass


class Job:
    def __init__(self, position, device):
        self.ranks = position.ranks
        self._rank = position.rank
        self._device = device
        self._apart = []
        self.backend = "nccl" if device == "cuda" else "gloo"
        self.meter = CudaMeter() if device == "cuda" else CommunicationMeter()
        self.facts = {"backend": self.backend, "bucket_bytes": BUCKET_BYTES}
        if device == "cpu" and "GLOO_SOCKET_IFNAME" not in os.environ:
            interface = own_interface(position)
            if interface:
                os.environ["GLOO_SOCKET_IFNAME"] = interface
        distributed.init_process_group(
            self.backend,
            init_method=f"tcp://{position.master_address}:{position.master_port}",
            rank=position.rank,
            world_size=position.ranks,
            timeout=_TIMEOUT,
        )

    def share(self, labels):
        """What this rank's loss counts in the mean over all: 1 where all ranks have as many labels."""
        sum_of_all = torch.tensor([float(labels)], device=self._device)
        distributed.all_reduce(sum_of_all)
        return labels * self.ranks / sum_of_all.item()

    def keep_apart(self, name):
        """A parameter that is each rank's own: nothing of it is averaged."""
        self._apart.append(name)

    def wrap(self, model, phase):
        """The phase with a loss whose gradients are averaged over the ranks while the backward pass runs. Batch norms
        keep the means of their own rank."""
        turn = Turn(model, phase)
        DistributedDataParallel._set_params_and_buffers_to_ignore_for_model(
            turn, [f"model.{name}" for name in self._apart]
        )
        module = DistributedDataParallel(
            turn, broadcast_buffers=False, gradient_as_bucket_view=True, bucket_cap_mb=None
        )
        module.register_comm_hook(self, _average)
        phase.wrap(lambda _loss: module)
        phase.no_sync = module.no_sync
        return phase

    def before_backward(self, phase, last):
        """The scope of a forward and backward pass. Only the last one of a step talks."""
        return nullcontext() if last else phase.no_sync()

    def after_backward(self):
        self.meter.wait_ends()

    def agree_on_overflow(self, scaler, optimizer):
        """Averaged gradients are the same for all. Of a part that one rank has, it alone can see an overflow."""
        if not self._apart or not scaler.is_enabled():
            return
        scaler.unscale_(optimizer)
        for found in scaler._per_optimizer_states[id(optimizer)]["found_inf_per_device"].values():
            self.maximum(found)

    def gather_rows(self, rows):
        """Those of all ranks, of which each has as many."""
        rows = rows.contiguous()
        all_rows = rows.new_empty((self.ranks * len(rows), *rows.shape[1:]))
        self._now(lambda: distributed.all_gather_into_tensor(all_rows, rows))
        return all_rows

    def scatter_sum(self, rows):
        """The other way round: this rank's part of the rows, summed over all ranks."""
        each = len(rows) // self.ranks
        if self.backend == "gloo":
            return self.sum(rows.clone())[self._rank * each : (self._rank + 1) * each]
        own = rows.new_empty((each, *rows.shape[1:]))
        self._now(lambda: distributed.reduce_scatter_tensor(own, rows.contiguous()))
        return own

    def sum(self, tensor):
        self._now(lambda: distributed.all_reduce(tensor))
        return tensor

    def maximum(self, tensor):
        self._now(lambda: distributed.all_reduce(tensor, distributed.ReduceOp.MAX))
        return tensor

    def gather_parts(self, part):
        """Of all ranks, in their order: whatever can be pickled."""
        parts = [None] * self.ranks
        distributed.all_gather_object(parts, part)
        return parts

    def average(self, tensors):
        """Each over the ranks, in place."""
        for tensor in tensors:
            distributed.all_reduce(tensor.div_(self.ranks))

    def _now(self, collective):
        end = self.meter.begin()
        self.meter.wait_begins()
        collective()
        end()
        self.meter.wait_ends()

    def begin_result(self, loss):
        """Begins to collect what the ranks tell each other in every step: the mean of their losses, and what they
        are asked for. The last backward pass goes on meanwhile. Gives a function that waits for it."""
        requests = torch.full_like(loss, requests_as_number())
        result = torch.stack([loss / self.ranks, requests]).float()
        end = self.meter.begin()
        work = distributed.all_reduce(result, async_op=True)
        work.get_future().then(end)

        def wait():
            self.meter.wait_begins()
            work.wait()
            self.after_backward()
            return result

        return wait

    def leave(self):
        """All is reported and saved. Gloo's threads may still hold callbacks of ours, which need the interpreter, and destroying
        the group waits for these threads while it holds the interpreter: so the process ends as it is."""
        if self.backend == "gloo":
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
        distributed.destroy_process_group()


def _average(job, bucket):
    """As the default hook does it, with its times taken."""
    buffer = bucket.buffer().div_(job.ranks)
    end = job.meter.begin()
    future = distributed.all_reduce(buffer, async_op=True).get_future()
    if bucket.is_last():
        # Callbacks run in the order in which they were queued. That of DistributedDataParallel comes behind this one:
        # it waits for the buckets.
        torch.autograd.Variable._execution_engine.queue_callback(job.meter.wait_begins)

    def done(ended):
        end()
        return ended.value()[0]

    return future.then(done)
