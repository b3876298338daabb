"""`trainmark run` measures a program that was not written for it, from the lines that it prints."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

TRAINMARK = Path(os.environ.get("TRAINMARK_BIN", "")) / "trainmark"
PROGRAM = Path(__file__).with_name("foreign_train.py")

SUITE = """
matrix: {{framework: small-network}}
measure: {{rule: fixed, steps: 60, skip: 10}}
rounds: 1
frameworks:
  small-network:
    command: ['{python}', '{program}', --style, {style}, --truth, '{truth}']
    gpus: 1
"""


def journal_runs(folder):
    lines = (folder / "journal.jsonl").read_text().splitlines()
    records = [json.loads(line)["record"] for line in lines]
    return [record for record in records if record["type"] == "run"]


def true_rate(truth, summary):
    """Items ÷ time between the two records that frame the window. The first record is dropped."""
    interval = truth["interval"]
    first = (summary["warmup"] + 1) * interval
    last = first + summary["used"] * interval
    return (last - first) * truth["batch"] / (truth["moments"][last] - truth["moments"][first])


@support.needs("torch")
@unittest.skipUnless(TRAINMARK.is_file(), "trainmark is not built")
class ForeignProgram(unittest.TestCase):
    def measure(self, style):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            truth = folder / "truth.json"
            suite = folder / "suite.yaml"
            suite.write_text(SUITE.format(python=sys.executable, program=PROGRAM, style=style, truth=truth))
            done = subprocess.run(
                [TRAINMARK, "run", suite, "--out", folder / "results"], capture_output=True, text=True, check=False
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            (run,) = journal_runs(folder / "results")
            return run, json.loads(truth.read_text())

    def check(self, style, dialect):
        run, truth = self.measure(style)
        self.assertTrue(run["ok"], run)
        self.assertEqual(run["trainer"]["log"]["dialect"], dialect)
        self.assertEqual(run["cell"]["batch"], truth["batch"], "from the log")
        self.assertIn("batch_size", run["trainer"]["log"]["taken_from"]["batch"])
        self.assertIn("foreign", [verdict["name"] for verdict in run["verdicts"]])
        measured = run["summary"]["throughput"]["value"]
        self.assertLess(abs(measured / true_rate(truth, run["summary"]) - 1), 0.01)
        self.assertLess(abs(run["trainer"]["clock_throughput"] / measured - 1), 0.2, "lines come when they are printed")

    def test_interval_means_are_measured_within_one_percent(self):
        self.check("seg", "paddleseg")

    def test_running_means_are_measured_within_one_percent(self):
        self.check("clas", "paddleclas")


if __name__ == "__main__":
    unittest.main()
