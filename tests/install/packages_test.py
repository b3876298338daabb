"""The wheel and the Debian package of build/packages, installed into folders of their own and tried from an empty one. A package that
has not been built is left out. Not part of `make test`: building them takes minutes (scripts/check-packages)."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from first_minutes import try_everything  # noqa: E402

PACKAGES = Path(os.environ.get("TRAINMARK_PACKAGES", Path(__file__).parents[2] / "build/packages"))


def newest(pattern):
    return max(PACKAGES.glob(pattern), key=lambda path: path.stat().st_mtime, default=None)


class Packages(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.place = self.folder / "empty"
        self.place.mkdir()

    def make(self, *command):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def environment(self, path):
        return {"PATH": f"{path}:/usr/bin:/bin", "HOME": str(self.place), "LC_ALL": "C.UTF-8"}

    @unittest.skipUnless(newest("*.whl"), "the wheel has not been built (make wheel)")
    def test_the_wheel_works_in_a_new_environment(self):
        made = self.folder / "environment"
        # What the wheel needs of Python, PyYAML, is the distribution's: nothing is fetched.
        self.make("python3", "-m", "venv", "--system-site-packages", made)
        self.make(made / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", newest("*.whl"))
        try_everything(self, self.place, made / "bin/trainmark", self.environment(made / "bin"))

    @unittest.skipUnless(newest("*.deb") and shutil.which("dpkg-deb"), "the Debian package has not been built (make deb)")
    def test_the_debian_package_works_where_it_is_unpacked(self):
        package, root = newest("*.deb"), self.folder / "root"
        self.make("dpkg-deb", "--extract", package, root)
        try_everything(self, self.place, root / "usr/bin/trainmark", self.environment(root / "usr/bin"))
        self.assertTrue((root / "usr/share/man/man1/trainmark.1.gz").exists())
        needed = self.make("dpkg-deb", "--field", package, "Depends")
        linked = self.make("ldd", root / "usr/bin/trainmark")
        for library, name in (("libsimdjson.so.14", "libsimdjson14"), ("libstdc++.so.6", "libstdc++6"), ("libgcc_s.so.1", "libgcc-s1")):
            self.assertEqual(library in linked, name in needed, f"{name}: {needed}")


if __name__ == "__main__":
    unittest.main()
