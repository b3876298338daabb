"""The ranks of a job and what they do together: paddle.DataParallel over Gloo (CPU) or NCCL (CUDA)."""

import os
from contextlib import nullcontext

import paddle
from paddle import distributed, nn

from trainmark.position import own_address, own_interface
from trainmark.ranks import OneRank, turn_of
from trainmark.requests import requests_as_number

BUCKET_MEGABYTES = 25  # DataParallel's own
Turn = turn_of(nn.Layer)


def make_job(position, device):
    return Alone() if position.alone else Job(position, device)


class Alone(OneRank):
    def agree_on_overflow(self, scaler, optimizer):
        pass

    def result(self, loss):
        return loss

    def gather_parts(self, part):
        return [part]

    def average(self, tensors):
        pass


class Job:
    def __init__(self, position, device):
        self.ranks = position.ranks
        self._rank = position.rank
        self._divided = False
        backend = "nccl" if device == "cuda" else "gloo"
        self.facts = {"backend": backend, "bucket_bytes": BUCKET_MEGABYTES * 1024 * 1024}
        _set_variables(position, backend)
        distributed.init_parallel_env()

    def share(self, labels):
        """What this rank's loss counts in the mean over all: 1 where all ranks have as many labels."""
        sum_of_all = paddle.to_tensor([float(labels)])
        distributed.all_reduce(sum_of_all)
        return labels * self.ranks / sum_of_all.item()

    def keep_apart(self, parameter):
        """One that is each rank's own: nothing of it is averaged."""
        parameter.no_sync = True
        self._divided = True

    def agree_on_overflow(self, scaler, optimizer):
        """Averaged gradients are the same for all. Of a part that one rank has, it alone can see an overflow."""
        if not self._divided or not scaler.is_enable():
            return
        scaler.unscale_(optimizer)
        scaler._found_inf = self.maximum(paddle.to_tensor(scaler._found_inf).astype("float32")) > 0

    def gather_rows(self, rows):
        """Those of all ranks, of which each has as many."""
        parts = []
        distributed.all_gather(parts, rows)
        return paddle.concat(parts)

    def scatter_sum(self, rows):
        """The other way round: this rank's part of the rows, summed over all ranks."""
        each = rows.shape[0] // self.ranks
        return self.sum(rows.clone())[self._rank * each : (self._rank + 1) * each]

    def sum(self, tensor):
        distributed.all_reduce(tensor)
        return tensor

    def maximum(self, tensor):
        distributed.all_reduce(tensor, distributed.ReduceOp.MAX)
        return tensor

    def gather_parts(self, part):
        """Of all ranks, in their order: whatever can be pickled."""
        parts = []
        distributed.all_gather_object(parts, part)
        return parts

    def average(self, tensors):
        """Each over the ranks, in place."""
        for tensor in tensors:
            tensor.set_value(self.sum(tensor / self.ranks))

    def wrap(self, model, phase):
        """The phase with a loss whose gradients are averaged over the ranks while the backward pass runs. Batch norms
        keep the means of their own rank."""
        layer = paddle.DataParallel(Turn(model, phase), comm_buffer_size=BUCKET_MEGABYTES)
        phase.wrap(lambda _loss: layer)
        phase.no_sync = layer.no_sync
        return phase

    def before_backward(self, phase, last):
        """The scope of a forward and backward pass. Only the last one of a step talks."""
        return nullcontext() if last else phase.no_sync()

    def result(self, loss):
        """What the ranks tell each other in every step: the mean of their losses, and what they are asked for."""
        requests = paddle.full_like(loss, requests_as_number())
        result = paddle.stack([loss / self.ranks, requests])
        distributed.all_reduce(result)
        return result


def _set_variables(position, backend):
    """Those of paddle.distributed.launch, where they are missing. The ranks find each other through the master; the
    list of endpoints only has to be there."""
    ports = range(position.master_port + 1, position.master_port + 1 + position.ranks)
    variables = {
        "PADDLE_TRAINER_ID": position.rank,
        "PADDLE_TRAINERS_NUM": position.ranks,
        "PADDLE_TRAINER_ENDPOINTS": ",".join(f"{position.master_address}:{port}" for port in ports),
        "PADDLE_CURRENT_ENDPOINT": f"{own_address(position)}:{ports[position.rank]}",
        "PADDLE_DISTRI_BACKEND": backend,
        "MASTER_PORT": position.master_port,
    }
    if backend == "nccl":
        visible = paddle.device.cuda.device_count()
        variables["FLAGS_selected_gpus"] = 0 if visible == 1 else position.local_rank
    else:
        variables["GLOO_SOCKET_IFNAME"] = own_interface(position) or ""
    for name, value in variables.items():
        os.environ.setdefault(name, str(value))
