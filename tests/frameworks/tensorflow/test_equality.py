"""The models on TensorFlow train what the C++ trainers train, in both modes."""

import support
from equality import EqualityTest, needs_cpp_trainer

support.use_framework("tensorflow")


class Workloads:
    def test_resnet50(self):
        self.compare("resnet50", "--mode", self.mode)

    def test_bert(self):
        self.compare("bert", "--mode", self.mode)

    def test_transformer(self):
        self.compare("transformer", "--mode", self.mode)

    def test_cyclegan(self):
        self.compare("cyclegan", "--mode", self.mode)

    def test_accumulated_passes(self):
        self.compare("transformer", "--mode", self.mode, accumulate=2)


@support.needs("tensorflow")
@needs_cpp_trainer
class Graph(Workloads, EqualityTest):
    mode = "graph"


@support.needs("tensorflow")
@needs_cpp_trainer
class Xla(Workloads, EqualityTest):
    mode = "xla"
