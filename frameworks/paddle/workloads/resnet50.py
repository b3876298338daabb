"""ResNet-50 v1.5."""

from paddle import nn
from paddle.nn import functional

from layers import Chain, conv, cross_entropy, norm, pool, smoothed_cross_entropy

HAS_LAYOUTS = True

BLOCKS = (3, 4, 6, 3)
EXPANSION = 4


class Stem(nn.Layer):
    def __init__(self, width, layout):
        super().__init__()
        self.conv = conv(3, width, 7, layout, stride=2)
        self.norm = norm(width, layout)
        self.layout = layout

    def forward(self, images):
        x = functional.relu(self.norm(self.conv(images)))
        return functional.max_pool2d(x, 3, stride=2, padding=1, data_format=self.layout)


class Bottleneck(nn.Layer):
    """`squeeze`: makes what weighs the channels before the residual is added, of their number."""

    def __init__(
        self, inputs, inner, outputs, layout, stride=1, dilation=1, groups=1, begins_stage=False, squeeze=None
    ):
        super().__init__()
        self.conv1 = conv(inputs, inner, 1, layout)
        self.norm1 = norm(inner, layout)
        self.conv2 = conv(inner, inner, 3, layout, stride=stride, dilation=dilation, groups=groups)
        self.norm2 = norm(inner, layout)
        self.conv3 = conv(inner, outputs, 1, layout)
        self.norm3 = norm(outputs, layout)
        self.begins_stage = begins_stage
        if begins_stage:
            self.shortcut_conv = conv(inputs, outputs, 1, layout, stride=stride)
            self.shortcut_norm = norm(outputs, layout)
        self.squeeze = squeeze(outputs) if squeeze else None

    def forward(self, x):
        y = functional.relu(self.norm1(self.conv1(x)))
        y = functional.relu(self.norm2(self.conv2(y)))
        y = self.norm3(self.conv3(y))
        if self.squeeze is not None:
            y = self.squeeze(y)
        return functional.relu(y + (self.shortcut_norm(self.shortcut_conv(x)) if self.begins_stage else x))


class Trunk(nn.Layer):
    """Everything but the head. `dilations`: of each stage; one above 1 stands in for the stage's stride."""

    def __init__(self, width, layout, inner_factor=1, dilations=(1, 1, 1, 1), **settings):
        super().__init__()
        self.stem = Stem(width, layout)
        inputs, before = width, 1
        for index, (blocks, dilation) in enumerate(zip(BLOCKS, dilations)):
            channels = width << index
            stride = 1 if index == 0 or dilation > 1 else 2
            stage = []
            for number in range(blocks):
                first = {"stride": stride, "dilation": before, "begins_stage": True}
                place = {"dilation": dilation} if number else first
                outputs = EXPANSION * channels
                stage.append(Bottleneck(inputs, inner_factor * channels, outputs, layout, **place, **settings))
                inputs = outputs
            self.add_sublayer(f"stage{index + 1}", Chain("block", stage))
            before = dilation

    def forward(self, images):
        """What each stage gives."""
        stage1 = self.stage1(self.stem(images))
        stage2 = self.stage2(stage1)
        stage3 = self.stage3(stage2)
        return stage1, stage2, stage3, self.stage4(stage3)


class Head(nn.Layer):
    def __init__(self, channels, classes, layout):
        super().__init__()
        self.linear = nn.Linear(channels, classes)
        self.layout = layout

    def forward(self, x):
        return self.linear(pool(x, self.layout).flatten(1))


class Classifier(Trunk):
    label_smoothing = 0.0

    def __init__(self, width, classes, layout, **settings):
        super().__init__(width, layout, **settings)
        self.head = Head(8 * EXPANSION * width, classes, layout)

    def forward(self, images, labels):
        logits = self.classify(images)
        if self.label_smoothing:
            return smoothed_cross_entropy(logits, labels, self.label_smoothing)
        return cross_entropy(logits, labels)

    def classify(self, images):
        *_, stage4 = super().forward(images)
        return self.head(stage4)

    def evaluate(self, images, labels):
        logits = self.classify(images)
        losses = cross_entropy(logits, labels, reduction="sum")
        return {"predictions": logits.argmax(axis=1), "labels": labels, "losses": losses}


def build(size, layout):
    return Classifier(size.width, size.classes, layout)
