"""The models on PaddlePaddle train what the C++ trainers train, in both modes."""

import support
from equality import EqualityTest, needs_cpp_trainer

support.use_framework("paddle")


class Workloads:
    def test_resnet50(self):
        self.compare("resnet50", "--mode", self.mode)

    def test_se_resnext50(self):
        self.compare("se_resnext50", "--mode", self.mode)

    def test_deeplabv3p(self):
        self.compare("deeplabv3p", "--mode", self.mode)

    def test_bert(self):
        self.compare("bert", "--mode", self.mode)

    def test_transformer(self):
        self.compare("transformer", "--mode", self.mode)

    def test_cyclegan(self):
        self.compare("cyclegan", "--mode", self.mode)

    def test_arcface(self):
        self.compare("arcface", "--mode", self.mode)


@support.needs("paddle")
@needs_cpp_trainer
class Dygraph(Workloads, EqualityTest):
    mode = "dygraph"


@support.needs("paddle")
@needs_cpp_trainer
class Static(Workloads, EqualityTest):
    mode = "static"
