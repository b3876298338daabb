import unittest

import support

support.use_framework("paddle")

from ranks import RanksTest  # noqa: E402


@support.needs("paddle")
class Ranks(RanksTest, unittest.TestCase):
    framework = "paddle"
    survives_a_lost_rank = False  # a thread of PaddlePaddle's ends the process by SIGABRT


if __name__ == "__main__":
    unittest.main()
