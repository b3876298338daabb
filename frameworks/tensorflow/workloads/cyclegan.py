"""CycleGAN: two ResNet-9 generators, two PatchGAN discriminators.

A network sees two batches of images in one pass where the second does not depend on the first: instance norm knows no
batch, so the mathematics is the same.
"""

import tensorflow as tf

from layers import Conv, Layer
from trainmark.phases import Phase

BLOCKS = 9
CYCLE_WEIGHT = 10
IDENTITY_WEIGHT = 5
EPS = 1e-5


def instance_norm(x):
    y = tf.cast(x, tf.float32)
    mean, variance = tf.nn.moments(y, axes=[1, 2], keepdims=True)
    return tf.cast(tf.nn.batch_normalization(y, mean, variance, None, None, EPS), x.dtype)


def norm_relu(x):
    return tf.nn.relu(instance_norm(x))


def reflect(x, padding):
    return tf.pad(x, [[0, 0], [padding] * 2, [padding] * 2, [0, 0]], mode="REFLECT")


class Up(Layer):
    """A transposed 3×3 convolution of stride 2, padding 1, output padding 1."""

    def __init__(self, inputs, outputs, dtype):
        super().__init__(dtype)
        self.kernel = tf.Variable(tf.zeros([3, 3, outputs, inputs]))

    def __call__(self, x):
        batch, height, width, _ = x.shape
        shape = [batch, 2 * height, 2 * width, self.kernel.shape[2]]
        padding = [[0, 0], [1, 1], [1, 1], [0, 0]]
        return tf.nn.conv2d_transpose(x, self.rounded(self.kernel), shape, 2, padding)


class Block(Layer):
    def __init__(self, width, dtype):
        super().__init__(dtype)
        self.conv1 = Conv(width, width, 3, dtype=dtype)
        self.conv2 = Conv(width, width, 3, dtype=dtype)

    def __call__(self, x):
        y = norm_relu(self.conv1(reflect(x, 1)))
        return x + instance_norm(self.conv2(reflect(y, 1)))


class Generator(Layer):
    def __init__(self, width, dtype):
        super().__init__(dtype)
        self.stem = Conv(3, width, 7, dtype=dtype)
        self.down1 = Conv(width, 2 * width, 3, 2, padding=1, dtype=dtype)
        self.down2 = Conv(2 * width, 4 * width, 3, 2, padding=1, dtype=dtype)
        self.blocks = [self.add(f"block{number}", Block(4 * width, dtype)) for number in range(1, BLOCKS + 1)]
        self.up1 = Up(4 * width, 2 * width, dtype)
        self.up2 = Up(2 * width, width, dtype)
        self.head = Conv(width, 3, 7, bias=True, dtype=dtype)

    def __call__(self, images):
        x = norm_relu(self.stem(reflect(images, 3)))
        x = norm_relu(self.down2(norm_relu(self.down1(x))))
        for block in self.blocks:
            x = block(x)
        x = norm_relu(self.up2(norm_relu(self.up1(x))))
        return tf.cast(tf.tanh(self.head(reflect(x, 3))), tf.float32)


class Discriminator(Layer):
    def __init__(self, width, dtype):
        super().__init__(dtype)
        self.conv1 = Conv(3, width, 4, 2, padding=1, bias=True, dtype=dtype)
        self.conv2 = Conv(width, 2 * width, 4, 2, padding=1, dtype=dtype)
        self.conv3 = Conv(2 * width, 4 * width, 4, 2, padding=1, dtype=dtype)
        self.conv4 = Conv(4 * width, 8 * width, 4, padding=1, dtype=dtype)
        self.conv5 = Conv(8 * width, 1, 4, padding=1, bias=True, dtype=dtype)

    def __call__(self, images):
        x = tf.nn.leaky_relu(self.conv1(images), 0.2)
        for conv in (self.conv2, self.conv3, self.conv4):
            x = tf.nn.leaky_relu(instance_norm(conv(x)), 0.2)
        return tf.cast(self.conv5(x), tf.float32)


class CycleGan(Layer):
    def __init__(self, width, dtype):
        super().__init__(dtype)
        self.generator_ab = Generator(width, dtype)
        self.generator_ba = Generator(width, dtype)
        self.discriminator_a = Discriminator(width, dtype)
        self.discriminator_b = Discriminator(width, dtype)

    def phases(self):
        generators = [*self.generator_ab.parameters(), *self.generator_ba.parameters()]
        discriminators = [*self.discriminator_a.parameters(), *self.discriminator_b.parameters()]
        return [Phase(self.generator_loss, generators), Phase(self.discriminator_loss, discriminators)]

    def generator_loss(self, images_a, images_b):
        """And the images that were made: the discriminators judge these, not ones of generators that have learned."""
        made_b, same_b = both(self.generator_ab, images_a, images_b)
        made_a, same_a = both(self.generator_ba, images_b, images_a)
        fooled = real_loss(self.discriminator_b(made_b)) + real_loss(self.discriminator_a(made_a))
        back_a, back_b = self.generator_ba(made_b), self.generator_ab(made_a)
        cycle = distance(back_a, images_a) + distance(back_b, images_b)
        identity = distance(same_a, images_a) + distance(same_b, images_b)
        loss = fooled + CYCLE_WEIGHT * cycle + IDENTITY_WEIGHT * identity
        return loss, {"made_a": made_a, "made_b": made_b}

    def discriminator_loss(self, images_a, images_b, made_a, made_b):
        real_a, fake_a = both(self.discriminator_a, images_a, made_a)
        real_b, fake_b = both(self.discriminator_b, images_b, made_b)
        return 0.5 * (real_loss(real_a) + made_loss(fake_a) + real_loss(real_b) + made_loss(fake_b))


def both(network, one, other):
    return tf.split(network(tf.concat([one, other], axis=0)), 2)


def real_loss(scores):
    return tf.reduce_mean(tf.square(scores - 1))


def made_loss(scores):
    return tf.reduce_mean(tf.square(scores))


def distance(image, original):
    return tf.reduce_mean(tf.abs(image - original))


def build(size, dropout, dtype, xla):
    return CycleGan(size.width, dtype)
