"""The proof that a framework trains what the C++ trainers train."""

import json
import os
import subprocess
import unittest
from pathlib import Path

import support
from training import losses_of, train

FOLDER = Path(os.environ.get("TRAINMARK_BIN", support.ROOT / "build" / "release" / "bin"))
CPP_TRAINER = FOLDER / "trainmark-train"
STEPS = 20
KINDS = ("weights", "gradients", "trained")  # of tensors that a trainer saves

needs_cpp_trainer = unittest.skipUnless(CPP_TRAINER.exists(), "the C++ trainers are not built")


class EqualityTest(support.TemporaryFolder):
    """Of one framework; each mode and workload is a test of its own class."""

    def compare(self, workload, *words, accumulate=1, precision="fp32", **limits):
        """`limits` are those of the gradients' differences, where the usual ones are too wide."""
        how = ["--steps", STEPS, "--dropout", 0, "--accumulate", accumulate, "--precision", precision]
        cell = ["--workload", workload, "--size", "tiny", *how]
        losses_file = self.folder / "losses"
        saved = [*self.save("cpp"), "--save-losses", losses_file]
        subprocess.run([CPP_TRAINER, *map(str, cell + saved)], check=True, stdout=subprocess.DEVNULL)
        losses = losses_of(train(workload, *how, *self.save("own"), *words))
        cpp, own = self.load("cpp"), self.load("own")

        # Made from the seed by two programs: bit by bit the same.
        self.assertEqual(set(cpp["weights"]), set(own["weights"]))
        for name, weights in cpp["weights"].items():
            self.assertTrue((weights == own["weights"][name]).all(), name)
        support.assert_same_tensors(self, cpp["gradients"], own["gradients"], **limits)
        updates = [
            {name: saved["trained"][name] - saved["weights"][name] for name in saved["gradients"]}
            for saved in (cpp, own)
        ]
        # Adam moves a weight that has no gradient, but for rounding, by what rounding says: the largest says nothing.
        support.assert_same_tensors(self, *updates, typical=2e-2, largest=float("inf"))
        cpp_losses = json.loads(losses_file.read_text())
        self.assertEqual(len(cpp_losses), STEPS)
        self.assertAlmostEqual(losses[0], cpp_losses[0], delta=1e-5 * abs(cpp_losses[0]))
        for step, (loss, cpp_loss) in enumerate(zip(losses, cpp_losses)):
            self.assertAlmostEqual(loss, cpp_loss, delta=1e-3 * abs(cpp_loss), msg=f"step {step}")
        self.assertLess(cpp_losses[-1], cpp_losses[0])

    def save(self, whose):
        return [word for kind in KINDS for word in (f"--save-{kind}", self.folder / f"{whose}_{kind}")]

    def load(self, whose):
        from safetensors.numpy import load_file

        return {kind: load_file(self.folder / f"{whose}_{kind}") for kind in KINDS}
