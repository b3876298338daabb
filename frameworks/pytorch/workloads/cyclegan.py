"""CycleGAN: two ResNet-9 generators, two PatchGAN discriminators."""

from torch import nn
from torch.nn import functional

from tensors import own_names
from trainmark.phases import Phase

# PyTorch's instance norm takes and gives channels first, whatever comes: channels_last would be turned round twice
# at each of them. It would also be wrong: on the CPU (2.11) the norm's backward pass misreads a channels_last gradient
# of a single image.
MEMORY_FORMAT = "contiguous"

BLOCKS = 9
CYCLE_WEIGHT = 10
IDENTITY_WEIGHT = 5


def norm_relu(x):
    return functional.relu(functional.instance_norm(x), inplace=True)


def reflect(x, padding):
    return functional.pad(x, (padding,) * 4, mode="reflect")


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, bias=False)
        self.conv2 = nn.Conv2d(width, width, 3, bias=False)

    def forward(self, x):
        y = norm_relu(self.conv1(reflect(x, 1)))
        return x + functional.instance_norm(self.conv2(reflect(y, 1)))


class Generator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, bias=False)
        self.down1 = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1, bias=False)
        self.down2 = nn.Conv2d(2 * width, 4 * width, 3, stride=2, padding=1, bias=False)
        self.blocks = [f"block{number}" for number in range(1, BLOCKS + 1)]
        for name in self.blocks:
            self.add_module(name, Block(4 * width))
        up = {"kernel_size": 3, "stride": 2, "padding": 1, "output_padding": 1, "bias": False}
        self.up1 = nn.ConvTranspose2d(4 * width, 2 * width, **up)
        self.up2 = nn.ConvTranspose2d(2 * width, width, **up)
        self.head = nn.Conv2d(width, 3, 7)

    def forward(self, image):
        x = norm_relu(self.stem(reflect(image, 3)))
        x = norm_relu(self.down2(norm_relu(self.down1(x))))
        for name in self.blocks:
            x = getattr(self, name)(x)
        x = norm_relu(self.up2(norm_relu(self.up1(x))))
        return self.head(reflect(x, 3)).tanh()


class Discriminator(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 4, stride=2, padding=1)
        self.conv2 = nn.Conv2d(width, 2 * width, 4, stride=2, padding=1, bias=False)
        self.conv3 = nn.Conv2d(2 * width, 4 * width, 4, stride=2, padding=1, bias=False)
        self.conv4 = nn.Conv2d(4 * width, 8 * width, 4, padding=1, bias=False)
        self.conv5 = nn.Conv2d(8 * width, 1, 4, padding=1)

    def forward(self, image):
        x = functional.leaky_relu(self.conv1(image), 0.2, inplace=True)
        for conv in (self.conv2, self.conv3, self.conv4):
            x = functional.leaky_relu(functional.instance_norm(conv(x)), 0.2, inplace=True)
        return self.conv5(x)


class CycleGan(nn.Module):
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
        """And the images that were made: the discriminators judge these, not ones of generators that have learned."""
        to_a, to_b = self.generator_ba, self.generator_ab
        made_b, made_a = to_b(images_a), to_a(images_b)
        fooled = real_loss(self.discriminator_b(made_b)) + real_loss(self.discriminator_a(made_a))
        cycle = distance(to_a(made_b), images_a) + distance(to_b(made_a), images_b)
        identity = distance(to_a(images_a), images_a) + distance(to_b(images_b), images_b)
        loss = fooled + CYCLE_WEIGHT * cycle + IDENTITY_WEIGHT * identity
        return loss, {"made_a": made_a.detach(), "made_b": made_b.detach()}

    def discriminator_loss(self, images_a, images_b, made_a, made_b):
        judge_a, judge_b = self.discriminator_a, self.discriminator_b
        loss_a = real_loss(judge_a(images_a)) + made_loss(judge_a(made_a))
        loss_b = real_loss(judge_b(images_b)) + made_loss(judge_b(made_b))
        return 0.5 * (loss_a + loss_b)

    def evaluate(self, images_a, images_b):
        made = {"made_a": self.generator_ba(images_b), "made_b": self.generator_ab(images_a)}
        return {"images_a": images_a, "images_b": images_b, **made}


def real_loss(scores):
    return (scores.float() - 1).square().mean()


def made_loss(scores):
    return scores.float().square().mean()


def distance(image, original):
    return functional.l1_loss(image.float(), original.float())


def build(size, dropout):
    return CycleGan(size.width)


names = own_names
