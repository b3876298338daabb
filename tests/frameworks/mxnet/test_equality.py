"""The models on Apache MXNet train what the C++ trainers train."""

import support
from equality import EqualityTest, needs_cpp_trainer

support.use_framework("mxnet")


@support.needs("mxnet")
@needs_cpp_trainer
class Equality(EqualityTest):
    def test_resnet50(self):
        self.compare("resnet50")

    def test_arcface(self):
        self.compare("arcface")

    def test_accumulated_passes(self):
        self.compare("arcface", accumulate=2)
