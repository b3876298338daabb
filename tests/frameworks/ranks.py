"""What is true of several ranks of every framework that trains on them."""

import signal
import socket
import tempfile
from pathlib import Path

import forked
import support
import training


def start_ranks(trainer, count, *words):
    """The ranks of one job, as a launcher would start them. `trainer`: its command."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    position = {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    command = [*trainer, "--size", "tiny", "--dropout", 0]
    return [
        support.Program(command, *words, **position, RANK=str(rank), LOCAL_RANK=str(rank)) for rank in range(count)
    ]


class RanksTest:
    """`framework`: whose. `forked_with`: the packages to import before ranks are forked; empty where a framework has
    threads from then on and each rank must start by itself."""

    forked_with = ()
    backend = "gloo"
    workload = "bert"
    notices_a_lost_rank = True
    survives_a_lost_rank = True  # long enough to tell of it

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.trainer = support.program(cls.framework)
        if cls.forked_with:
            folders = (support.FRAMEWORKS / cls.framework, support.FRAMEWORKS / "common", Path(__file__).parent)
            cls.trainer = cls.enterClassContext(forked.trainers("offered", *cls.forked_with, folders=folders))

    def finish(self, job):
        for program in job:
            self.assertEqual(program.finish(), 0, program.err)

    def expect_the_losses_of_one(self, workload, batch, *words, delta=1e-4):
        """Of two ranks that share the batch."""
        words = ("--steps", 20, *words)
        job = start_ranks(self.trainer, 2, "--workload", workload, "--batch", batch // 2, *words)
        self.expect_losses(job, training.train(workload, "--batch", batch, "--dropout", 0, *words), delta)

    def expect_the_losses_of_accumulation(self, workload, batch, *words, delta=1e-4):
        """Of two ranks with this batch each, where norms are over a rank's own batch: one that accumulates two passes has
        the same norms. Gives what rank 0 told first."""
        words = ("--batch", batch, "--steps", 6, *words)
        job = start_ranks(self.trainer, 2, "--workload", workload, *words)
        alone = training.train(workload, "--accumulate", 2, *words)
        self.expect_losses(job, alone, delta)
        self.assertEqual(job[0].of("start")[0]["parameters"], alone[0]["parameters"])
        return job[0].of("start")[0]

    def expect_losses(self, job, alone, delta):
        self.finish(job)
        alone = training.losses_of(alone)
        for rank, program in enumerate(job):
            start = program.of("start")[0]
            self.assertEqual((start["rank"], start["ranks"], start["backend"]), (rank, 2, self.backend))
            losses = [step["loss"] for step in program.of("step")]
            self.assertEqual(len(losses), len(alone))
            for own, other in zip(losses, alone):
                self.assertAlmostEqual(own, other, delta=delta)

    def test_all_stop_after_the_same_step_though_one_alone_was_asked(self):
        job = start_ranks(self.trainer, 2, "--workload", self.workload, "--steps", 1_000_000)
        job[1].wait_for("step")
        job[1].process.send_signal(signal.SIGUSR1)
        self.finish(job)
        self.assertEqual(job[0].events[-1], job[1].events[-1])
        self.assertEqual(job[0].events[-1]["why"], "stop")

    def test_a_rank_fails_when_another_dies(self):
        if not self.notices_a_lost_rank:
            self.skipTest("it waits for the others for ever; the bench ends it when one of them dies")
        job = start_ranks(self.trainer, 2, "--workload", self.workload, "--steps", 1_000_000)
        job[0].wait_for("step")
        job[1].process.kill()
        code = job[0].finish()
        job[1].finish()
        self.assertNotEqual(code, 0)
        if self.survives_a_lost_rank:
            self.assertEqual(code, 1)
            self.assertEqual(job[0].events[-1]["event"], "failure")


class OneOptimizerTest:
    def test_two_ranks_have_the_losses_of_one(self):
        self.expect_the_losses_of_one("bert", 4)

    def test_two_ranks_have_the_losses_of_one_with_accumulation(self):
        self.expect_the_losses_of_one("bert", 4, "--accumulate", 2)


class TwoOptimizersTest:
    """Of a framework that has a workload with two of them."""

    def test_two_ranks_have_the_losses_of_one_with_two_optimizers(self):
        # Losses of 25, in which the signs of |x| let rounding grow.
        self.expect_the_losses_of_one("cyclegan", 2, delta=2e-3)


class BatchNormTest:
    def test_two_ranks_have_the_losses_of_accumulation_where_norms_are_their_own(self):
        self.expect_the_losses_of_accumulation("resnet50", 2, delta=2e-3)


class ShardedClassesTest:
    """Of a framework that divides the classes of arcface among its ranks."""

    def test_ranks_with_a_part_of_the_classes_train_the_same_as_one_with_all(self):
        from safetensors.numpy import load_file

        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("parts", "parts-gradients", "whole", "whole-gradients")]
            for number, start in ((0, self.start_faces), (2, self.train_faces)):
                start("--save-trained", files[number], "--save-gradients", files[number + 1])
            parts, parts_gradients, whole, whole_gradients = map(load_file, files)
        support.assert_same_tensors(self, parts_gradients, whole_gradients)
        running = ("running_mean", "running_var")  # each rank's own
        for tensors in (parts, whole):
            for name in [name for name in tensors if name.endswith(running)]:
                del tensors[name]
        support.assert_same_tensors(self, parts, whole, typical=1e-3)
        self.assertEqual(self.facts["math"]["classes"], "sharded")
        self.assertEqual(self.facts["parameters"], self.alone[0]["parameters"])
        for one, other in zip(self.losses, training.losses_of(self.alone)):
            self.assertAlmostEqual(one, other, delta=1e-4 * other)

    def start_faces(self, *words):
        job = start_ranks(self.trainer, 2, "--workload", "arcface", "--batch", 2, "--steps", 6, *words)
        self.finish(job)
        self.facts = job[0].of("start")[0]
        self.losses = [step["loss"] for step in job[0].of("step")]

    def train_faces(self, *words):
        self.alone = training.train("arcface", "--batch", 2, "--accumulate", 2, "--steps", 6, *words)

    def test_every_rank_may_have_all_classes(self):
        facts = self.expect_the_losses_of_accumulation("arcface", 2, "--whole-classes", delta=1e-2)
        self.assertEqual(facts["math"]["classes"], "whole")
