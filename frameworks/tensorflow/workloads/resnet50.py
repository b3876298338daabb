"""ResNet-50 v1.5."""

import tensorflow as tf

from layers import BatchNorm, Conv, Layer, Linear, PointConv, cross_entropy

BLOCKS = (3, 4, 6, 3)
EXPANSION = 4


class ConvNorm:
    """A convolution and its norm, which are layers of `owner` under the given names."""

    def __init__(self, owner, conv, norm, inputs, outputs, kernel, stride, xla):
        # XLA's products are faster than its convolutions on a CPU; oneDNN, without XLA, needs no such help.
        if kernel == 1 and xla:
            self.conv = owner.add(conv, PointConv(inputs, outputs, stride, owner.dtype))
        else:
            self.conv = owner.add(conv, Conv(inputs, outputs, kernel, stride, kernel // 2, dtype=owner.dtype))
        self.norm = owner.add(norm, BatchNorm(outputs))

    def __call__(self, x):
        return self.norm(self.conv(x))


class Block(Layer):
    def __init__(self, inputs, width, stride, dtype, xla):
        super().__init__(dtype)
        outputs = EXPANSION * width
        self.branch = (
            ConvNorm(self, "conv1", "norm1", inputs, width, 1, 1, xla),
            ConvNorm(self, "conv2", "norm2", width, width, 3, stride, xla),
            ConvNorm(self, "conv3", "norm3", width, outputs, 1, 1, xla),
        )
        self.shortcut = None
        if inputs != outputs:
            self.shortcut = ConvNorm(self, "shortcut_conv", "shortcut_norm", inputs, outputs, 1, stride, xla)

    def __call__(self, x):
        first, second, third = self.branch
        y = third(tf.nn.relu(second(tf.nn.relu(first(x)))))
        return tf.nn.relu(y + (self.shortcut(x) if self.shortcut else x))


class Head(Layer):
    def __init__(self, inputs, classes, dtype):
        super().__init__(dtype)
        self.linear = Linear(inputs, classes, dtype)

    def __call__(self, x):
        return self.linear(tf.reduce_mean(x, [1, 2]))


class ResNet50(Layer):
    def __init__(self, width, classes, dtype, xla):
        super().__init__(dtype)
        self.stem = ConvNorm(self, "stem.conv", "stem.norm", 3, width, 7, 2, xla)
        self.blocks = []
        inputs = width
        for stage, blocks in enumerate(BLOCKS):
            for number in range(blocks):
                stride = 2 if stage > 0 and number == 0 else 1
                block = Block(inputs, width << stage, stride, dtype, xla)
                self.blocks.append(self.add(f"stage{stage + 1}.block{number + 1}", block))
                inputs = EXPANSION * width << stage
        self.head = Head(inputs, classes, dtype)

    def __call__(self, images, labels):
        # Zeros change nothing, since there are no negative numbers; XLA has no pooling with a padding of its own.
        x = tf.pad(tf.nn.relu(self.stem(images)), [[0, 0], [1, 1], [1, 1], [0, 0]])
        x = tf.nn.max_pool2d(x, 3, 2, "VALID")
        for block in self.blocks:
            x = block(x)
        return cross_entropy(self.head(x), labels)


def build(size, dropout, dtype, xla):
    return ResNet50(size.width, size.classes, dtype, xla)
