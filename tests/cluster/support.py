"""What the tests of launchers share: the built programs, suites of the clock, and processes that must be gone."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ.get("TRAINMARK_BIN", "build/release/bin")).resolve()
PATIENCE = 600  # seconds until something that must happen has to have happened; a busy machine is slow


def need(*programs):
    """Skips tests where a program is missing."""
    for program in programs:
        if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None:
            raise unittest.SkipTest(f"{program} was not found; `scripts/setup cluster` installs what these tests need")


def need_root():
    if os.geteuid() != 0:
        raise unittest.SkipTest("these tests make networks or schedulers of their own and need root")


def wait_until(condition, seconds=PATIENCE):
    """True as soon as the condition holds; False where it still does not after a generous while."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def processes_with(text):
    """The living processes whose command line holds `text`."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if text.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


class ClusterTest(unittest.TestCase):
    """A test with a folder of its own, and a clock whose path tells its processes from all others."""

    @classmethod
    def own_folder(cls):
        """A folder for what all tests of the class share."""
        folder = tempfile.mkdtemp(prefix="tm-cluster-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tm-cluster-"))
        self.addCleanup(self.clean_up)
        self.clock = self.folder / "own-clock"
        self.clock.symlink_to(BIN / "trainmark-clock")
        self.results = self.folder / "results"

    def clean_up(self):
        for process in processes_with(str(self.clock)):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def suite(self, scales, arguments="", more="", steps=40, batches="1", time_limit="60s", name="suite"):
        """A suite of the clock, with steps of 5 ms and more arguments for it."""
        path = self.folder / f"{name}.yaml"
        path.write_text(
            f"matrix: {{workload: clock, framework: clock, size: tiny, batch: [{batches}], scale: [{scales}]}}\n"
            f"measure: {{rule: fixed, steps: {steps}, skip: 5}}\nrounds: 1\ntime_limit: {time_limit}\n"
            f"frameworks: {{clock: {{program: [{self.clock}], arguments: [--step-ms, 5{arguments}]}}}}\n{more}")
        return path

    def start(self, suite, *words, environment=None):
        command = [str(BIN / "trainmark"), "run", str(suite), "--out", str(self.results), *words]
        # No framework but the clock has to be asked what it can do.
        variables = {**(environment or os.environ), "TRAINMARK_HOME": str(self.folder)}
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL, env=variables)

    def run_suite(self, suite, *words, environment=None):
        """The exit code and everything that was printed."""
        process = self.start(suite, *words, environment=environment)
        output, errors = process.communicate()
        return process.returncode, output + errors

    def runs(self):
        """The runs of the journal, by scale and batch."""
        return {(run["cell"]["scale"], run["cell"]["batch"]): run for run in self.records("run")}

    def records(self, kind):
        lines = (self.results / "journal.jsonl").read_text().splitlines()
        return [record for record in (json.loads(line)["record"] for line in lines) if record["type"] == kind]

    @staticmethod
    def verdicts(run):
        """Messages by name."""
        return {verdict["name"]: verdict["message"] for verdict in run["verdicts"]}

    def steps_of(self, rank):
        """How many lines of events of a rank of the run in flight have come home."""
        files = sorted(self.results.glob(f"runs/*/events.{rank}.jsonl"))
        return files[-1].read_text().count("\n") if files else 0

    def assert_gone(self):
        self.assertTrue(wait_until(lambda: not processes_with(str(self.clock))),
                        f"processes are left: {processes_with(str(self.clock))}")
