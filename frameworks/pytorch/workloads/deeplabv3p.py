"""DeepLabV3+ on torchvision's ResNet-50 at output stride 8."""

import torch
from torch import nn
from torch.nn import functional

from tensors import own_names
from trainmark.data import IGNORED
from workloads.resnet50 import build_resnet50, trunk_names

MEMORY_FORMAT = "channels_last"

DILATIONS = (12, 24, 36)
AUXILIARY_WEIGHT = 0.4


class ConvNorm(nn.Module):
    def __init__(self, inputs, outputs, kernel):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return functional.relu(self.norm(self.conv(x)), inplace=True)


class Separable(nn.Module):
    def __init__(self, inputs, outputs, dilation=1):
        super().__init__()
        self.depthwise = nn.Conv2d(inputs, inputs, 3, padding=dilation, dilation=dilation, groups=inputs, bias=False)
        self.depthwise_norm = nn.BatchNorm2d(inputs)
        self.pointwise = nn.Conv2d(inputs, outputs, 1, bias=False)
        self.pointwise_norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        x = functional.relu(self.depthwise_norm(self.depthwise(x)), inplace=True)
        return functional.relu(self.pointwise_norm(self.pointwise(x)), inplace=True)


class Aspp(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.point = ConvNorm(inputs, outputs, 1)
        self.dilated1 = Separable(inputs, outputs, DILATIONS[0])
        self.dilated2 = Separable(inputs, outputs, DILATIONS[1])
        self.dilated3 = Separable(inputs, outputs, DILATIONS[2])
        self.pool = ConvNorm(inputs, outputs, 1)
        self.merge = ConvNorm(5 * outputs, outputs, 3)

    def forward(self, x):
        pooled = self.pool(functional.adaptive_avg_pool2d(x, 1)).expand(-1, -1, *x.shape[2:])
        views = [self.point(x), self.dilated1(x), self.dilated2(x), self.dilated3(x), pooled]
        return self.merge(torch.cat(views, dim=1))


class Decoder(nn.Module):
    def __init__(self, low_inputs, low, channels, classes):
        super().__init__()
        self.low = ConvNorm(low_inputs, low, 1)
        self.refine1 = Separable(channels + low, channels)
        self.refine2 = Separable(channels, channels)
        self.classify = nn.Conv2d(channels, classes, 1)

    def forward(self, high, low):
        x = torch.cat([resize(high, low.shape[2:]), self.low(low)], dim=1)
        return self.classify(self.refine2(self.refine1(x)))


class Auxiliary(nn.Module):
    def __init__(self, inputs, channels, classes):
        super().__init__()
        self.conv = nn.Conv2d(inputs, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.classify = nn.Conv2d(channels, classes, 1)

    def forward(self, x):
        return self.classify(functional.relu(self.norm(self.conv(x)), inplace=True))


class DeepLabV3Plus(nn.Module):
    label_smoothing = 0.0

    def __init__(self, size):
        super().__init__()
        self.backbone = build_resnet50(size.backbone_width, replace_stride_with_dilation=[False, True, True])
        del self.backbone.fc
        stage1, stage3, stage4 = (size.backbone_width * factor for factor in (4, 16, 32))
        self.aspp = Aspp(stage4, size.channels)
        self.decoder = Decoder(stage1, size.low_level, size.channels, size.classes)
        self.auxiliary = Auxiliary(stage3, size.auxiliary, size.classes)

    def forward(self, images, labels):
        main, stage3 = self.decode(images)
        loss = pixel_loss(main, labels, self.label_smoothing)
        return loss + AUXILIARY_WEIGHT * pixel_loss(self.auxiliary(stage3), labels, self.label_smoothing)

    def decode(self, images):
        """And what the auxiliary head sees."""
        trunk = self.backbone
        stage1 = trunk.layer1(trunk.maxpool(trunk.relu(trunk.bn1(trunk.conv1(images)))))
        stage3 = trunk.layer3(trunk.layer2(stage1))
        stage4 = trunk.layer4(stage3)
        return self.decoder(self.aspp(stage4), stage1), stage3

    def evaluate(self, images, labels):
        logits = resize(self.decode(images)[0], labels.shape[1:]).float()
        return {
            "predictions": logits.argmax(1),
            "labels": labels,
            "losses": functional.cross_entropy(logits, labels, ignore_index=IGNORED, reduction="sum"),
        }


def resize(x, size):
    return functional.interpolate(x, size=size, mode="bilinear", align_corners=False)


def pixel_loss(logits, labels, smoothing):
    logits = resize(logits, labels.shape[1:]).float()
    return functional.cross_entropy(logits, labels, ignore_index=IGNORED, label_smoothing=smoothing)


def build(size, dropout):
    return DeepLabV3Plus(size)


def names(model):
    heads = {
        f"{head}.{path}": f"{head}.{path}"
        for head in ("aspp", "decoder", "auxiliary")
        for path in own_names(model.get_submodule(head))
    }
    return {**trunk_names("backbone.", "backbone."), **heads}
