import unittest

import support

support.use_framework("pytorch")

from ranks import OneOptimizerTest, RanksTest, ShardedClassesTest, TwoOptimizersTest  # noqa: E402


@support.needs("torch")
class Ranks(RanksTest, OneOptimizerTest, TwoOptimizersTest, ShardedClassesTest, unittest.TestCase):
    framework = "pytorch"
    forked_with = ("trainer", "torchvision")


if __name__ == "__main__":
    unittest.main()
