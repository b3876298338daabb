"""`trainmark verify` tells trainers with one mistake from the right one, and names the part that is wrong."""

import json
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import forked
import support
from equality import CPP_TRAINER, FOLDER, needs_cpp_trainer

BENCH = FOLDER / "trainmark"

# Of the trainers with a mistake.
FOLDERS = (support.FRAMEWORKS / "pytorch", support.FRAMEWORKS / "common", Path(__file__).parent, Path(__file__).parents[1])
IMPORTED = ("trainer", "torchvision", "transformers.models.bert.modeling_bert")
MISTAKES = ("none", "epsilon", "stride", "branch", "layer", "scale", "decay", "momentum", "rate")
IN_FULL = ("none", "layer", "decay", "rate")  # in fp64
COMPILED = ("layer",)  # each is compiled by itself, which takes seconds
SEEN_THROUGH_ROUNDING = ("none", "layer", "scale", "decay", "momentum", "rate")
OF_DROPOUT = ("none", "unscaled", "undropped", "masks")
WRONG_CPP = {"none": ("nothing", ""), "seed": ("--seed", 2), "undropped": ("--dropout", 0)}
OF_GPUS = ("fp32", "tf32", "amp-fp16", "amp-bf16", "fp16")


class Caught:
    """Of what is wrong, the first part is named."""

    def assert_caught(self, mistake, part, proofs):
        proof = proofs[mistake]
        self.assertIn(f"the {part}", proof.get("differs", ["nothing"])[0])
        return proof

    def assert_told_from_rounding(self, proofs):
        self.assertNotIn("differs", proofs["none"])
        self.assert_caught("layer", "forward pass", proofs)
        self.assert_caught("scale", "backward pass", proofs)
        self.assert_caught("rate", "optimizer", proofs)
        self.assert_caught("momentum", "optimizer", proofs)
        self.assert_caught("decay", "weight decay", proofs)

    def assert_dropout_is_compared(self, proofs):
        self.assertNotIn("differs", proofs["none"])
        self.assertEqual(proofs["none"]["dropout"]["steps"], 12)
        for mistake in OF_DROPOUT[1:]:
            proof = self.assert_caught(mistake, "dropout", proofs)
            self.assertTrue(all("dropout" in line for line in proof["differs"]), proof["differs"])


@support.needs("torch")
@needs_cpp_trainer
class Verify(Caught, support.TemporaryFolder):
    """One call proves all of them at once: the reference need not be trained for each mistake."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        with forked.trainers("wrong_trainer", *IMPORTED, folders=FOLDERS) as trainer:
            proofs = Proofs(Path(folder.name), trainer)
            cls.resnet50 = proofs.make("resnet50", "resnet50", MISTAKES)
            cls.bert = proofs.make("bert", "bert", ["decay"])
            cls.rounded = proofs.make("rounded", "resnet50", SEEN_THROUGH_ROUNDING, "amp-bf16")
            cls.dropped = proofs.make("dropped", "bert", OF_DROPOUT)
            cls.dropped_rounded = proofs.make("dropped-rounded", "bert", OF_DROPOUT, "amp-bf16")
            cls.in_full = proofs.make("in-full", "resnet50", IN_FULL, "fp64")
            cls.compiled = proofs.make("compiled", "resnet50", COMPILED, mode="compile")
            cls.cpp = proofs.make("cpp", "bert", WRONG_CPP, program=wrong_cpp_trainer)

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
        self.assert_told_from_rounding(self.rounded)

    def test_what_is_dropped_and_how_it_is_scaled(self):
        self.assert_dropout_is_compared(self.dropped)

    def test_what_is_dropped_in_few_bits(self):
        self.assert_dropout_is_compared(self.dropped_rounded)

    def test_in_fp64_mistakes_are_found(self):
        proofs = self.in_full
        self.assertNotIn("differs", proofs["none"])
        self.assertLess(proofs["none"]["first_difference"], 1e-7)
        self.assert_caught("layer", "forward pass", proofs)
        self.assert_caught("decay", "weight decay", proofs)
        self.assert_caught("rate", "optimizer", proofs)

    def test_in_compiled_code_a_skipped_layer(self):
        self.assert_caught("layer", "forward pass", self.compiled)

    def test_of_the_cpp_trainer_as_of_any_other(self):
        self.assertNotIn("differs", self.cpp["none"])
        self.assert_caught("seed", "forward pass", self.cpp)
        self.assert_caught("undropped", "dropout", self.cpp)

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
        self.assert_caught("epsilon", "forward pass", self.resnet50)

    def test_a_stride_in_another_convolution(self):
        self.assert_caught("stride", "forward pass", self.resnet50)

    def test_a_layer_that_is_skipped(self):
        self.assert_caught("layer", "forward pass", self.resnet50)

    def test_a_wrong_loss_scale(self):
        proof = self.assert_caught("scale", "backward pass", self.resnet50)
        self.assertLess(proof["largest_difference"], 1e-3)  # no loss shows it

    def test_a_branch_without_gradients(self):
        proof = self.assert_caught("branch", "backward pass", self.resnet50)
        self.assertLess(proof["first_difference"], 1e-5)

    def test_a_missing_weight_decay(self):
        proof = self.assert_caught("decay", "weight decay", self.resnet50)
        self.assertLess(proof["largest_difference"], 1e-3)  # the losses alone would have passed it

    def test_a_missing_weight_decay_of_adam(self):
        self.assert_caught("decay", "weight decay", self.bert)

    def test_another_momentum(self):
        self.assert_caught("momentum", "optimizer", self.resnet50)

    def test_another_learning_rate(self):
        self.assert_caught("rate", "optimizer", self.resnet50)


@support.needs("torch")
@needs_cpp_trainer
@unittest.skipUnless(Path("/dev/nvidiactl").exists(), "there is no NVIDIA GPU")
class VerifyOnGpu(Caught, support.TemporaryFolder):
    def test_mistakes_are_caught_in_every_precision(self):
        with forked.trainers("wrong_trainer", *IMPORTED, folders=FOLDERS) as trainer:
            proofs = Proofs(self.folder, trainer, "cuda")
            for precision in OF_GPUS:
                with self.subTest(precision):
                    self.assert_told_from_rounding(
                        proofs.make(f"resnet50-{precision}", "resnet50", SEEN_THROUGH_ROUNDING, precision)
                    )
                    self.assert_dropout_is_compared(proofs.make(f"bert-{precision}", "bert", OF_DROPOUT, precision))


def wrong_cpp_trainer(mistake):
    """The C++ trainer, which hears another value of an option than the bench has said."""
    option, value = WRONG_CPP[mistake]
    return f"""before=
