"""What every framework's trainer must do as a process. A framework's own tests inherit from these."""

import json
import os
import signal
import subprocess
import sys
import time

import support


class DescribeTest:
    """`framework`: its name; `package`: what is imported, and `distribution`: what is installed for that; `heavy`:
    packages that must not be imported to describe; `workloads`: how many."""

    framework, package, distribution, heavy, workloads = "", "", "", set(), 7

    def folder(self):
        return support.FRAMEWORKS / self.framework

    def trainer(self):
        return support.program(self.framework)

    def describe(self, command, **variables):
        environment = {**os.environ, **variables}
        return json.loads(subprocess.check_output([*map(str, command), "--describe"], env=environment))

    def test_names_all_workloads_and_imports_no_framework(self):
        code = (
            "import json, sys; sys.path[:0] = sys.argv[1:3]; import offer; print(json.dumps(offer.OFFER.describe()));"
            f"assert not {self.heavy!r} & set(sys.modules)"
        )
        answer = self.describe([sys.executable, "-c", code, support.FRAMEWORKS / "common", self.folder()])
        self.assertEqual(answer["framework"], self.framework)
        self.assertIn("cpu", [device["name"] for device in answer["devices"]])
        self.assertEqual(len(answer["workloads"]), self.workloads)

    def test_says_what_to_do_where_the_framework_is_missing(self):
        answer = self.describe([sys.executable, "-S", *self.trainer()[1:]])  # -S: without what is installed
        for device in answer["devices"]:
            self.assertIn(f"trainmark setup {self.framework}", device["missing"])

    def test_says_what_to_do_where_the_framework_is_too_old(self):
        with support.fake_package(self.package, self.distribution, "0.0.1") as folder:
            answer = self.describe(self.trainer(), PYTHONPATH=folder)
        for device in answer["devices"]:
            self.assertIn(f"{self.distribution} 0.0.1 is too old", device["missing"])
            self.assertIn(f"trainmark setup {self.framework}", device["missing"])

    def test_says_what_to_do_where_the_contracts_cannot_be_read(self):
        with support.fake_package("yaml", "PyYAML", "0.0.1", "raise ImportError('hidden')") as folder:
            answer = self.describe(self.trainer(), PYTHONPATH=folder)
            program = support.Program(self.trainer(), "--workload", "resnet50", PYTHONPATH=folder)
            self.assertEqual(program.finish(), 1)
        command = f"{sys.executable} -m pip install PyYAML"
        for device in answer["devices"]:
            self.assertIn(command, device["missing"])
        self.assertEqual([event.get("kind") for event in program.events], ["unsupported"])
        self.assertEqual(program.err.count("\n"), 1, program.err)
        self.assertIn(command, program.err)

    def test_the_launcher_takes_the_interpreter_it_is_told(self):
        variable = f"TRAINMARK_{self.framework.upper()}_PYTHON"
        answer = self.describe([self.folder() / f"trainmark-{self.framework}"], **{variable: sys.executable})
        self.assertEqual(answer, self.describe(self.trainer()))


class ProgramTest(DescribeTest):
    """`tiny`: the arguments of a quick training; `unsupported`: arguments and variables that must be refused."""

    tiny = ["--workload", "resnet50", "--size", "tiny"]
    fp16 = (["--precision", "fp16"], {})
    unsupported = (fp16,)

    def start(self, *words, **variables):
        return support.Program(self.trainer(), *words, **variables)

    def test_stops_in_good_order_when_asked(self):
        program = self.start(*self.tiny, "--steps", 1_000_000)
        program.wait_for("step")
        program.process.send_signal(signal.SIGUSR1)
        self.assertEqual(program.finish(), 0, program.err)
        self.assertEqual(program.events[-1]["why"], "stop")
        self.assertEqual(program.events[-1]["steps"], len(program.of("step")))
        self.assertLess(program.of("step")[-1]["end"], time.monotonic())

    def test_ends_when_nobody_reads_its_events(self):
        program = self.start(*self.tiny, "--steps", 1_000_000)
        program.wait_for("step")
        program.close_events()
        self.assertEqual(program.finish(), 1)

    def test_tells_that_memory_ran_out(self):
        program = self.start("--workload", "resnet50", "--batch", 1_000_000_000_000)
        self.assertEqual(program.finish(), 1)
        self.assertEqual(program.events[-1]["kind"], "out-of-memory")

    def test_wrong_arguments_are_a_message(self):
        program = self.start("--workload", "resnet5")
        self.assertEqual(program.finish(), 2)
        message = f"trainmark-{self.framework}: --workload: there is no 'resnet5'; did you mean 'resnet50'?\n"
        self.assertEqual(program.err, message)
        self.assertEqual(program.events, [])

    def test_what_cannot_be_imported_is_one_line(self):
        spoilt = "raise OSError('libspoilt.so: cannot open shared object file')"
        with support.fake_package(self.package, self.distribution, "999.0", spoilt) as folder:
            program = self.start(*self.tiny, PYTHONPATH=folder)
            self.assertEqual(program.finish(), 1)
        self.assertEqual([event.get("kind") for event in program.events], ["unsupported"])
        self.assertEqual(program.err.count("\n"), 1, program.err)
        self.assertIn("libspoilt.so", program.err)
        self.assertIn(f"trainmark setup {self.framework}", program.err)

    def test_what_cannot_be_trained_is_told_before_anything_is_measured(self):
        for words, variables in self.unsupported:
            program = self.start(*self.tiny, *words, **variables)
            self.assertEqual(program.finish(), 1)
            self.assertEqual([event.get("kind") for event in program.events], ["unsupported"])
