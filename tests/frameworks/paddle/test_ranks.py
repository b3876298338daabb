import unittest

import support

support.use_framework("paddle")

from ranks import OneOptimizerTest, RanksTest, ShardedClassesTest, TwoOptimizersTest  # noqa: E402


@support.needs("paddle")
class Ranks(RanksTest, OneOptimizerTest, TwoOptimizersTest, ShardedClassesTest, unittest.TestCase):
    framework = "paddle"
    forked_with = ("trainer",)
    survives_a_lost_rank = False  # a thread of PaddlePaddle's ends the process by SIGABRT


if __name__ == "__main__":
    unittest.main()
