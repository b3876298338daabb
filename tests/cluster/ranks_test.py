"""Several ranks on this machine, started as processes of the bench and by mpirun: what goes well, and what does not."""

import json
import os
import signal
import unittest

from support import ClusterTest, need, processes_with, wait_until


class Local(ClusterTest):
    launcher = "local"

    def run_ranks(self, suite, *words):
        return self.run_suite(suite, "--launcher", self.launcher, *words)

    def test_two_ranks_do_the_work_of_two(self):
        suite = self.suite("1n1g, 1n2g", ", --sleep, --communication, 0.25, --exposed, 0.1")
        code, text = self.run_ranks(suite)
        self.assertEqual(code, 0, text)
        self.assertIn("Scaling", text)
        runs = self.runs()
        one, two = runs["1n1g", 1], runs["1n2g", 1]
        self.assertEqual(two["summary"]["throughput"]["items"], 2 * one["summary"]["throughput"]["items"])
        self.assertEqual(len(two["ranks"]["ranks"]), 2)
        self.assertAlmostEqual(two["ranks"]["exposed"] / two["ranks"]["communication"], 0.1 / 0.25, places=3)
        for rank in (0, 1):
            self.assertGreater(self.steps_of(rank), 40)
        self.assert_gone()

    def test_a_rank_that_dies_ends_the_run_and_the_suite_goes_on(self):
        suite = self.suite("1n2g", ", --sleep, --crash-after, 10, --fault-rank, 1", steps=100000, batches="1, 2",
                           time_limit="600s")
        code, text = self.run_ranks(suite)
        self.assertEqual(code, 1, text)
        runs = self.runs()
        self.assertEqual(len(runs), 2)
        for run in runs.values():
            self.assertEqual(run["failure"], "crash", run["reason"])
            self.assertTrue(run["reason"].startswith("rank 1"), run["reason"])
            self.assertIn("SIGSEGV", run["reason"])
            self.assertLess(run["seconds"], 300)
        self.assert_gone()

    def test_a_rank_that_hangs_is_named_when_the_time_is_over(self):
        suite = self.suite("1n2g", ", --sleep, --hang-after, 10, --fault-rank, 1", steps=100000, time_limit="3s")
        code, text = self.run_ranks(suite)
        self.assertEqual(code, 1, text)
        run = self.runs()["1n2g", 1]
        self.assertEqual(run["failure"], "timeout", run["reason"])
        self.assertIn("rank 1", run["reason"])
        self.assert_gone()

    def test_a_slower_rank_sets_the_pace_and_is_named(self):
        suite = self.suite("1n2g", ", --sleep, --slow-rank, 1, --slow-by, 60", steps=60)
        code, text = self.run_ranks(suite)
        self.assertEqual(code, 0, text)
        run = self.runs()["1n2g", 1]
        fast, slow = (rank["work_median"] for rank in run["ranks"]["ranks"])
        self.assertGreater(slow, 1.2 * fast)
        # The fast rank alone would take 0.63 of it; on a busy machine the two medians are not of the same steps.
        self.assertGreaterEqual(run["summary"]["step_median"], slow * 0.8)
        messages = {verdict["name"]: verdict["message"] for verdict in run["verdicts"]}
        self.assertIn("rank 1", messages.get("straggler", ""))

    def test_garbage_of_one_rank_does_not_harm_the_others(self):
        suite = self.suite("1n2g", ", --sleep, --garbage, --fault-rank, 1")
        code, text = self.run_ranks(suite)
        self.assertEqual(code, 0, text)
        printed = next(self.results.glob("runs/*/stdout.1.log")).read_bytes()
        self.assertIn(b"x" * 1_000_000, printed)
        self.assertIn(b"\0\0NUL\0", printed)

    def test_runs_take_turns(self):
        suite = self.folder / "turns.yaml"
        program = f"program: [{self.clock}], arguments: [--sleep, --step-ms"
        suite.write_text(
            "matrix: {workload: clock, framework: [fast, slow], size: tiny, scale: 1n2g}\n"
            "measure: {rule: turns, turn_seconds: 0.2, turn_steps: 4, interval: 5%, max_seconds: 20}\n"
            f"frameworks: {{fast: {{{program}, 4]}}, slow: {{{program}, 6]}}}}\n")
        code, text = self.run_ranks(suite)
        self.assertEqual(code, 0, text)
        self.assertNotIn("no-turns", text)
        records = [json.loads(line)["record"] for line in (self.results / "journal.jsonl").read_text().splitlines()]
        turns = [record for record in records if record["type"] == "turns"]
        self.assertEqual(len(turns), 1, text)
        for block in turns[0]["blocks"]:
            self.assertAlmostEqual(max(block) / min(block), 1.5, delta=0.3)
        for events in self.results.glob("runs/*/events.*.jsonl"):
            self.assertGreater(events.read_text().count('"pause"'), len(turns[0]["blocks"]), "every rank has paused")
        self.assert_gone()

    def test_nothing_outlives_a_bench_that_is_killed(self):
        suite = self.suite("1n2g", ", --sleep, --spawn-orphan", steps=100000)
        bench = self.start(suite, "--launcher", self.launcher)
        self.assertTrue(wait_until(lambda: self.results.exists() and self.steps_of(1) > 5))
        self.assertGreaterEqual(len(processes_with(str(self.clock))), 2)
        os.kill(bench.pid, signal.SIGKILL)
        bench.communicate()
        self.assert_gone()


class Mpirun(Local):
    launcher = "mpirun"

    @classmethod
    def setUpClass(cls):
        need("mpirun")

    def test_a_host_that_does_not_answer_is_a_failed_result(self):
        suite = self.suite("1n1g", more="launcher_arguments: [--mca, plm_rsh_agent, /bin/false]\n")
        code, text = self.run_ranks(suite, "--hosts", "no-such-host.invalid")
        self.assertEqual(code, 1, text)
        run = self.runs()["1n1g", 1]
        self.assertEqual(run["failure"], "rank-lost", run["reason"])
        self.assertIn("before this rank was started", run["reason"])


if __name__ == "__main__":
    unittest.main()