for word do
  shift
  [ "$before" = "{option}" ] && word={value}
  before=$word
  set -- "$@" "$word"
done
exec {CPP_TRAINER} "$@\""""


class Proofs:
    """Every mistake is a framework of its own."""

    def __init__(self, place, trainer, device="cpu"):
        self._place = place
        self._trainer = trainer
        self._device = device

    def make(self, name, workload, mistakes, precision="fp32", mode="eager", program=None):
        """The proofs by mistake, with the exit code and what was printed. `program`: makes the shell's lines that are the
        trainer with a mistake; else it is one on PyTorch."""
        home, results = self._place / name / "home", self._place / name / "proofs"
        for mistake in mistakes:
            self._install(home / "frameworks" / mistake, (program or self._forked)(mistake))
        (home / "suites").mkdir()
        (home / "frameworks" / "libtorch").symlink_to(support.FRAMEWORKS / "libtorch")
        names = [f"{mistake}:{mode}" for mistake in mistakes]
        where = ["--device", self._device, "--precision", precision]
        result = subprocess.run(
            [BENCH, "verify", workload, *where, "--frameworks", *names, "--out", results],
            env={**os.environ, "TRAINMARK_HOME": str(home)},
            capture_output=True,
            text=True,
        )
        found = {proof["cell"]["framework"].partition(":")[0]: proof for proof in _proofs(results)}
        if set(found) - {"libtorch"} != set(mistakes) or any("trouble" in proof for proof in found.values()):
            raise AssertionError(f"not all could be proven: {found}\n{result.stdout}\n{result.stderr}")
        return {**found, "exit code": result.returncode, "output": result.stdout}

    def _forked(self, mistake):
        return f'TRAINMARK_MISTAKE={mistake} exec {shlex.join(self._trainer)} "$@"'

    def _install(self, folder, lines):
        folder.mkdir(parents=True)
        program = folder / "start"
        program.write_text(f"#!/bin/sh\n{lines}\n")
        program.chmod(0o755)
        (folder / "framework.yaml").write_text("title: wrong\nprogram: [./start]\nsetup: none\n")


def _proofs(folder):
    lines = (folder / "journal.jsonl").read_text().splitlines()
    records = [json.loads(line)["record"] for line in lines]
    return [record for record in records if record["type"] == "proof"]
