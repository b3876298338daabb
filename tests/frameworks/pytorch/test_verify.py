"""`trainmark verify` tells trainers with one mistake from the right one, and names the part that is wrong."""

import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

import forked
import support
from equality import FOLDER, needs_cpp_trainer

BENCH = FOLDER / "trainmark"

# Of the trainers with a mistake.
FOLDERS = (support.FRAMEWORKS / "pytorch", support.FRAMEWORKS / "common", Path(__file__).parent, Path(__file__).parents[1])
MISTAKES = ("none", "epsilon", "stride", "branch", "decay", "momentum", "rate")
SEEN_THROUGH_ROUNDING = ("none", "layer", "scale", "decay", "momentum", "rate")


@support.needs("torch")
@needs_cpp_trainer
class Verify(support.TemporaryFolder):
    """One call proves all of them at once: the reference need not be trained for each mistake."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        with forked.trainers("wrong_trainer", "trainer", "torchvision", folders=FOLDERS) as trainer:
            proofs = Proofs(Path(folder.name), trainer)
            cls.resnet50 = proofs.make("resnet50", "resnet50", MISTAKES)
            cls.bert = proofs.make("bert", "bert", ["decay"])
            cls.rounded = proofs.make("rounded", "resnet50", SEEN_THROUGH_ROUNDING, "amp-bf16")

    def assert_caught(self, mistake, part, proofs=None):
        proof = (proofs or self.resnet50)[mistake]
        self.assertIn(f"the {part}", proof["differs"][0])
        return proof

    def test_says_so_and_fails(self):
        self.assertEqual(self.resnet50["exit code"], 1)
        self.assertEqual(self.resnet50["output"].count("not the same"), len(MISTAKES) - 1, self.resnet50["output"])

    def test_the_right_one_passes(self):
        proof = self.resnet50["none"]
        self.assertNotIn("differs", proof)
        self.assertLess(proof["first_difference"], 1e-5)

    def test_in_few_bits_the_right_one_passes_and_the_reference_with_it(self):
        self.assertEqual(self.rounded["output"].count("not the same"), len(SEEN_THROUGH_ROUNDING) - 1)
        for name in ("none", "libtorch"):
            self.assertNotIn("differs", self.rounded[name])
            self.assertEqual(self.rounded[name]["reference_precision"], "fp32")
        self.assertGreater(self.rounded["none"]["first_difference"], 1e-6)  # fp32 would have passed for the precision

    def test_in_few_bits_mistakes_are_told_from_rounding(self):
        self.assert_caught("layer", "forward pass", self.rounded)
        self.assert_caught("scale", "backward pass", self.rounded)
        self.assert_caught("rate", "optimizer", self.rounded)
        self.assert_caught("momentum", "optimizer", self.rounded)
        self.assert_caught("decay", "weight decay", self.rounded)

    def test_in_fp64_nothing_differs_and_what_is_refused_is_left_out(self):
        what = ["bert", "--precision", "fp64", "--frameworks", "pytorch", "--tolerance", "1e-4"]
        result = subprocess.run(
            [BENCH, "verify", *what, "--out", self.folder / "proofs"],
            env={**os.environ, "TRAINMARK_HOME": str(support.ROOT)},
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        (proof,) = _proofs(self.folder / "proofs")
        self.assertEqual((proof["cell"]["framework"], proof["cell"]["precision"]), ("pytorch:eager", "fp64"))
        self.assertIn("pytorch:compile/fp64/b4/cpu/1n1g: omitted: fp64 is for proofs", result.stderr)

    def test_an_epsilon_of_batch_norm(self):
        self.assert_caught("epsilon", "forward pass")

    def test_a_stride_in_another_convolution(self):
        self.assert_caught("stride", "forward pass")

    def test_a_branch_without_gradients(self):
        proof = self.assert_caught("branch", "backward pass")
        self.assertLess(proof["first_difference"], 1e-5)

    def test_a_missing_weight_decay(self):
        proof = self.assert_caught("decay", "weight decay")
        self.assertLess(proof["largest_difference"], 1e-3)  # the losses alone would have passed it

    def test_a_missing_weight_decay_of_adam(self):
        self.assert_caught("decay", "weight decay", self.bert)

    def test_another_momentum(self):
        self.assert_caught("momentum", "optimizer")

    def test_another_learning_rate(self):
        self.assert_caught("rate", "optimizer")


class Proofs:
    """Every mistake is a framework of its own."""

    def __init__(self, place, trainer):
        self._place = place
        self._trainer = trainer

    def make(self, name, workload, mistakes, precision="fp32"):
        """The proofs by mistake, with the exit code and what was printed."""
        home, results = self._place / name / "home", self._place / name / "proofs"
        for mistake in mistakes:
            self._install(home / "frameworks" / mistake, mistake)
        (home / "suites").mkdir()
        (home / "frameworks" / "libtorch").symlink_to(support.FRAMEWORKS / "libtorch")
        names = [f"{mistake}:eager" for mistake in mistakes]
        result = subprocess.run(
            [BENCH, "verify", workload, "--precision", precision, "--frameworks", *names, "--out", results],
            env={**os.environ, "TRAINMARK_HOME": str(home)},
            capture_output=True,
            text=True,
        )
        found = {proof["cell"]["framework"].removesuffix(":eager"): proof for proof in _proofs(results)}
        if set(found) - {"libtorch"} != set(mistakes) or any("trouble" in proof for proof in found.values()):
            raise AssertionError(f"not all could be proven: {found}\n{result.stdout}\n{result.stderr}")
        return {**found, "exit code": result.returncode, "output": result.stdout}

    def _install(self, folder, mistake):
        folder.mkdir(parents=True)
        program = folder / "start"
        program.write_text(f"#!/bin/sh\nTRAINMARK_MISTAKE={mistake} exec {shlex.join(self._trainer)} \"$@\"\n")
        program.chmod(0o755)
        (folder / "framework.yaml").write_text("title: wrong\nprogram: [./start]\nsetup: none\n")


def _proofs(folder):
    lines = (folder / "journal.jsonl").read_text().splitlines()
    records = [json.loads(line)["record"] for line in lines]
    return [record for record in records if record["type"] == "proof"]
