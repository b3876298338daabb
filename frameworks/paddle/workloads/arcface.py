"""ArcFace on IResNet-50."""

import math

import paddle
from paddle import nn

from layers import Chain, conv, norm
from sharded import sharded_margin_loss

HAS_LAYOUTS = True

BLOCKS = (3, 4, 14, 3)
SCALE = 64
MARGIN = 0.5


class Stem(nn.Layer):
    def __init__(self, width, layout):
        super().__init__()
        self.conv = conv(3, width, 3, layout)
        self.norm = norm(width, layout)
        self.prelu = nn.PReLU(width, data_format=layout)

    def forward(self, x):
        return self.prelu(self.norm(self.conv(x)))


class Block(nn.Layer):
    def __init__(self, inputs, outputs, stride, layout):
        super().__init__()
        self.norm1 = norm(inputs, layout)
        self.conv1 = conv(inputs, outputs, 3, layout)
        self.norm2 = norm(outputs, layout)
        self.prelu = nn.PReLU(outputs, data_format=layout)
        self.conv2 = conv(outputs, outputs, 3, layout, stride=stride)
        self.norm3 = norm(outputs, layout)
        self.begins_stage = stride != 1
        if self.begins_stage:
            self.shortcut_conv = conv(inputs, outputs, 1, layout, stride=stride)
            self.shortcut_norm = norm(outputs, layout)

    def forward(self, x):
        y = self.prelu(self.norm2(self.conv1(self.norm1(x))))
        y = self.norm3(self.conv2(y))
        return y + (self.shortcut_norm(self.shortcut_conv(x)) if self.begins_stage else x)


class Head(nn.Layer):
    def __init__(self, channels, side, embedding, layout):
        super().__init__()
        self.norm = norm(channels, layout)
        self.linear = nn.Linear(channels * side * side, embedding)
        self.embedding_norm = nn.BatchNorm1D(embedding)
        self.layout = layout

    def forward(self, x):
        x = self.norm(x)
        if self.layout == "NHWC":  # the contract flattens channel, row, column
            x = x.transpose([0, 3, 1, 2])
        return self.embedding_norm(self.linear(x.flatten(1)))


class Backbone(nn.Layer):
    def __init__(self, size, layout):
        super().__init__()
        self.stem = Stem(size.width, layout)
        self.stages = [f"stage{number}" for number in range(1, len(BLOCKS) + 1)]
        inputs, side = size.width, size.side
        for index, (name, count) in enumerate(zip(self.stages, BLOCKS)):
            outputs = size.width << index
            stage = []
            for number in range(count):
                stage.append(Block(inputs, outputs, 1 if number else 2, layout))
                inputs = outputs
            self.add_sublayer(name, Chain("block", stage))
            side = (side + 1) // 2
        self.head = Head(inputs, side, size.embedding, layout)

    def forward(self, x):
        x = self.stem(x)
        for name in self.stages:
            x = getattr(self, name)(x)
        return self.head(x)


class ArcFace(nn.Layer):
    def __init__(self, size, layout, classes):
        super().__init__()
        self.backbone = Backbone(size, layout)
        self.classes = nn.Linear(size.embedding, classes, bias_attr=False)

    def forward(self, images, labels):
        embeddings = unit(self.backbone(images), axis=1)
        cosines = paddle.matmul(embeddings, unit(self.classes.weight, axis=0)).astype("float32")
        right = labels.unsqueeze(1)
        turned = with_margin(paddle.take_along_axis(cosines, right, axis=1))
        logits = SCALE * paddle.put_along_axis(cosines, right, turned, axis=1)
        # Not cross_entropy: on the CPU its softmax takes 64 for every distance of two logits that is larger.
        return paddle.logsumexp(logits - SCALE * turned, axis=1).mean()

    def evaluate(self, images, labels):
        return {"embeddings": self.backbone(images), "labels": labels}


class ShardedArcFace(ArcFace):
    """With this rank's part of the classes."""

    def __init__(self, size, layout, shard, job):
        super().__init__(size, layout, shard.count)
        self._shard = shard
        self._job = job

    def forward(self, images, labels):
        embeddings = unit(self.backbone(images), axis=1)
        classes = unit(self.classes.weight, axis=0)
        return sharded_margin_loss(embeddings, classes, labels, self._shard, self._job, SCALE, with_margin)


def unit(x, axis):
    """Divided by its length. PaddlePaddle's own normalize takes twice as long on a CPU."""
    return x / x.square().sum(axis, keepdim=True).clip(min=1e-24).sqrt()


def with_margin(cosine):
    """cos(θ + margin), or what goes on falling where θ + margin would be beyond π."""
    sine = (1 - cosine.square()).clip(min=1e-12).sqrt()
    turned = cosine * math.cos(MARGIN) - sine * math.sin(MARGIN)
    return paddle.where(cosine < math.cos(math.pi - MARGIN), cosine - MARGIN * math.sin(MARGIN), turned)


def build(size, layout):
    return ArcFace(size, layout, size.classes)


def build_sharded(size, layout, shard, job):
    return ShardedArcFace(size, layout, shard, job)
