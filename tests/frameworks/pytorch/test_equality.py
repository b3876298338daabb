"""The models of torchvision, timm, transformers and PyTorch train what the C++ trainers train."""

import json
import subprocess

import support
from equality import CPP_TRAINER, EqualityTest, needs_cpp_trainer

support.use_framework("pytorch")


@support.needs("torch")
@needs_cpp_trainer
class Equality(EqualityTest):
    def test_every_workload_of_the_cpp_trainer_is_compared(self):
        described = json.loads(subprocess.check_output([CPP_TRAINER, "--describe"]))
        for entry in described["workloads"]:
            self.assertTrue(hasattr(self, f"test_{entry['name']}"), entry["name"])

    def test_without_rounding(self):
        for workload in support.contracts():
            with self.subTest(workload):
                self.compare(workload, precision="fp64", typical=1e-6, largest=1e-6)

    def test_resnet50(self):
        self.compare("resnet50")

    def test_se_resnext50(self):
        self.compare("se_resnext50")

    def test_deeplabv3p(self):
        self.compare("deeplabv3p")

    def test_bert(self):
        self.compare("bert")

    def test_transformer(self):
        self.compare("transformer")

    def test_cyclegan(self):
        self.compare("cyclegan")

    def test_arcface(self):
        self.compare("arcface")
