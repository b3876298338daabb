"""Data sets that Trainmark makes and checks, for tests that read and write the same with other programs."""

import collections
import hashlib
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

TRAINMARK = Path(os.environ["TRAINMARK_BIN"]) / "trainmark"
ITEMS = 25
CLASSES = 5


def identity(picture):
    return hashlib.sha256(picture).hexdigest()


class DataSets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, format):
        """The folder of a small data set; its pictures and labels are the same in every format."""
        out = self.folder / format
        subprocess.run([TRAINMARK, "data", "make", "--format", format, "--items", str(ITEMS), "--classes", str(CLASSES),
                        "--width", "64", "--height", "48", "--out", out], check=True, capture_output=True)
        return out

    def pictures(self):
        """The same pictures, from files that need no reader: (label, bytes)."""
        root = self.make("imagefolder")
        folders = sorted(path for path in root.iterdir() if path.is_dir())
        return [(label, file.read_bytes()) for label, folder in enumerate(folders) for file in sorted(folder.iterdir())]

    def assert_same(self, found):
        """What another program has found, (label, bytes), is what was made, in whatever order."""
        expected = collections.Counter((label, identity(picture)) for label, picture in self.pictures())
        self.assertEqual(sum(expected.values()), ITEMS)
        self.assertEqual(collections.Counter((label, identity(picture)) for label, picture in found), expected)

    def assert_reads(self, path, format, pictures):
        """Trainmark reads what another program has written."""
        run = subprocess.run([TRAINMARK, "data", "check", path, "--json"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        checked = json.loads(run.stdout)
        self.assertEqual(checked["format"], format)
        self.assertEqual(checked["items"], len(pictures))
        self.assertEqual(checked["bytes"], sum(len(picture) for _, picture in pictures))
        counts = collections.Counter(label for label, _ in pictures)
        self.assertEqual([entry["count"] for entry in checked["classes"]], [counts[label] for label in range(max(counts) + 1)])
