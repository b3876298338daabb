"""The models against what others say of them."""

import unittest

import support

support.use_framework("paddle")


@support.needs("paddle")
class Models(unittest.TestCase):
    def setUp(self):
        self.contracts = support.contracts()
        self.build = lambda name, size: support.code_of(name).build(self.contracts[name].sizes[size], "NCHW")

    def test_resnet50_is_that_of_paddle_vision(self):
        import paddle
        from paddle.vision.models import resnet50

        ours, theirs = self.build("resnet50", "full"), resnet50()
        own = ours.state_dict()
        theirs.set_state_dict({name: own[our_name(name)] for name in theirs.state_dict()})
        images, labels = paddle.randn([2, 3, 64, 64]), paddle.to_tensor([1, 2])
        expected = paddle.nn.functional.cross_entropy(theirs(images), labels)
        self.assertAlmostEqual(float(ours(images, labels)), float(expected), places=4)

    def test_flops_are_those_that_others_count(self):
        from flops import flops_per_item
        from trainmark.data import make_batch

        def count(name):
            workload = self.contracts[name]
            arrays = make_batch(workload, workload.sizes["full"], 1, 0, 2)
            return flops_per_item(lambda: self.build(name, "full"), arrays, 2) / 3

        # Multiply-adds of the forward pass, in billions.
        self.assertAlmostEqual(count("resnet50") / 2e9, 4.09, places=2)
        self.assertAlmostEqual(count("se_resnext50") / 2e9, 4.25, places=1)

    def test_margin_is_added_to_the_angle(self):
        import math

        import paddle

        from workloads.arcface import with_margin

        angles = [0.1, 1.0, 2.5, 2.7, 3.0]
        expected = [math.cos(angle + 0.5) for angle in angles[:3]]
        expected += [math.cos(angle) - 0.5 * math.sin(0.5) for angle in angles[3:]]
        turned = with_margin(paddle.cos(paddle.to_tensor(angles))).tolist()
        for one, other in zip(turned, expected):
            self.assertAlmostEqual(one, other, places=5)

    def test_label_smoothing_is_that_of_paddle(self):
        import paddle

        from workloads.transformer import LABEL_SMOOTHING, smoothed_cross_entropy

        logits, labels = 3 * paddle.randn([5, 7]), paddle.to_tensor([0, 6, 3, 3, 1])
        expected = paddle.nn.functional.cross_entropy(logits, labels, label_smoothing=LABEL_SMOOTHING)
        own = smoothed_cross_entropy(logits, labels, LABEL_SMOOTHING)
        self.assertAlmostEqual(float(own), float(expected), places=5)


def our_name(theirs):
    """`layer2.0.downsample.1.weight` is our `stage2.block1.shortcut_norm.weight`."""
    if theirs.startswith("fc."):
        return theirs.replace("fc", "head.linear")
    name = theirs.replace("downsample.0", "shortcut_conv").replace("downsample.1", "shortcut_norm")
    name = name.replace("bn", "norm")
    if not name.startswith("layer"):
        return "stem." + name.replace("conv1", "conv").replace("norm1", "norm")
    stage, block, rest = name.split(".", 2)
    return f"stage{stage[5:]}.block{int(block) + 1}.{rest}"
