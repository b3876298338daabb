import unittest

import support

support.use_framework("pytorch")

from ranks import RanksTest  # noqa: E402


@support.needs("torch")
class Ranks(RanksTest, unittest.TestCase):
    framework = "pytorch"


if __name__ == "__main__":
    unittest.main()
