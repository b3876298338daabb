import unittest

import support

support.use_framework("paddle")

from quality import CppTests, QualityCase, QualityTests, RanksTests, ResumingTests  # noqa: E402


@support.needs("paddle")
class Quality(QualityTests, QualityCase):
    framework = "paddle"


@support.needs("paddle")
class Resuming(ResumingTests, QualityCase):
    framework = "paddle"


@support.needs("paddle")
class Ranks(RanksTests, QualityCase):
    framework = "paddle"


@support.needs("paddle")
class Cpp(CppTests, QualityCase):
    framework = "paddle"

    def test_has_the_first_losses_of_the_cpp_trainer(self):
        """Of steps with different learning rates: of the warm-up. PaddlePaddle has no fp64 here."""
        self.expect_the_curve_of_cpp("fp32", steps=3, delta=1e-5)


if __name__ == "__main__":
    unittest.main()
