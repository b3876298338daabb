"""What is installed is what was locked: every file of requirements has its lock, with the same versions and hashes for all."""

import os
import re
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["TRAINMARK_SOURCE"])

# Not on PyPI, see there.
WITHOUT_LOCK = {"frameworks/paddle/requirements-cuda.txt"}


def requirement_files():
    """As far as git knows them; in a copy without git, all of them."""
    listed = subprocess.run(["git", "ls-files", "*requirements*.txt"], cwd=SOURCE, capture_output=True, text=True)
    names = listed.stdout.split() or [str(path.relative_to(SOURCE)) for path in SOURCE.glob("frameworks/*/requirements*.txt")]
    return sorted(set(names) - WITHOUT_LOCK)


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text):
    """(name, version) of every requirement."""
    return {(plain(name), version) for name, version in re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", text, re.M)}


class Locks(unittest.TestCase):
    def test_every_requirement_is_pinned_and_locked(self):
        files = requirement_files()
        self.assertGreaterEqual(len(files), 9)
        for name in files:
            with self.subTest(name):
                text = (SOURCE / name).read_text()
                lines = [line for line in text.splitlines() if line and not line.startswith("#")]
                self.assertEqual(len(pins(text)), len(lines), "a requirement without a version")
                lock = (SOURCE / name).with_suffix(".lock").read_text()
                self.assertLessEqual(pins(text), pins(lock), "run scripts/lock")

    def test_every_package_of_a_lock_has_hashes_and_no_address(self):
        for name in requirement_files():
            lock = (SOURCE / name).with_suffix(".lock")
            with self.subTest(lock.name):
                text = lock.read_text()
                self.assertNotIn("://", text)
                packages = re.split(r"^(?=[\w.-]+(?:\[[^]]*\])?==)", text, flags=re.M)[1:]
                self.assertEqual(len(packages), len(re.findall(r"^\w", text, re.M)))
                for package in packages:
                    self.assertRegex(package, r"--hash=sha256:[0-9a-f]{64}", package.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
