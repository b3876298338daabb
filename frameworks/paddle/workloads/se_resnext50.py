"""SE-ResNeXt-50 32×4d."""

from paddle import nn
from paddle.nn import functional

from layers import pool
from workloads.resnet50 import Classifier

HAS_LAYOUTS = True

REDUCTION = 16


class Squeeze(nn.Layer):
    def __init__(self, channels, layout):
        super().__init__()
        self.reduce = nn.Linear(channels, channels // REDUCTION)
        self.expand = nn.Linear(channels // REDUCTION, channels)
        self.layout = layout

    def forward(self, x):
        means = pool(x, self.layout)
        gates = functional.sigmoid(self.expand(functional.relu(self.reduce(means.flatten(1)))))
        return x * gates.reshape(means.shape)


def build(size, layout):
    return Classifier(
        size.width,
        size.classes,
        layout,
        inner_factor=2,
        groups=size.groups,
        squeeze=lambda channels: Squeeze(channels, layout),
    )
