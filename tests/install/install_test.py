"""An installed Trainmark, used by two users from folders of their own, without the right to write into it."""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from first_minutes import SUITE, try_everything  # noqa: E402

SOURCE = Path(os.environ["TRAINMARK_SOURCE"])
BUILD = Path(os.environ["TRAINMARK_BUILD"])

# Root may write everywhere: then others try. Who is not root is the only user there is.
USERS = [65534, 65533] if os.getuid() == 0 else [None]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.folder.chmod(0o755)
        first = cls.folder / "first"
        subprocess.run(
            [os.environ["CMAKE"], "--install", BUILD, "--prefix", first, "--component", "bench"], check=True, stdout=subprocess.DEVNULL
        )
        # It is not tied to the place that it was installed in, and names of folders may hold spaces.
        cls.prefix = cls.folder / "another place"
        first.rename(cls.prefix)
        cls.home = cls.prefix / "share" / "trainmark"
        demo = cls.home / "frameworks" / "demo"
        demo.mkdir()
        (demo / "requirements.txt").write_text("# nothing\n")
        subprocess.run(["chmod", "--recursive", "a-w,a+rX", cls.prefix], check=True)
        cls.before = cls.state()

    @classmethod
    def tearDownClass(cls):
        subprocess.run(["chmod", "--recursive", "u+w", cls.prefix], check=True)
        cls.temporary.cleanup()

    @classmethod
    def state(cls):
        """Every name below the prefix, and when it was changed."""
        return {path: path.lstat().st_mtime_ns for path in cls.prefix.rglob("*")}

    def setUp(self):
        self.places = []
        for user in USERS:
            place = Path(tempfile.mkdtemp(dir=self.folder))
            if user is not None:
                os.chown(place, user, user)
            self.places.append((user, place))

    def run_in(self, user, place, *words, program=None, code=0, **variables):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(place), "LC_ALL": "C.UTF-8", **variables}
        command = [program or self.prefix / "bin" / "trainmark", *words]
        done = subprocess.run(command, cwd=place, env=environment, user=user, group=user, extra_groups=[] if user else None,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done

    def test_several_users_measure_and_report_in_folders_of_their_own(self):
        for user, place in self.places:
            (place / "suite.yaml").write_text(SUITE)
            self.run_in(user, place, "run", "suite.yaml")
            made = list((place / "results").glob("mine-*/report.html"))
            self.assertEqual(len(made), 1)
            table = self.run_in(user, place, "report", str(made[0].parent)).stdout
            self.assertIn("clock:spin", table)
            self.run_in(user, place, "list")
            self.run_in(user, place, "env")
        self.assertEqual(self.state(), self.before, "something was written into the installed tree")

    def test_the_first_minutes_of_a_newcomer(self):
        user, place = self.places[0]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(place), "LC_ALL": "C.UTF-8"}
        who = {} if user is None else {"user": user, "group": user, "extra_groups": []}
        try_everything(self, place, self.prefix / "bin" / "trainmark", environment, **who)
        self.assertEqual(self.state(), self.before, "something was written into the installed tree")

    def test_results_go_where_the_user_wants_them(self):
        user, place = self.places[0]
        (place / "suite.yaml").write_text(SUITE)
        self.run_in(user, place, "run", "suite.yaml", TRAINMARK_RESULTS=str(place / "kept"))
        self.assertEqual(len(list((place / "kept").glob("mine-*/journal.jsonl"))), 1)
        self.assertFalse((place / "results").exists())
        self.run_in(user, place, "run", "suite.yaml", "--resume", TRAINMARK_RESULTS=str(place / "kept"))
        refused = self.run_in(user, place, "run", "suite.yaml", "--resume", code=2)
        self.assertIn("results/mine-*", refused.stderr)

    def test_data_come_from_the_installed_tree(self):
        user, place = self.places[0]
        self.assertIn("quick: ", self.run_in(user, place, "list", "suites").stdout)
        frameworks = self.run_in(user, place, "list", "frameworks").stdout
        self.assertIn("to install it: trainmark setup jax", frameworks)
        self.assertNotIn("make build", frameworks)
        self.assertNotIn(str(SOURCE), frameworks)
        program = (self.prefix / "bin" / "trainmark").read_bytes()
        if BUILD.is_relative_to(SOURCE):
            self.assertNotIn(bytes(SOURCE / "suites"), program)

    def test_frameworks_are_installed_for_the_user(self):
        user, place = self.places[0]
        done = self.run_in(user, place, "setup", "demo")
        environment = place / ".local" / "share" / "trainmark" / "environments" / "demo"
        self.assertTrue((environment / "bin" / "python").exists())
        last = done.stderr.splitlines()[-2:]
        self.assertRegex(last[0], rf"setup: demo is ready in {environment} \(\d+ MB, \d+ s\)")
        again = self.run_in(user, place, "setup", "demo")
        self.assertNotIn("installing", again.stderr)
        self.assertIn("'no-such' to install", self.run_in(user, place, "setup", "no-such", code=2).stderr)
        self.assertEqual(self.state(), self.before, "something was written into the installed tree")

    def test_environments_are_found_where_they_are_made(self):
        user, place = self.places[0]
        ask = f'. "{self.home}/frameworks/common/environments.sh"; environments_of "$1"'

        def folders(home, **variables):
            done = self.run_in(user, place, "-c", ask, "sh", str(home), program="/bin/sh", **variables)
            return done.stdout.splitlines()

        users = f"{place}/.local/share/trainmark/environments"
        self.assertEqual(folders(self.home), [users, f"{self.home}/.venv"])
        self.assertEqual(folders(self.home, XDG_DATA_HOME="/data")[0], "/data/trainmark/environments")
        self.assertEqual(folders(self.home, TRAINMARK_ENVIRONMENTS="/all")[:2], ["/all", users])
        (place / "CMakeLists.txt").touch()
        self.assertEqual(folders(place)[0], f"{place}/.venv", "a source tree keeps them")

    def test_every_command_has_its_page_and_completions(self):
        user, place = self.places[0]
        share = self.prefix / "share"
        commands = self.run_in(user, place, "completions", "fish").stdout
        names = {line.split(" -a ")[1].split()[0] for line in commands.splitlines() if "-n 'not __fish" in line and " -a " in line}
        self.assertIn("run", names)
        for name in names:
            page = gzip.decompress((share / f"man/man1/trainmark-{name}.1.gz").read_bytes()).decode()
            self.assertIn(f"trainmark\\-{name} \\- ", page)
        for shell, file in [
            ("bash", "bash-completion/completions/trainmark"),
            ("zsh", "zsh/site-functions/_trainmark"),
            ("fish", "fish/vendor_completions.d/trainmark.fish"),
        ]:
            made = self.run_in(user, place, "completions", shell).stdout
            installed = (share / file).read_text()
            # Which frameworks `setup` knows was asked before `demo` came to them.
            self.assertEqual(*([line for line in text.splitlines() if "jax" not in line] for text in (installed, made)))

    def test_bash_completes(self):
        user, place = self.places[0]
        script = self.prefix / "share/bash-completion/completions/trainmark"

        def completed(*words):
            line = f'. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trainmark; printf "%s\\n" "${{COMPREPLY[@]}}"'
            done = self.run_in(user, place, "-c", line, str(script), *words, program="/bin/bash")
            return done.stdout.split()

        self.assertEqual(completed("trainmark", "rep"), ["report"])
        self.assertEqual(completed("trainmark", "run", "--dry"), ["--dry-run"])
        self.assertIn("html", completed("trainmark", "report", "--format", ""))
        self.assertEqual(completed("trainmark", "run", "qui"), ["quick"])
        (place / "quiet.yaml").touch()
        self.assertEqual(completed("trainmark", "run", "qui"), ["quick", "quiet.yaml"])
        self.assertEqual(completed("trainmark", "measure", "--", "python3", "--ba"), [])

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_pages_are_without_warnings(self):
        user, place = self.places[0]
        for page in sorted((self.prefix / "share/man/man1").glob("*.gz")):
            shown = self.run_in(user, place, "--warnings", "--local-file", str(page), program="man", MANWIDTH="80", MAN_KEEP_FORMATTING="")
            self.assertEqual(shown.stderr, "", page.name)
            self.assertIn("EXAMPLES", shown.stdout)


