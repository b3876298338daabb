"""Suites through Slurm: srun inside an allocation, sbatch to make one, a step and a job cancelled in mid-run."""

import re
import subprocess
import unittest

from slurm import Slurm
from support import BIN, ClusterTest, need, need_root, wait_until


class Jobs(ClusterTest):

    @classmethod
    def setUpClass(cls):
        need_root()
        need("srun", "sbatch", "slurmctld", "slurmd", "munged")
        cls.slurm = cls.enterClassContext(Slurm(cls.own_folder()))

    def run_job(self, suite, *words):
        return self.run_suite(suite, "--launcher", "slurm", *words, environment=self.slurm.environment)

    def test_srun_starts_the_ranks_inside_an_allocation(self):
        suite = self.suite("1n1g, 2n1g, 2n2g", ", --sleep")
        command = ["salloc", "--nodes=2", "--ntasks-per-node=2", str(BIN / "trainmark"), "run", str(suite), "--out",
                   str(self.results), "--launcher", "slurm"]
        done = subprocess.run(command, env=self.slurm.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        runs = self.runs()
        self.assertEqual(len(runs["2n2g", 1]["ranks"]["ranks"]), 4)
        self.assertTrue(all(run["ok"] for run in runs.values()))
        self.assert_gone()

    def test_sbatch_makes_the_allocation_and_a_cancelled_step_is_a_failed_result(self):
        suite = self.suite("2n1g", ", --sleep", steps=600, batches="1, 2", more="job_arguments: [--comment=trial]\n")
        code, script = self.run_job(suite, "--dry-run")
        self.assertEqual(code, 0, script)
        for line in ("#SBATCH --nodes=2", "#SBATCH --ntasks-per-node=1", "#SBATCH --comment=trial"):
            self.assertIn(line, script)
        bench = self.start(suite, "--launcher", "slurm", environment=self.slurm.environment)
        self.assertTrue(wait_until(lambda: self.steps_of(1) > 5), "the job did not begin")
        steps = re.findall(r"^\d+\.\d+$", self.slurm.say("squeue", "-h", "-s", "-o", "%i"), re.MULTILINE)
        self.slurm.say("scancel", *steps)
        output, errors = bench.communicate()
        self.assertEqual(bench.returncode, 1, output + errors)
        outcomes = sorted(run["ok"] for run in self.runs().values())
        self.assertEqual(outcomes, [False, True], output + errors)
        self.assert_gone()

    def test_a_cancelled_job_loses_nothing(self):
        suite = self.suite("2n1g", ", --sleep", steps=200, batches="1, 2")
        bench = self.start(suite, "--launcher", "slurm", environment=self.slurm.environment)
        self.assertTrue(wait_until(lambda: self.results.exists() and (self.results / "journal.jsonl").exists()
                                   and len(self.runs()) == 1 and self.steps_of(1) > 5), "no run was finished")
        self.slurm.say("scancel", self.slurm.say("squeue", "-h", "-o", "%i"))
        output, errors = bench.communicate()
        self.assertEqual(bench.returncode, 1, output + errors)
        self.assertIn("--resume", errors)
        self.assert_gone()
        code, text = self.run_job(suite, "--resume")
        self.assertEqual(code, 0, text + self.slurm.logs())
        self.assertEqual([run["ok"] for run in self.runs().values()], [True, True])
        self.assert_gone()


if __name__ == "__main__":
    unittest.main()
