import unittest

import support

support.use_framework("mxnet")

from ranks import BatchNormTest, RanksTest  # noqa: E402


@support.needs("mxnet")
class Ranks(RanksTest, BatchNormTest, unittest.TestCase):
    """Both workloads have norms, which each rank takes over its own batch: two ranks with half of it have other norms, and
    so other losses, than one rank with all of it. What they must have is the loss of one that accumulates two passes."""

    framework = "mxnet"
    backend = "ps-lite"
    workload = "resnet50"
    notices_a_lost_rank = False

    def test_two_ranks_have_the_losses_of_accumulation_with_many_classes(self):
        self.expect_the_losses_of_accumulation("arcface", 2, delta=1e-2)


if __name__ == "__main__":
    unittest.main()
