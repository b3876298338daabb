"""Cross-entropy over classes that are divided among the ranks."""

import paddle
from paddle.autograd import PyLayer


class GatherRows(PyLayer):
    """The rows of all ranks."""

    @staticmethod
    def forward(context, rows, job):
        context.job = job
        return job.gather_rows(rows)

    @staticmethod
    def backward(context, gradient):
        # All gradients behind this point are averaged over the ranks, and this one is whole.
        return context.job.scatter_sum(gradient) * context.job.ranks


class SumOfRanks(PyLayer):
    """All ranks make the same of it: the gradient of the sum is that of each rank's part."""

    @staticmethod
    def forward(context, part, job):
        return job.sum(part.clone())

    @staticmethod
    def backward(context, gradient):
        return gradient.clone()


def sharded_margin_loss(embeddings, classes, labels, shard, job, scale, with_margin):
    """Of the job as a whole. `embeddings` and the columns of `classes` have the length 1; `embeddings`, `labels`: of the
    rank's own faces."""
    embeddings = GatherRows.apply(embeddings, job)
    labels = job.gather_rows(labels)
    cosines = paddle.matmul(embeddings, classes).astype("float32")
    place = labels - shard.first
    here = paddle.logical_and(place >= 0, place < shard.count).unsqueeze(1)
    place = place.clip(0, shard.count - 1).unsqueeze(1)
    right = paddle.take_along_axis(cosines, place, axis=1)
    turned = paddle.where(here, with_margin(right), right)
    logits = scale * paddle.put_along_axis(cosines, place, turned, axis=1)
    shifted = logits - job.maximum(logits.detach().max(axis=1, keepdim=True))
    truth = paddle.where(here, paddle.take_along_axis(shifted, place, axis=1), paddle.zeros_like(right))
    parts = paddle.stack([shifted.exp().sum(axis=1), truth.squeeze(1)])
    sums, truths = SumOfRanks.apply(parts, job)
    return (sums.log() - truths).mean()
