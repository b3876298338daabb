import unittest

import support

support.use_framework("pytorch")

import training  # noqa: E402
from equality import CPP_TRAINER, needs_cpp_trainer  # noqa: E402
from evaluated import SETS  # noqa: E402
from quality import CppTests, QualityCase, QualityTests, RanksTests, ResumingTests, of  # noqa: E402


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


@support.needs("torch")
@needs_cpp_trainer
class Workloads(support.TemporaryFolder):
    """Each beside the C++ trainer, from the weights of the same seed."""

    def beside_cpp(self, workload, *words):
        make, usual = SETS[workload]
        data = make(self.folder / workload)
        words = ("--quality", "--data", data, "--workers", 1, "--dropout", 0, "--precision", "fp64", *usual, *words)
        own = training.train(workload, *words)
        cpp = support.Program([CPP_TRAINER], "--workload", workload, "--size", "tiny", *words)
        self.assertEqual(cpp.finish(), 0, cpp.err)
        self.assertEqual(own[0]["quality"], cpp.of("start")[0]["quality"])
        return own, cpp

    def expect_same_evaluations(self, own, cpp, delta=1e-4):
        own, cpp = of(own, "evaluation"), cpp.of("evaluation")
        self.assertEqual(len(own), len(cpp))
        for one, other in zip(own, cpp):
            for name in ("step", "samples", "epoch"):
                self.assertEqual(one[name], other[name], name)
            self.assertIsNotNone(one["quality"])
            self.assertAlmostEqual(one["quality"], other["quality"], delta=delta * abs(other["quality"]))
            self.assertEqual(one.get("loss") is None, other.get("loss") is None)
            if one.get("loss") is not None:
                self.assertAlmostEqual(one["loss"], other["loss"], delta=delta * other["loss"])

    def test_are_evaluated_as_in_cpp(self):
        self.assertEqual(set(SETS), set(support.contracts()))
        for workload in SETS:
            with self.subTest(workload):
                self.expect_same_evaluations(*self.beside_cpp(workload, "--steps", 1, "--learning-rate", 0))

    def test_translation_has_the_curve_of_the_cpp_trainer(self):
        own, cpp = self.beside_cpp("transformer", "--steps", 12, "--epochs", 2, "--evaluate-every", 0.25)
        steps = [[event[name] for event in of(own, "step")] for name in ("items", "loss")]
        expected = [[event[name] for event in cpp.of("step")] for name in ("items", "loss")]
        self.assertEqual(steps[0], expected[0])
        self.assertGreater(len(set(steps[0])), 2)
        for one, other in zip(steps[1], expected[1]):
            self.assertAlmostEqual(one, other, delta=1e-5 * other)
        self.expect_same_evaluations(own, cpp, delta=1e-3)

    def test_a_translation_that_goes_on_has_the_samples_of_a_whole_one(self):
        make, words = SETS["transformer"]
        words = ("--quality", "--data", make(self.folder / "set"), *words, "--epochs", 1, "--evaluate-every", 0.5)
        whole = training.train("transformer", *words)
        words = (*words, "--checkpoint", self.folder / "kept")
        first = training.train("transformer", *words, "--steps", 5)
        rest = training.train("transformer", *words)
        self.assertEqual(training.losses_of(first) + training.losses_of(rest), training.losses_of(whole))
        self.assertEqual(of(rest, "evaluation")[-1]["samples"], of(whole, "evaluation")[-1]["samples"])


if __name__ == "__main__":
    unittest.main()