class Launcher(unittest.TestCase):
    """trainmark-train of an installed tree looks for the LibTorch that it was built for."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.prefix = Path(temporary.name) / "a prefix"
        shutil.copytree(SOURCE / "frameworks/common", self.prefix / "share/trainmark/frameworks/common")
        trainers = self.prefix / "libexec/trainmark"
        (trainers / "libtorch").mkdir(parents=True)
        text = (SOURCE / "trainers/train/trainmark-train.sh.in").read_text()
        self.launcher = self.program(trainers / "trainmark-train", text.replace("@TRAINMARK_TORCH_VERSION@", "2.11.0"))
        self.program(trainers / "libtorch/trainmark-train", '#!/bin/sh\necho "$LD_LIBRARY_PATH|$*"\n')

    def program(self, path, text):
        path.write_text(text)
        path.chmod(0o755)
        return path

    def torch(self, folder, version):
        (folder / "torch/lib").mkdir(parents=True)
        (folder / "torch/lib/libtorch_cpu.so").touch()
        (folder / "torch/version.py").write_text(f"__version__ = '{version}+cu130'\n")
        return folder / "torch"

    def start(self, **variables):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.prefix / "home"), **variables}
        return subprocess.run([self.launcher, "--describe", "a b"], env=environment, capture_output=True, text=True)

    def test_without_libtorch_it_says_what_to_install(self):
        done = self.start()
        self.assertEqual(done.returncode, 2)
        self.assertIn("LibTorch 2.11.0 was not found", done.stderr)
        self.assertIn("trainmark setup libtorch", done.stderr)

    def test_it_takes_that_of_the_environment_it_is_installed_in(self):
        torch = self.torch(self.prefix / "lib/python3.12/site-packages", "2.11.0")
        self.assertEqual(self.start().stdout, f"{torch}/lib|--describe a b\n")
        self.assertEqual(self.start(LD_LIBRARY_PATH="/else").stdout, f"{torch}/lib:/else|--describe a b\n")

    def test_another_version_is_refused_by_name(self):
        torch = self.torch(self.prefix / "lib/python3.12/site-packages", "2.9.1")
        done = self.start()
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"{torch} is PyTorch 2.9.1, and these trainers were built for 2.11.0", done.stderr)

    def test_that_of_setup_serves_where_the_other_is_of_another_version(self):
        self.torch(self.prefix / "lib/python3.12/site-packages", "2.9.1")
        environments = self.prefix / "home/.local/share/trainmark/environments"
        torch = self.torch(environments / "libtorch/lib/python3.11/site-packages", "2.11.0")
        self.assertEqual(self.start().stdout, f"{torch}/lib|--describe a b\n")

    def test_what_the_user_names_is_taken_and_nothing_else(self):
        self.torch(self.prefix / "lib/python3.12/site-packages", "2.11.0")
        torch = self.torch(self.prefix / "mine", "2.11.0")
        self.assertEqual(self.start(TRAINMARK_LIBTORCH=str(torch)).stdout, f"{torch}/lib|--describe a b\n")
        done = self.start(TRAINMARK_LIBTORCH="/nowhere")
        self.assertEqual(done.returncode, 2)
        self.assertIn("was not found in /nowhere", done.stderr)


class Wheel(unittest.TestCase):
    def test_it_asks_for_the_libtorch_that_the_trainers_are_built_for(self):
        wanted = [line for line in (SOURCE / "trainers/requirements.txt").read_text().splitlines() if line.startswith("torch==")]
        self.assertEqual(len(wanted), 1)
        self.assertIn(f'libtorch = ["{wanted[0]}"]', (SOURCE / "pyproject.toml").read_text())

    def test_it_is_built_with_what_is_locked(self):
        pinned = (SOURCE / "packaging/requirements.txt").read_text()
        self.assertIn('requires = ["scikit-build-core==', (SOURCE / "pyproject.toml").read_text())
        for line in (SOURCE / "pyproject.toml").read_text().splitlines():
            if line.startswith("requires = "):
                self.assertIn(line.split('"')[1], pinned.splitlines())


if __name__ == "__main__":
    unittest.main()
