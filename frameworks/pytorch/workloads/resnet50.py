"""ResNet-50 v1.5: torchvision's."""

from torch import nn
from torch.nn import functional
from torchvision.models.resnet import Bottleneck, ResNet, resnet50

MEMORY_FORMAT = "channels_last"

BLOCKS = (3, 4, 6, 3)
TORCHVISION_WIDTH = 64


class Classifier(nn.Module):
    label_smoothing = 0.0

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, images, labels):
        return functional.cross_entropy(self.network(images).float(), labels, label_smoothing=self.label_smoothing)

    def evaluate(self, images, labels):
        logits = self.network(images).float()
        return {
            "predictions": logits.argmax(1),
            "labels": labels,
            "losses": functional.cross_entropy(logits, labels, reduction="sum"),
        }


class NarrowResNet50(ResNet):
    """torchvision has one width only; another is made of its own parts."""

    def __init__(self, width, **settings):
        super().__init__(Bottleneck, BLOCKS, **settings)
        self.inplanes = width
        self.dilation = 1
        self.conv1 = nn.Conv2d(3, width, kernel_size=7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        dilate = settings.get("replace_stride_with_dilation") or (False, False, False)
        self.layer1 = self._make_layer(Bottleneck, width, BLOCKS[0])
        self.layer2 = self._make_layer(Bottleneck, 2 * width, BLOCKS[1], stride=2, dilate=dilate[0])
        self.layer3 = self._make_layer(Bottleneck, 4 * width, BLOCKS[2], stride=2, dilate=dilate[1])
        self.layer4 = self._make_layer(Bottleneck, 8 * width, BLOCKS[3], stride=2, dilate=dilate[2])
        self.fc = nn.Linear(8 * width * Bottleneck.expansion, self.fc.out_features)


def build_resnet50(width, **settings):
    if width == TORCHVISION_WIDTH:
        return resnet50(**settings)
    return NarrowResNet50(width, **settings)


def build(size, dropout):
    return Classifier(build_resnet50(size.width, num_classes=size.classes))


def trunk_names(ours, theirs):
    """Everything but the head; timm has the same names as torchvision."""
    table = {f"{ours}stem.conv": f"{theirs}conv1", f"{ours}stem.norm": f"{theirs}bn1"}
    for stage, blocks in enumerate(BLOCKS, 1):
        for block in range(blocks):
            our_block, their_block = block_names(ours, theirs, stage, block)
            for number in (1, 2, 3):
                table[f"{our_block}.conv{number}"] = f"{their_block}.conv{number}"
                table[f"{our_block}.norm{number}"] = f"{their_block}.bn{number}"
        our_block, their_block = block_names(ours, theirs, stage, 0)
        table[f"{our_block}.shortcut_conv"] = f"{their_block}.downsample.0"
        table[f"{our_block}.shortcut_norm"] = f"{their_block}.downsample.1"
    return table


def block_names(ours, theirs, stage, block):
    return f"{ours}stage{stage}.block{block + 1}", f"{theirs}layer{stage}.{block}"


def names(model):
    return {**trunk_names("", "network."), "head.linear": "network.fc"}
