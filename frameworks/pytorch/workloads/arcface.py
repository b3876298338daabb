"""ArcFace on IResNet-50."""

import math

import torch
from torch import nn
from torch.nn import functional

from sharded import sharded_margin_loss
from tensors import own_names

MEMORY_FORMAT = "channels_last"

BLOCKS = (3, 4, 14, 3)
SCALE = 64
MARGIN = 0.5


def conv3x3(inputs, outputs, stride=1):
    return nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)


class PReLU(nn.PReLU):
    def forward(self, x):
        return functional.prelu(x, self.weight.to(x.dtype))  # autocast on the CPU leaves the slopes fp32


class Stem(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = conv3x3(3, width)
        self.norm = nn.BatchNorm2d(width)
        self.prelu = PReLU(width)

    def forward(self, x):
        return self.prelu(self.norm(self.conv(x)))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(inputs)
        self.conv1 = conv3x3(inputs, outputs)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.prelu = PReLU(outputs)
        self.conv2 = conv3x3(outputs, outputs, stride)
        self.norm3 = nn.BatchNorm2d(outputs)
        self.begins_stage = stride != 1
        if self.begins_stage:
            self.shortcut_conv = nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False)
            self.shortcut_norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        y = self.prelu(self.norm2(self.conv1(self.norm1(x))))
        y = self.norm3(self.conv2(y))
        return y + (self.shortcut_norm(self.shortcut_conv(x)) if self.begins_stage else x)


class Head(nn.Module):
    def __init__(self, channels, side, embedding):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.linear = nn.Linear(channels * side * side, embedding)
        self.embedding_norm = nn.BatchNorm1d(embedding)

    def forward(self, x):
        return self.embedding_norm(self.linear(self.norm(x).flatten(1)))


class Backbone(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.stem = Stem(size.width)
        self.stages = [f"stage{number}" for number in range(1, len(BLOCKS) + 1)]
        inputs, side = size.width, size.side
        for index, (name, count) in enumerate(zip(self.stages, BLOCKS)):
            outputs = size.width << index
            stage = nn.Sequential()
            for number in range(1, count + 1):
                stage.add_module(f"block{number}", Block(inputs, outputs, stride=2 if number == 1 else 1))
                inputs = outputs
            self.add_module(name, stage)
            side = (side + 1) // 2
        self.head = Head(inputs, side, size.embedding)

    def forward(self, x):
        x = self.stem(x)
        for name in self.stages:
            x = getattr(self, name)(x)
        return self.head(x)


class ArcFace(nn.Module):
    def __init__(self, size, classes):
        super().__init__()
        self.backbone = Backbone(size)
        self.classes = nn.Linear(size.embedding, classes, bias=False)

    def forward(self, images, labels):
        embeddings = functional.normalize(self.backbone(images), eps=1e-12)
        cosines = functional.linear(embeddings, functional.normalize(self.classes.weight, eps=1e-12)).float()
        right = labels.unsqueeze(1)
        logits = cosines.scatter(1, right, with_margin(cosines.gather(1, right)))
        return functional.cross_entropy(SCALE * logits, labels)

    def evaluate(self, images, labels):
        return {"embeddings": self.backbone(images), "labels": labels}


class ShardedArcFace(ArcFace):
    """With this rank's part of the classes."""

    def __init__(self, size, shard, job):
        super().__init__(size, shard.count)
        self._shard = shard
        self._job = job

    def forward(self, images, labels):
        embeddings = self.backbone(images)
        classes = self.classes.weight
        return sharded_margin_loss(embeddings, classes, labels, self._shard, self._job, SCALE, with_margin)


def with_margin(cosine):
    """cos(θ + margin), or what goes on falling where θ + margin would be beyond π."""
    sine = (1 - cosine.square()).clamp_min(1e-12).sqrt()
    turned = cosine * math.cos(MARGIN) - sine * math.sin(MARGIN)
    return torch.where(cosine < math.cos(math.pi - MARGIN), cosine - MARGIN * math.sin(MARGIN), turned)


def build(size, dropout):
    return ArcFace(size, size.classes)


def build_sharded(size, shard, job):
    return ShardedArcFace(size, shard, job)


names = own_names
