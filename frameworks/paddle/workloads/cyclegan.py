"""CycleGAN: two ResNet-9 generators, two PatchGAN discriminators."""

import paddle
from paddle import nn
from paddle.nn import functional

from layers import conv
from trainmark.phases import Phase

# PaddlePaddle's instance norm knows NCHW only.
HAS_LAYOUTS = False

BLOCKS = 9
CYCLE_WEIGHT = 10
IDENTITY_WEIGHT = 5


def norm_relu(x):
    return functional.relu(functional.instance_norm(x))


def reflect(x, padding):
    return functional.pad(x, [padding] * 4, mode="reflect")


class Block(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.conv1 = conv(width, width, 3, padding=0)
        self.conv2 = conv(width, width, 3, padding=0)

    def forward(self, x):
        y = norm_relu(self.conv1(reflect(x, 1)))
        return x + functional.instance_norm(self.conv2(reflect(y, 1)))


class Generator(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.stem = conv(3, width, 7, padding=0)
        self.down1 = conv(width, 2 * width, 3, stride=2)
        self.down2 = conv(2 * width, 4 * width, 3, stride=2)
        self.blocks = [f"block{number}" for number in range(1, BLOCKS + 1)]
        for name in self.blocks:
            self.add_sublayer(name, Block(4 * width))
        up = {"kernel_size": 3, "stride": 2, "padding": 1, "output_padding": 1, "bias_attr": False}
        self.up1 = nn.Conv2DTranspose(4 * width, 2 * width, **up)
        self.up2 = nn.Conv2DTranspose(2 * width, width, **up)
        self.head = conv(width, 3, 7, padding=0, bias=True)

    def forward(self, image):
        x = norm_relu(self.stem(reflect(image, 3)))
        x = norm_relu(self.down2(norm_relu(self.down1(x))))
        for name in self.blocks:
            x = getattr(self, name)(x)
        x = norm_relu(self.up2(norm_relu(self.up1(x))))
        return paddle.tanh(self.head(reflect(x, 3)))


class Discriminator(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.conv1 = conv(3, width, 4, stride=2, padding=1, bias=True)
        self.conv2 = conv(width, 2 * width, 4, stride=2, padding=1)
        self.conv3 = conv(2 * width, 4 * width, 4, stride=2, padding=1)
        self.conv4 = conv(4 * width, 8 * width, 4, padding=1)
        self.conv5 = conv(8 * width, 1, 4, padding=1, bias=True)

    def forward(self, image):
        x = functional.leaky_relu(self.conv1(image), 0.2)
        for middle in (self.conv2, self.conv3, self.conv4):
            x = functional.leaky_relu(functional.instance_norm(middle(x)), 0.2)
        return self.conv5(x)


class CycleGan(nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.generator_ab = Generator(width)
        self.generator_ba = Generator(width)
        self.discriminator_a = Discriminator(width)
        self.discriminator_b = Discriminator(width)

    def phases(self):
        generators = [*self.generator_ab.parameters(), *self.generator_ba.parameters()]
        discriminators = [*self.discriminator_a.parameters(), *self.discriminator_b.parameters()]
        return [Phase(self.generator_loss, generators), Phase(self.discriminator_loss, discriminators)]

    def generator_loss(self, images_a, images_b):
        """And the images that were made: the discriminators judge these, not ones of generators that have learned.

        A generator is shown both of its images in one pass: instance norm knows no batch, so the mathematics is the
        same, and one pass of two images is faster than two of one."""
        made_b, same_b = show_both(self.generator_ab, images_a, images_b)
        made_a, same_a = show_both(self.generator_ba, images_b, images_a)
        fooled = real_loss(self.discriminator_b(made_b)) + real_loss(self.discriminator_a(made_a))
        cycle = distance(self.generator_ba(made_b), images_a) + distance(self.generator_ab(made_a), images_b)
        identity = distance(same_a, images_a) + distance(same_b, images_b)
        loss = fooled + CYCLE_WEIGHT * cycle + IDENTITY_WEIGHT * identity
        return loss, {"made_a": made_a.detach(), "made_b": made_b.detach()}

    def discriminator_loss(self, images_a, images_b, made_a, made_b):
        loss_a = judge_loss(self.discriminator_a, images_a, made_a)
        loss_b = judge_loss(self.discriminator_b, images_b, made_b)
        return 0.5 * (loss_a + loss_b)


def show_both(network, one, other):
    return network(paddle.concat([one, other])).chunk(2)


def judge_loss(discriminator, real, made):
    of_real, of_made = show_both(discriminator, real, made)
    return real_loss(of_real) + made_loss(of_made)


def real_loss(scores):
    return (scores.astype("float32") - 1).square().mean()


def made_loss(scores):
    return scores.astype("float32").square().mean()


def distance(image, original):
    return functional.l1_loss(image.astype("float32"), original.astype("float32"))


def build(size, dropout):
    return CycleGan(size.width)
