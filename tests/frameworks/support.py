"""What the tests of the Python trainers share. Run all with the framework's own interpreter:

PYTHONPATH=tests/frameworks .venv/pytorch/bin/python -m unittest discover tests/frameworks/pytorch
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import unittest
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = ROOT / "frameworks"

os.environ.setdefault("OMP_NUM_THREADS", "1")


def _find_modules_in(folder):
    """That folder only: beside it lie folders that have the names of frameworks."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def use_framework(name):
    """Makes the modules of a framework importable. One framework in a process: all have a `trainer` and an `offer`."""
    _find_modules_in(FRAMEWORKS / name)


def code_of(workload):
    """The framework's own file of it."""
    return import_module(f"workloads.{workload}")


def contracts():
    return {name: find_workload(name) for name in workload_names()}


def program(framework):
    return [sys.executable, FRAMEWORKS / "common" / "main.py", framework]


def needs(package):
    return unittest.skipUnless(is_installed(package), f"{package} is not installed")


@contextlib.contextmanager
def fake_package(package, distribution, version, code=""):
    """A folder for PYTHONPATH with a package of this version, which stands before the real one."""
    with tempfile.TemporaryDirectory(prefix="trainmark.") as folder:
        (Path(folder) / package).mkdir()
        (Path(folder) / package / "__init__.py").write_text(code + "\n")
        facts = Path(folder) / f"{distribution.replace('-', '_')}-{version}.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        yield folder


_find_modules_in(FRAMEWORKS / "common")

from trainmark.offer import is_installed  # noqa: E402
from trainmark.workloads import find_workload, workload_names  # noqa: E402


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


def assert_same_tensors(test, one, other, typical=1e-2, largest=1e-1):
    """Each one's difference by its length: the median of all tensors and the largest, as `trainmark verify` has them.
    Some gradients are zero but for rounding, such as that of a bias in front of a norm: a hundred-thousandth of the
    longest is nothing. Where a number lies within rounding of a kink (of ReLU or |x|), two programs of the same
    mathematics may take two sides of it, which changes a tiny gradient by a percent."""
    import numpy as np

    test.assertEqual(set(one), set(other))
    longest = max(np.linalg.norm(tensor) for tensor in one.values())
    differences = {
        name: np.linalg.norm(tensor - other[name]) / max(np.linalg.norm(tensor), 1e-5 * longest)
        for name, tensor in one.items()
    }
    worst = max(differences, key=differences.get)
    test.assertLessEqual(differences[worst], largest, worst)
    test.assertLessEqual(np.median(list(differences.values())), typical)


class TemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trainmark.")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
