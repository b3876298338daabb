"""A workload is added to one more framework by its file, and nothing else."""

import shutil

import support
from examples import EXAMPLES, ExampleTest, losses


@support.needs("torch")
class Adding(ExampleTest):
    def setUp(self):
        super().setUp()
        self.add_framework("numpy")
        own = self.folder / "frameworks" / "pytorch"
        shutil.copytree(support.FRAMEWORKS / "pytorch", own)
        shutil.copy(EXAMPLES / "pytorch_perceptron.py", own / "workloads" / "perceptron.py")

    def test_a_framework_offers_it(self):
        self.assertIn("perceptron", self.offered("pytorch"))

    def test_two_frameworks_train_the_same(self):
        from safetensors.numpy import load_file

        gradients, saved = {}, {}
        for framework in ("numpy", "pytorch"):
            file = self.folder / framework
            saved[framework] = losses(self.train(framework, "--save-gradients", file))
            gradients[framework] = load_file(file)
        support.assert_same_tensors(self, *gradients.values(), typical=1e-5, largest=1e-4)
        for one, other in zip(*saved.values()):
            self.assertAlmostEqual(one, other, delta=1e-5)
