import unittest

import support

support.use_framework("mxnet")

from ranks import BatchNormTest, RanksTest  # noqa: E402


@support.needs("mxnet")
class Ranks(RanksTest, BatchNormTest, unittest.TestCase):
    framework = "mxnet"
    backend = "ps-lite"
    workload = "resnet50"
    notices_a_lost_rank = False


if __name__ == "__main__":
    unittest.main()
