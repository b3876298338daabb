"""Cross-entropy over classes that are divided among the ranks."""

import torch
from torch.nn import functional


class GatherRows(torch.autograd.Function):
    """The rows of all ranks."""

    @staticmethod
    def forward(context, rows, job):
        context.job = job
        return job.gather_rows(rows)

    @staticmethod
    def backward(context, gradient):
        # All gradients behind this point are averaged over the ranks, and this one is whole.
        return context.job.scatter_sum(gradient) * context.job.ranks, None


class SumOfRanks(torch.autograd.Function):
    """All ranks make the same of it: the gradient of the sum is that of each rank's part."""

    @staticmethod
    def forward(context, part, job):
        return job.sum(part.clone())

    @staticmethod
    def backward(context, gradient):
        return gradient, None


@torch.compiler.disable  # no collective may wait inside of compiled code
def sharded_margin_loss(embeddings, classes, labels, shard, job, scale, with_margin):
    """Of the job as a whole. `embeddings`, `labels`: of the rank's own faces; `classes`: its rows of the matrix."""
    embeddings = GatherRows.apply(functional.normalize(embeddings, eps=1e-12), job)
    labels = job.gather_rows(labels)
    cosines = functional.linear(embeddings, functional.normalize(classes, eps=1e-12)).float()
    place = labels - shard.first
    here = ((place >= 0) & (place < shard.count)).unsqueeze(1)
    place = place.clamp(0, shard.count - 1).unsqueeze(1)
    right = cosines.gather(1, place)
    logits = scale * cosines.scatter(1, place, torch.where(here, with_margin(right), right))
    most = job.maximum(logits.detach().amax(1, keepdim=True))
    shifted = logits - most
    parts = (shifted.exp().sum(1), torch.where(here, shifted.gather(1, place), 0).squeeze(1))
    sums, truth = SumOfRanks.apply(torch.stack(parts), job)
    return (sums.log() - truth).mean()
