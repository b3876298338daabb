"""A framework is added by its folder, and nothing else."""

import support
from examples import ExampleTest, losses


@support.needs("safetensors")
class Adding(ExampleTest):
    def setUp(self):
        super().setUp()
        self.add_framework("numpy")

    def test_a_framework_offers_what_its_folder_has(self):
        self.assertEqual(self.offered("numpy"), ["perceptron"])

    def test_a_framework_trains(self):
        program = self.train("numpy", "--accumulate", 2)
        start = program.of("start")[0]
        self.assertEqual((start["framework"], start["mode"], start["unit"]), ("numpy", "eager", "images"))
        self.assertEqual(start["parameters"], (3 * 8 * 8 + 1) * 32 + (32 + 1) * 10)
        self.assertLess(losses(program)[-1], losses(program)[0])
