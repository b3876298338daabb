"""The models on TensorFlow train what the C++ trainers train, in both modes."""

import support
from equality import CALM_SEEDS, EqualityTest, needs_cpp_trainer

support.use_framework("tensorflow")


class Workloads:
    def test_resnet50(self):
        self.compare("resnet50", "--mode", self.mode, seed=CALM_SEEDS["resnet50"])

    def test_bert(self):
        self.compare("bert", "--mode", self.mode)

    def test_transformer(self):
        self.compare("transformer", "--mode", self.mode)

    def test_cyclegan(self):
        self.compare("cyclegan", "--mode", self.mode, seed=CALM_SEEDS["cyclegan"])


@support.needs("tensorflow")
@needs_cpp_trainer
class Graph(Workloads, EqualityTest):
    mode = "graph"


@support.needs("tensorflow")
@needs_cpp_trainer
class Xla(Workloads, EqualityTest):
    mode = "xla"
