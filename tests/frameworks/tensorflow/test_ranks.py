import unittest

import support

support.use_framework("tensorflow")

from ranks import BatchNormTest, OneOptimizerTest, RanksTest, TwoOptimizersTest  # noqa: E402


@support.needs("tensorflow")
class Ranks(RanksTest, OneOptimizerTest, BatchNormTest, TwoOptimizersTest, unittest.TestCase):
    framework = "tensorflow"
    backend = "ring"

    def test_two_ranks_have_the_losses_of_one_by_xla(self):
        self.expect_the_losses_of_one("bert", 4, "--mode", "xla")


if __name__ == "__main__":
    unittest.main()
