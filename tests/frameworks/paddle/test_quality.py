import unittest

import support

support.use_framework("paddle")

from quality import QualityCase, QualityTests, RanksTests, ResumingTests  # noqa: E402


@support.needs("paddle")
class Quality(QualityTests, QualityCase):
    framework = "paddle"


@support.needs("paddle")
class Resuming(ResumingTests, QualityCase):
    framework = "paddle"


@support.needs("paddle")
class Ranks(RanksTests, QualityCase):
    framework = "paddle"


if __name__ == "__main__":
    unittest.main()
