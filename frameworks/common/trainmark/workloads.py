"""The contract of docs/workloads.md as data: titles, units, sizes and optimizers of all workloads."""

from types import SimpleNamespace
from typing import Dict, NamedTuple, Tuple, Union


class Sgd(NamedTuple):
    learning_rate: float
    momentum: float
    weight_decay: float


class Adam(NamedTuple):
    learning_rate: float
    betas: Tuple[float, float]
    eps: float


class AdamW(NamedTuple):
    learning_rate: float
    betas: Tuple[float, float]
    eps: float
    weight_decay: float


class Workload(NamedTuple):
    title: str
    unit: str  # of items, what a batch is counted in
    sizes: Dict[str, SimpleNamespace]  # each with `batch`, and whatever the workload's table has
    optimizer: Union[Sgd, Adam, AdamW]
    dropout: float = 0.0  # 0: it has none
    smallest_batch: int = 1


def _sizes(columns, **rows):
    names = columns.split()
    return {size: SimpleNamespace(**dict(zip(names, row))) for size, row in rows.items()}


WORKLOADS = {
    "resnet50": Workload(
        title="ResNet-50 v1.5",
        unit="images",
        sizes=_sizes(
            "side width classes batch",
            full=(224, 64, 1000, 128),
            small=(112, 64, 1000, 8),
            tiny=(64, 8, 10, 8),
        ),
        optimizer=Sgd(1e-4, momentum=0.9, weight_decay=1e-4),
    ),
    "se_resnext50": Workload(
        title="SE-ResNeXt-50 32×4d",
        unit="images",
        sizes=_sizes(
            "side width groups classes batch",
            full=(224, 64, 32, 1000, 128),
            small=(112, 64, 32, 1000, 4),
            tiny=(64, 8, 4, 10, 8),
        ),
        optimizer=Sgd(1e-4, momentum=0.9, weight_decay=1e-4),
    ),
    "deeplabv3p": Workload(
        title="DeepLabV3+ on ResNet-50",
        unit="samples",
        sizes=_sizes(
            "height width backbone_width channels low_level auxiliary classes batch",
            full=(512, 1024, 64, 512, 48, 256, 19, 4),
            small=(128, 128, 64, 512, 48, 256, 19, 2),
            tiny=(32, 64, 8, 64, 6, 32, 19, 4),
        ),
        optimizer=Sgd(1e-4, momentum=0.9, weight_decay=5e-4),
        smallest_batch=2,  # the norm behind the pooled mean needs two numbers a channel
    ),
    "bert": Workload(
        title="BERT-base pre-training",
        unit="sequences",
        sizes=_sizes(
            "layers width heads feed_forward vocabulary tokens masked batch",
            full=(12, 768, 12, 3072, 30522, 128, 20, 96),
            small=(4, 512, 8, 2048, 30522, 64, 10, 8),
            tiny=(2, 32, 2, 128, 100, 16, 4, 4),
        ),
        optimizer=AdamW(1e-4, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01),
        dropout=0.1,
    ),
    "transformer": Workload(
        title="Transformer-big",
        unit="tokens",
        sizes=_sizes(
            "layers width heads feed_forward vocabulary tokens batch",
            full=(6, 1024, 16, 4096, 33712, 32, 5120),
            small=(3, 512, 8, 2048, 8428, 32, 256),
            tiny=(2, 32, 2, 128, 100, 8, 32),
        ),
        optimizer=Adam(1e-4, betas=(0.9, 0.98), eps=1e-9),
        dropout=0.1,
    ),
    "cyclegan": Workload(
        title="CycleGAN",
        unit="samples",
        sizes=_sizes("side width batch", full=(256, 64, 1), small=(64, 32, 1), tiny=(64, 4, 4)),
        optimizer=Adam(2e-4, betas=(0.5, 0.999), eps=1.0),
    ),
    "arcface": Workload(
        title="ArcFace on IResNet-50",
        unit="faces",
        sizes=_sizes(
            "side width embedding classes batch",
            full=(112, 64, 512, 85742, 128),
            small=(56, 64, 512, 8574, 8),
            tiny=(32, 8, 32, 100, 4),
        ),
        optimizer=Sgd(1e-4, momentum=0.9, weight_decay=5e-4),
    ),
}
