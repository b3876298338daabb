import unittest

import support

support.use_framework("pytorch")

from quality import CppTests, QualityCase, QualityTests, RanksTests, ResumingTests  # noqa: E402


@support.needs("torch")
class Quality(QualityTests, QualityCase):
    framework = "pytorch"


@support.needs("torch")
class Resuming(ResumingTests, QualityCase):
    framework = "pytorch"


@support.needs("torch")
class Ranks(RanksTests, QualityCase):
    framework = "pytorch"


@support.needs("torch")
class Cpp(CppTests, QualityCase):
    framework = "pytorch"

    def test_has_the_curve_of_the_cpp_trainer(self):
        own, cpp = self.expect_the_curve_of_cpp("fp64", steps=12, delta=1e-5)
        self.assertEqual([one["quality"] for one in own], [one["quality"] for one in cpp])
        for one, other in zip(own, cpp):
            self.assertEqual((one["step"], one["samples"], one["epoch"]), (other["step"], other["samples"], other["epoch"]))
            self.assertAlmostEqual(one["loss"], other["loss"], delta=1e-5 * other["loss"])


if __name__ == "__main__":
    unittest.main()
