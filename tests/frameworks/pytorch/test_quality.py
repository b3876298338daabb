import unittest

import support

support.use_framework("pytorch")

from quality import QualityCase, QualityTests, RanksTests, ResumingTests  # noqa: E402


@support.needs("torch")
class Quality(QualityTests, QualityCase):
    framework = "pytorch"


@support.needs("torch")
class Resuming(ResumingTests, QualityCase):
    framework = "pytorch"


@support.needs("torch")
class Ranks(RanksTests, QualityCase):
    framework = "pytorch"


if __name__ == "__main__":
    unittest.main()
