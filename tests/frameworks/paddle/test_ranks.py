import unittest

import support

support.use_framework("paddle")

from ranks import RanksTest  # noqa: E402


@support.needs("paddle")
class Ranks(RanksTest, unittest.TestCase):
    framework = "paddle"


if __name__ == "__main__":
    unittest.main()
