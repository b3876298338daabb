"""DeepLabV3+ on ResNet-50 at output stride 8."""

import paddle
from paddle import nn
from paddle.nn import functional

from layers import channel_axis, conv, cross_entropy, norm, pool
from trainmark.data import IGNORED
from workloads.resnet50 import Trunk

HAS_LAYOUTS = True

DILATIONS = (12, 24, 36)
AUXILIARY_WEIGHT = 0.4


class ConvNorm(nn.Layer):
    def __init__(self, inputs, outputs, kernel, layout):
        super().__init__()
        self.conv = conv(inputs, outputs, kernel, layout)
        self.norm = norm(outputs, layout)

    def forward(self, x):
        return functional.relu(self.norm(self.conv(x)))


class Separable(nn.Layer):
    def __init__(self, inputs, outputs, layout, dilation=1):
        super().__init__()
        self.depthwise = conv(inputs, inputs, 3, layout, dilation=dilation, groups=inputs)
        self.depthwise_norm = norm(inputs, layout)
        self.pointwise = conv(inputs, outputs, 1, layout)
        self.pointwise_norm = norm(outputs, layout)

    def forward(self, x):
        x = functional.relu(self.depthwise_norm(self.depthwise(x)))
        return functional.relu(self.pointwise_norm(self.pointwise(x)))


class Aspp(nn.Layer):
    def __init__(self, inputs, outputs, layout):
        super().__init__()
        self.point = ConvNorm(inputs, outputs, 1, layout)
        self.dilated1 = Separable(inputs, outputs, layout, DILATIONS[0])
        self.dilated2 = Separable(inputs, outputs, layout, DILATIONS[1])
        self.dilated3 = Separable(inputs, outputs, layout, DILATIONS[2])
        self.pool = ConvNorm(inputs, outputs, 1, layout)
        self.merge = ConvNorm(5 * outputs, outputs, 3, layout)
        self.layout = layout

    def forward(self, x):
        views = [self.point(x), self.dilated1(x), self.dilated2(x), self.dilated3(x)]
        views.append(self.pool(pool(x, self.layout)).expand(views[0].shape))
        return self.merge(paddle.concat(views, axis=channel_axis(self.layout)))


class Decoder(nn.Layer):
    def __init__(self, low_inputs, low, channels, classes, layout):
        super().__init__()
        self.low = ConvNorm(low_inputs, low, 1, layout)
        self.refine1 = Separable(channels + low, channels, layout)
        self.refine2 = Separable(channels, channels, layout)
        self.classify = conv(channels, classes, 1, layout, bias=True)
        self.layout = layout

    def forward(self, high, low):
        high = resize(high, image_size(low, self.layout), self.layout)
        x = paddle.concat([high, self.low(low)], axis=channel_axis(self.layout))
        return self.classify(self.refine2(self.refine1(x)))


class Auxiliary(nn.Layer):
    def __init__(self, inputs, channels, classes, layout):
        super().__init__()
        self.conv = conv(inputs, channels, 3, layout)
        self.norm = norm(channels, layout)
        self.classify = conv(channels, classes, 1, layout, bias=True)

    def forward(self, x):
        return self.classify(functional.relu(self.norm(self.conv(x))))


class DeepLabV3Plus(nn.Layer):
    def __init__(self, size, layout):
        super().__init__()
        self.backbone = Trunk(size.backbone_width, layout, dilations=(1, 1, 2, 4))
        stage1, stage3, stage4 = (size.backbone_width * factor for factor in (4, 16, 32))
        self.aspp = Aspp(stage4, size.channels, layout)
        self.decoder = Decoder(stage1, size.low_level, size.channels, size.classes, layout)
        self.auxiliary = Auxiliary(stage3, size.auxiliary, size.classes, layout)
        self.layout = layout

    def forward(self, images, labels):
        stage1, _, stage3, stage4 = self.backbone(images)
        main = self.decoder(self.aspp(stage4), stage1)
        return self.pixel_loss(main, labels) + AUXILIARY_WEIGHT * self.pixel_loss(self.auxiliary(stage3), labels)

    def pixel_loss(self, logits, labels):
        logits = resize(logits, labels.shape[1:], self.layout)
        return cross_entropy(logits, labels, ignore_index=IGNORED, axis=channel_axis(self.layout))


def image_size(x, layout):
    return [x.shape[layout.index(side)] for side in "HW"]


def resize(x, size, layout):
    return functional.interpolate(x, size=size, mode="bilinear", align_corners=False, data_format=layout)


def build(size, layout):
    return DeepLabV3Plus(size, layout)
