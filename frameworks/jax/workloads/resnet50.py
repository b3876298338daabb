"""ResNet-50 v1.5."""

from typing import Any

import jax.numpy as jnp
import optax
from flax import linen as nn

BLOCKS = (3, 4, 6, 3)
EXPANSION = 4


class Norm(nn.BatchNorm):
    use_running_average: bool = False
    momentum: float = 0.9
    epsilon: float = 1e-5


class Conv(nn.Conv):
    """With the same zeros on both sides: Flax's SAME would have fewer in front where there is a stride."""

    use_bias: bool = False

    def __post_init__(self):
        self.padding = [(size // 2, size // 2) for size in self.kernel_size]
        super().__post_init__()


class Block(nn.Module):
    width: int
    stride: int
    dtype: Any

    @nn.compact
    def __call__(self, x):
        outputs = EXPANSION * self.width
        y = nn.relu(self.conv_norm(x, "conv1", "norm1", self.width, 1))
        y = nn.relu(self.conv_norm(y, "conv2", "norm2", self.width, 3, self.stride))
        y = self.conv_norm(y, "conv3", "norm3", outputs, 1)
        if x.shape != y.shape:
            x = self.conv_norm(x, "shortcut_conv", "shortcut_norm", outputs, 1, self.stride)
        return nn.relu(x + y)

    def conv_norm(self, x, conv, norm, outputs, kernel, stride=1):
        x = Conv(outputs, (kernel, kernel), stride, dtype=self.dtype, name=conv)(x)
        return Norm(dtype=self.dtype, name=norm)(x)


class ResNet50(nn.Module):
    width: int
    classes: int
    dtype: Any

    @nn.compact
    def __call__(self, images, labels):
        x = Conv(self.width, (7, 7), 2, dtype=self.dtype, name="stem.conv")(images)
        x = nn.relu(Norm(dtype=self.dtype, name="stem.norm")(x))
        x = nn.max_pool(x, (3, 3), (2, 2), padding=((1, 1), (1, 1)))
        for stage, blocks in enumerate(BLOCKS):
            for block in range(blocks):
                stride = 2 if stage > 0 and block == 0 else 1
                name = f"stage{stage + 1}.block{block + 1}"
                x = Block(self.width << stage, stride, self.dtype, name=name)(x)
        logits = nn.Dense(self.classes, dtype=self.dtype, name="head.linear")(x.mean((1, 2)))
        return optax.softmax_cross_entropy_with_integer_labels(logits.astype(jnp.float32), labels).mean()


def build(size, dropout, numerics):
    return ResNet50(size.width, size.classes, numerics.dtype)
