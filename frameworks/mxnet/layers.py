"""Blocks that both workloads are made of."""

from mxnet.gluon import nn


def conv(inputs, outputs, kernel, stride=1):
    """A convolution that keeps the size of an image where its stride is 1."""
    return nn.Conv2D(outputs, kernel, stride, kernel // 2, use_bias=False, in_channels=inputs)


def norm(channels):
    return nn.BatchNorm(momentum=0.9, epsilon=1e-5, in_channels=channels)


class Chain(nn.HybridSequential):
    """Blocks one after the other, with names instead of numbers."""

    def __init__(self, blocks):
        super().__init__()
        for name, block in blocks.items():
            self.register_child(block, name)


def mean_cross_entropy(F, logits, labels):
    logits = F.cast(logits, "float32")
    return -F.pick(F.log_softmax(logits), labels).mean()
