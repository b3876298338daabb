import unittest

import support

support.use_framework("jax")

from ranks import BatchNormTest, OneOptimizerTest, RanksTest  # noqa: E402


@support.needs("jax")
class Ranks(RanksTest, OneOptimizerTest, BatchNormTest, unittest.TestCase):
    framework = "jax"


if __name__ == "__main__":
    unittest.main()
