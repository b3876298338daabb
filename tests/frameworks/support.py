"""What the tests of the Python trainers share. Run all with the framework's own interpreter:

PYTHONPATH=tests/frameworks .venv/pytorch/bin/python -m unittest discover tests/frameworks/pytorch
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = ROOT / "frameworks"

os.environ.setdefault("OMP_NUM_THREADS", "1")


def _find_modules_in(folder):
    """That folder only: beside it lie folders that have the names of frameworks."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def use_framework(name):
    """Makes the modules of a framework importable. One framework in a process: all have a `loop` and an `offer`."""
    _find_modules_in(FRAMEWORKS / name)


def needs(package):
    return unittest.skipUnless(find_spec(package), f"{package} is not installed")


_find_modules_in(FRAMEWORKS / "common")


class Program:
    """A trainer as a process, with its events."""

    def __init__(self, command, *arguments, **variables):
        self._reader, writer = os.pipe()
        self.process = subprocess.Popen(
            [*map(str, command), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=[writer],
            env={**os.environ, "TRAINMARK_EVENTS": str(writer), **variables},
        )
        os.close(writer)
        self._lines = os.fdopen(self._reader, encoding="utf-8")
        self.events = []

    def wait_for(self, kind):
        for line in self._lines:
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == kind:
                return
        raise AssertionError(f"no {kind} came: {self.process.communicate()[1]}")

    def close_events(self):
        self._lines.close()

    def finish(self):
        if not self._lines.closed:
            self.events += [json.loads(line) for line in self._lines]
            self._lines.close()
        self.out, self.err = self.process.communicate()
        return self.process.returncode

    def of(self, kind):
        return [event for event in self.events if event["event"] == kind]


def assert_same_gradients(test, one, other, tolerance=1e-3):
    """Each weight's, by its length. Some gradients are zero but for rounding: a bias in front of a norm, for example.
    Therefore a millionth of the longest gradient may always differ."""
    import numpy as np

    test.assertEqual(set(one), set(other))
    longest = max(np.linalg.norm(gradient) for gradient in one.values())
    for name in one:
        difference = np.linalg.norm(one[name] - other[name])
        allowed = max(tolerance * np.linalg.norm(one[name]), 1e-6 * longest)
        test.assertLessEqual(difference, allowed, name)


class TemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trainmark.")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
