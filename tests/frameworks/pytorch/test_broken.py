"""A framework that does not work does not hold up the rest of a suite."""

import os
import subprocess
import sys

import support
from equality import FOLDER, needs_cpp_trainer

SUITE = """
name: broken
matrix:
  - {workload: bert, framework: "pytorch:eager", size: tiny}
  - {workload: clock, framework: clock, size: tiny}
measure: {rule: fixed, steps: 20, skip: 2}
rounds: 1
time_limit: 1h
"""


@needs_cpp_trainer  # the bench is built beside them
class Broken(support.TemporaryFolder):
    def run_suite(self, folder):
        suite = self.folder / "suite.yaml"
        suite.write_text(SUITE)
        return subprocess.run(
            [FOLDER / "trainmark", "run", suite, "--out", self.folder / "results"],
            env={**os.environ, "TRAINMARK_PYTORCH_PYTHON": sys.executable, "PYTHONPATH": folder},
            capture_output=True,
            text=True,
        )

    def assert_the_rest_is_measured(self, result, reason):
        self.assertNotIn("Traceback", result.stdout + result.stderr)
        lines = [line for line in result.stderr.splitlines() if "pytorch" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn(reason, lines[0])
        self.assertRegex(result.stdout, r"clock:spin.*steps/s")
        self.assertIn(reason, (self.folder / "results" / "report.md").read_text())

    def test_one_that_cannot_be_imported_fails(self):
        with support.fake_package("torch", "torch", "999.0", "raise OSError('libspoilt.so: not found')") as folder:
            result = self.run_suite(folder)
        self.assertEqual(result.returncode, 1)
        self.assert_the_rest_is_measured(result, "libspoilt.so")

    def test_one_that_cannot_read_the_contracts_is_skipped(self):
        with support.fake_package("yaml", "PyYAML", "0.0.1", "raise ImportError('hidden')") as folder:
            result = self.run_suite(folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_the_rest_is_measured(result, "-m pip install PyYAML")

    def test_one_that_is_too_old_is_skipped(self):
        with support.fake_package("torch", "torch", "1.13.1") as folder:
            result = self.run_suite(folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_the_rest_is_measured(result, "torch 1.13.1 is too old")
