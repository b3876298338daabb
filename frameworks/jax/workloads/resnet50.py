"""ResNet-50 v1.5."""

from typing import Any

import jax.numpy as jnp
import optax
from flax import linen as nn

BLOCKS = (3, 4, 6, 3)
EXPANSION = 4


class Conv(nn.Conv):
    """With the same zeros on both sides: Flax's SAME would have fewer in front where there is a stride."""

    use_bias: bool = False

    def __post_init__(self):
        self.padding = [(size // 2, size // 2) for size in self.kernel_size]
        super().__post_init__()


class PointConv(nn.Module):
    """A 1×1 convolution as the matrix product that it is."""

    outputs: int
    stride: int
    dtype: Any

    @nn.compact
    def __call__(self, x):
        kernel = self.param("kernel", nn.initializers.zeros, (1, 1, x.shape[-1], self.outputs))
        x = x[:, :: self.stride, :: self.stride]
        return jnp.dot(x.astype(self.dtype), kernel[0, 0].astype(self.dtype))


def conv_norm(x, conv, norm, outputs, kernel, stride, numerics):
    """`conv`, `norm`: the layers' names. On a CPU XLA's products are faster than its convolutions, above all
    backwards; and a variance by two sums in one pass is less exact there."""
    if kernel == 1 and not numerics.cuda:
        x = PointConv(outputs, stride, numerics.dtype, name=conv)(x)
    else:
        x = Conv(outputs, (kernel, kernel), stride, dtype=numerics.dtype, name=conv)(x)
    settings = {"use_running_average": False, "use_fast_variance": numerics.cuda, "momentum": 0.9, "epsilon": 1e-5}
    return nn.BatchNorm(**settings, dtype=numerics.dtype, name=norm)(x)


class Block(nn.Module):
    width: int
    stride: int
    numerics: Any

    @nn.compact
    def __call__(self, x):
        outputs = EXPANSION * self.width
        y = nn.relu(conv_norm(x, "conv1", "norm1", self.width, 1, 1, self.numerics))
        y = nn.relu(conv_norm(y, "conv2", "norm2", self.width, 3, self.stride, self.numerics))
        y = conv_norm(y, "conv3", "norm3", outputs, 1, 1, self.numerics)
        if x.shape != y.shape:
            x = conv_norm(x, "shortcut_conv", "shortcut_norm", outputs, 1, self.stride, self.numerics)
        return nn.relu(x + y)


class ResNet50(nn.Module):
    width: int
    classes: int
    numerics: Any

    @nn.compact
    def __call__(self, images, labels):
        x = nn.relu(conv_norm(images, "stem.conv", "stem.norm", self.width, 7, 2, self.numerics))
        x = nn.max_pool(x, (3, 3), (2, 2), padding=((1, 1), (1, 1)))
        for stage, blocks in enumerate(BLOCKS):
            for block in range(blocks):
                stride = 2 if stage > 0 and block == 0 else 1
                name = f"stage{stage + 1}.block{block + 1}"
                x = Block(self.width << stage, stride, self.numerics, name=name)(x)
        logits = nn.Dense(self.classes, dtype=self.numerics.dtype, name="head.linear")(x.mean((1, 2)))
        return optax.softmax_cross_entropy_with_integer_labels(logits.astype(jnp.float32), labels).mean()


def build(size, dropout, numerics):
    return ResNet50(size.width, size.classes, numerics)
