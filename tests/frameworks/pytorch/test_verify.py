"""`trainmark verify` tells trainers with one mistake from the right one, and names the part that is wrong."""

import json
import os
import subprocess
import sys
from pathlib import Path

import support
from equality import FOLDER, needs_cpp_trainer

BENCH = FOLDER / "trainmark"
TRAINER = Path(__file__).with_name("wrong_trainer.py")


@support.needs("torch")
@needs_cpp_trainer
class Verify(support.TemporaryFolder):
    def verify(self, mistake, workload="resnet50"):
        """The exit code and the proof."""
        home = self.folder / "home"
        folder = home / "frameworks" / "wrong"
        folder.mkdir(parents=True)
        (home / "suites").mkdir()
        (home / "frameworks" / "libtorch").symlink_to(support.FRAMEWORKS / "libtorch")
        program = folder / "start"
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{TRAINER}' \"$@\"\n")
        program.chmod(0o755)
        (folder / "framework.yaml").write_text("title: wrong\nprogram: [./start]\nsetup: none\n")
        result = subprocess.run(
            [BENCH, "verify", workload, "--frameworks", "wrong:eager", "--out", self.folder / "proofs"],
            env={**os.environ, "TRAINMARK_HOME": str(home), "TRAINMARK_MISTAKE": mistake},
            capture_output=True,
            text=True,
        )
        return result, self.only_proof(result)

    def only_proof(self, result):
        lines = (self.folder / "proofs" / "journal.jsonl").read_text().splitlines()
        records = [json.loads(line)["record"] for line in lines]
        proofs = [record for record in records if record["type"] == "proof"]
        self.assertEqual(len(proofs), 1, result.stderr)
        self.assertNotIn("trouble", proofs[0])
        return proofs[0]

    def assert_caught(self, mistake, part, workload="resnet50"):
        result, proof = self.verify(mistake, workload)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn(f"the {part}", proof["differs"][0])
        self.assertIn("not the same", result.stdout)
        return proof

    def test_the_right_one_passes(self):
        result, proof = self.verify("none")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("differs", proof)
        self.assertLess(proof["first_difference"], 1e-5)

    def test_in_fp64_nothing_differs_and_what_is_refused_is_left_out(self):
        what = ["bert", "--precision", "fp64", "--frameworks", "pytorch", "--tolerance", "1e-4"]
        result = subprocess.run(
            [BENCH, "verify", *what, "--out", self.folder / "proofs"],
            env={**os.environ, "TRAINMARK_HOME": str(support.ROOT)},
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        proof = self.only_proof(result)
        self.assertEqual((proof["cell"]["framework"], proof["cell"]["precision"]), ("pytorch:eager", "fp64"))
        self.assertIn("pytorch:compile/fp64/b4/cpu/1n1g: left out: fp64 is for proofs", result.stderr)

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
        self.assert_caught("decay", "weight decay", "bert")

    def test_another_momentum(self):
        self.assert_caught("momentum", "optimizer")

    def test_another_learning_rate(self):
        self.assert_caught("learning rate", "optimizer")
