"""What is true of several ranks of every framework that trains on them."""

import signal
import socket

import support
import training


def start_ranks(framework, count, *words):
    """The ranks of one job, as a launcher would start them."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    position = {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    command = [*support.program(framework), "--size", "tiny", "--dropout", 0]
    return [
        support.Program(command, *words, **position, RANK=str(rank), LOCAL_RANK=str(rank)) for rank in range(count)
    ]


class RanksTest:
    """`framework`: whose."""

    survives_a_lost_rank = True  # long enough to tell of it

    def finish(self, job):
        for program in job:
            self.assertEqual(program.finish(), 0, program.err)

    def expect_the_losses_of_one(self, workload, batch, delta=1e-4):
        job = start_ranks(self.framework, 2, "--workload", workload, "--batch", batch // 2, "--steps", 20)
        alone = training.losses_of(training.train(workload, "--batch", batch, "--steps", 20, "--dropout", 0))
        self.finish(job)
        for rank, program in enumerate(job):
            start = program.of("start")[0]
            self.assertEqual((start["rank"], start["ranks"], start["backend"]), (rank, 2, "gloo"))
            losses = [step["loss"] for step in program.of("step")]
            self.assertEqual(len(losses), len(alone))
            for own, other in zip(losses, alone):
                self.assertAlmostEqual(own, other, delta=delta)

    def test_two_ranks_have_the_losses_of_one(self):
        self.expect_the_losses_of_one("bert", 4)

    def test_two_ranks_have_the_losses_of_one_with_two_optimizers(self):
        # Losses of 25, in which the signs of |x| let rounding grow.
        self.expect_the_losses_of_one("cyclegan", 2, delta=2e-3)

    def test_all_stop_after_the_same_step_though_one_alone_was_asked(self):
        job = start_ranks(self.framework, 2, "--workload", "bert", "--steps", 1_000_000)
        job[1].wait_for("step")
        job[1].process.send_signal(signal.SIGUSR1)
        self.finish(job)
        self.assertEqual(job[0].events[-1], job[1].events[-1])
        self.assertEqual(job[0].events[-1]["why"], "stop")

    def test_a_rank_fails_when_another_dies(self):
        job = start_ranks(self.framework, 2, "--workload", "bert", "--steps", 1_000_000)
        job[0].wait_for("step")
        job[1].process.kill()
        code = job[0].finish()
        job[1].finish()
        self.assertNotEqual(code, 0)
        if self.survives_a_lost_rank:
            self.assertEqual(code, 1)
            self.assertEqual(job[0].events[-1]["event"], "failure")
