"""Layers that several workloads are made of."""

import paddle
from paddle import nn
from paddle.nn import functional


def conv(inputs, outputs, kernel, layout="NCHW", bias=False, dilation=1, **settings):
    """A convolution that keeps the size of an image where its stride is 1."""
    return nn.Conv2D(
        inputs,
        outputs,
        kernel,
        padding=settings.pop("padding", dilation * (kernel // 2)),
        dilation=dilation,
        bias_attr=None if bias else False,
        data_format=layout,
        **settings,
    )


def norm(channels, layout):
    return nn.BatchNorm2D(channels, data_format=layout)


def channel_axis(layout):
    return layout.index("C")


def pool(x, layout):
    """The mean over each image."""
    return functional.adaptive_avg_pool2d(x, 1, data_format=layout)


def cross_entropy(logits, labels, **settings):
    return functional.cross_entropy(logits.astype("float32"), labels, **settings)


def smoothed_cross_entropy(logits, labels, smoothing):
    """(1 - ε) of the right class and ε spread evenly over all. The label_smoothing of PaddlePaddle's own would make a
    whole row of targets of every label."""
    logits = logits.astype("float32")
    right = paddle.take_along_axis(logits, labels.unsqueeze(1), axis=1)
    return cross_entropy(logits, labels) + smoothing * (right.mean() - logits.mean())


class Chain(nn.Layer):
    """Layers one after the other, named `name1`, `name2` and so on."""

    def __init__(self, name, layers):
        super().__init__()
        for number, layer in enumerate(layers, 1):
            self.add_sublayer(f"{name}{number}", layer)

    def forward(self, x, *others):
        for layer in self.children():
            x = layer(x, *others)
        return x
