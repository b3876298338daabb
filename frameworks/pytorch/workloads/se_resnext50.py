"""SE-ResNeXt-50: timm's."""

from functools import partial

from timm.layers import SEModule
from timm.models.resnet import Bottleneck, ResNet, make_blocks
from torch import nn

from tensors import Linear
from workloads.resnet50 import BLOCKS, Classifier, block_names, trunk_names

MEMORY_FORMAT = "channels_last"

TIMM_WIDTH = 64

# A divisor of 1: of few channels, too, exactly a sixteenth is left.
squeeze = partial(SEModule, rd_ratio=1 / 16, rd_divisor=1)


class NarrowResNet(ResNet):
    """timm's stem has one width only; with another, the stages after it are made again."""

    def __init__(self, width, channels, block_args, cardinality, base_width, **settings):
        shape = {"cardinality": cardinality, "base_width": base_width}
        super().__init__(Bottleneck, BLOCKS, channels=channels, block_args=block_args, **shape, **settings)
        self.conv1 = nn.Conv2d(3, width, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        stages, _ = make_blocks(
            (Bottleneck,) * len(BLOCKS), channels, BLOCKS, width, norm_layer=nn.BatchNorm2d, **shape, **block_args
        )
        for name, stage in stages:
            setattr(self, name, stage)


def build(size, dropout):
    settings = {
        "num_classes": size.classes,
        "cardinality": size.groups,
        "base_width": 2 * TIMM_WIDTH // size.groups,  # of a group, where a stage has 64 channels
        "block_args": {"attn_layer": squeeze},
    }
    if size.width == TIMM_WIDTH:
        return Classifier(ResNet(Bottleneck, BLOCKS, **settings))
    channels = tuple(size.width << stage for stage in range(len(BLOCKS)))
    return Classifier(NarrowResNet(size.width, channels, **settings))


def names(model):
    table = {**trunk_names("", "network."), "head.linear": "network.fc"}
    for stage, blocks in enumerate(BLOCKS, 1):
        for block in range(blocks):
            ours, theirs = block_names("", "network.", stage, block)
            table[f"{ours}.squeeze.reduce"] = Linear(f"{theirs}.se.fc1")
            table[f"{ours}.squeeze.expand"] = Linear(f"{theirs}.se.fc2")
    return table
