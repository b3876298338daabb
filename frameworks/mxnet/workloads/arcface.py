"""ArcFace on IResNet-50."""

import math

from mxnet.gluon import nn

from layers import Chain, conv, mean_cross_entropy, norm

BLOCKS = (3, 4, 14, 3)
SCALE = 64
MARGIN = 0.5
EPS = 1e-24  # of a square: of a length, 1e-12


class Stem(nn.HybridBlock):
    def __init__(self, width):
        super().__init__()
        self.conv = conv(3, width, 3)
        self.norm = norm(width)
        self.prelu = nn.PReLU(in_channels=width)

    def hybrid_forward(self, F, x):
        return self.prelu(self.norm(self.conv(x)))


class Block(nn.HybridBlock):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.norm1 = norm(inputs)
        self.conv1 = conv(inputs, outputs, 3)
        self.norm2 = norm(outputs)
        self.prelu = nn.PReLU(in_channels=outputs)
        self.conv2 = conv(outputs, outputs, 3, stride)
        self.norm3 = norm(outputs)
        self.begins_stage = stride != 1
        if self.begins_stage:
            self.shortcut_conv = conv(inputs, outputs, 1, stride)
            self.shortcut_norm = norm(outputs)

    def hybrid_forward(self, F, x):
        y = self.prelu(self.norm2(self.conv1(self.norm1(x))))
        y = self.norm3(self.conv2(y))
        return y + (self.shortcut_norm(self.shortcut_conv(x)) if self.begins_stage else x)


class Head(nn.HybridBlock):
    def __init__(self, channels, side, embedding):
        super().__init__()
        self.norm = norm(channels)
        self.linear = nn.Dense(embedding, in_units=channels * side * side)
        self.embedding_norm = norm(embedding)

    def hybrid_forward(self, F, x):
        return self.embedding_norm(self.linear(self.norm(x)))


class Backbone(nn.HybridBlock):
    def __init__(self, size):
        super().__init__()
        self.stem = Stem(size.width)
        inputs, side = size.width, size.side
        for index, count in enumerate(BLOCKS):
            blocks = {}
            for number in range(1, count + 1):
                blocks[f"block{number}"] = Block(inputs, size.width << index, 2 if number == 1 else 1)
                inputs = size.width << index
            setattr(self, f"stage{index + 1}", Chain(blocks))
            side = (side + 1) // 2
        self.head = Head(inputs, side, size.embedding)

    def hybrid_forward(self, F, x):
        x = self.stage2(self.stage1(self.stem(x)))
        return self.head(self.stage4(self.stage3(x)))


class Classes(nn.HybridBlock):
    """The cosines between embeddings and class vectors."""

    def __init__(self, embedding, classes):
        super().__init__()
        self.classes = classes
        self.weight = self.params.get("weight", shape=(classes, embedding))

    def hybrid_forward(self, F, embeddings, weight):
        embeddings = F.L2Normalization(embeddings, eps=EPS)
        return F.FullyConnected(embeddings, F.L2Normalization(weight, eps=EPS), num_hidden=self.classes, no_bias=True)


class ArcFace(nn.HybridBlock):
    def __init__(self, size):
        super().__init__()
        self.backbone = Backbone(size)
        self.classes = Classes(size.embedding, size.classes)
        self.number_of_classes = size.classes

    def hybrid_forward(self, F, images, labels):
        cosines = F.cast(self.classes(self.backbone(images)), "float32")
        right = F.pick(cosines, labels, keepdims=True)
        turn = with_margin(F, right) - right
        logits = cosines + F.broadcast_mul(F.one_hot(labels, self.number_of_classes), turn)
        return mean_cross_entropy(F, SCALE * logits, labels)


def with_margin(F, cosine):
    """cos(θ + margin), or what goes on falling where θ + margin would be beyond π."""
    sine = F.sqrt(F.maximum(1 - F.square(cosine), 1e-12))
    turned = cosine * math.cos(MARGIN) - sine * math.sin(MARGIN)
    return F.where(cosine < math.cos(math.pi - MARGIN), cosine - MARGIN * math.sin(MARGIN), turned)


def build(size):
    return ArcFace(size)
