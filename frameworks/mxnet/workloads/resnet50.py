"""ResNet-50 v1.5. That of Gluon's own model zoo is v1: it has the stride in the first 1×1 convolution."""

from mxnet.gluon import nn

from layers import Chain, conv, mean_cross_entropy, norm

BLOCKS = (3, 4, 6, 3)
EXPANSION = 4


class Stem(nn.HybridBlock):
    def __init__(self, width):
        super().__init__()
        self.conv = conv(3, width, 7, stride=2)
        self.norm = norm(width)
        self.pool = nn.MaxPool2D(3, 2, 1)

    def hybrid_forward(self, F, images):
        return self.pool(F.relu(self.norm(self.conv(images))))


class Bottleneck(nn.HybridBlock):
    def __init__(self, inputs, inner, outputs, stride=1, begins_stage=False):
        super().__init__()
        self.conv1 = conv(inputs, inner, 1)
        self.norm1 = norm(inner)
        self.conv2 = conv(inner, inner, 3, stride)
        self.norm2 = norm(inner)
        self.conv3 = conv(inner, outputs, 1)
        self.norm3 = norm(outputs)
        self.begins_stage = begins_stage
        if begins_stage:
            self.shortcut_conv = conv(inputs, outputs, 1, stride)
            self.shortcut_norm = norm(outputs)

    def hybrid_forward(self, F, x):
        y = F.relu(self.norm1(self.conv1(x)))
        y = F.relu(self.norm2(self.conv2(y)))
        y = self.norm3(self.conv3(y))
        return F.relu(y + (self.shortcut_norm(self.shortcut_conv(x)) if self.begins_stage else x))


class Head(nn.HybridBlock):
    def __init__(self, channels, classes):
        super().__init__()
        self.pool = nn.GlobalAvgPool2D()
        self.linear = nn.Dense(classes, in_units=channels)

    def hybrid_forward(self, F, x):
        return self.linear(self.pool(x))


class ResNet50(nn.HybridBlock):
    def __init__(self, width, classes):
        super().__init__()
        self.stem = Stem(width)
        inputs = width
        for index, count in enumerate(BLOCKS):
            blocks = {}
            for number in range(1, count + 1):
                place = {"stride": 2 if index else 1, "begins_stage": True} if number == 1 else {}
                outputs = EXPANSION * width << index
                blocks[f"block{number}"] = Bottleneck(inputs, width << index, outputs, **place)
                inputs = outputs
            setattr(self, f"stage{index + 1}", Chain(blocks))
        self.head = Head(inputs, classes)

    def hybrid_forward(self, F, images, labels):
        x = self.stage2(self.stage1(self.stem(images)))
        x = self.stage4(self.stage3(x))
        return mean_cross_entropy(F, self.head(x), labels)


def build(size):
    return ResNet50(size.width, size.classes)
