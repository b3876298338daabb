"""The models on JAX train what the C++ trainers train."""

import support
from equality import EqualityTest, needs_cpp_trainer

support.use_framework("jax")


@support.needs("jax")
@needs_cpp_trainer
class Equality(EqualityTest):
    def test_resnet50(self):
        self.compare("resnet50")

    def test_bert(self):
        self.compare("bert")

    def test_transformer(self):
        self.compare("transformer")
