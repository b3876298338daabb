"""The trainer as a process."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

import support

TRAINER = [sys.executable, support.PYTORCH / "trainer.py"]
LAUNCHER = support.PYTORCH / "trainmark-pytorch"
TINY = ["--workload", "bert", "--size", "tiny"]


def describe(command, **variables):
    environment = {**os.environ, **variables}
    return json.loads(subprocess.check_output([*map(str, command), "--describe"], env=environment))


class Describe(unittest.TestCase):
    def test_names_all_workloads_and_imports_no_framework(self):
        code = (
            "import json, sys; sys.path[:0] = sys.argv[1:3]; import offer; print(json.dumps(offer.describe()));"
            "assert not {'torch', 'numpy'} & set(sys.modules)"
        )
        folders = [support.ROOT / "frameworks" / "common", support.PYTORCH]
        answer = describe([sys.executable, "-c", code, *folders])
        self.assertEqual(answer["framework"], "pytorch")
        self.assertEqual([device["name"] for device in answer["devices"]], ["cpu", "cuda"])
        self.assertEqual(len(answer["workloads"]), 7)
        for workload in answer["workloads"]:
            self.assertEqual(workload["modes"], ["eager", "compile", "graph"])
            self.assertEqual(workload["mode_devices"], {"graph": ["cuda"]})

    def test_says_what_to_do_where_pytorch_is_missing(self):
        answer = describe([sys.executable, "-S", TRAINER[1]])  # -S: without what is installed
        for device in answer["devices"]:
            self.assertIn("scripts/setup pytorch", device["missing"])

    def test_the_launcher_takes_the_interpreter_it_is_told(self):
        answer = describe([LAUNCHER], TRAINMARK_PYTORCH_PYTHON=sys.executable)
        self.assertEqual(answer, describe(TRAINER))


@support.needs_torch
class Program(unittest.TestCase):
    def test_stops_in_good_order_when_asked(self):
        program = support.Program(TRAINER, *TINY, "--steps", 1_000_000)
        program.wait_for("step")
        program.process.send_signal(signal.SIGUSR1)
        self.assertEqual(program.finish(), 0, program.err)
        self.assertEqual(program.events[-1]["why"], "stop")
        self.assertEqual(program.events[-1]["steps"], len(program.of("step")))
        self.assertLess(program.of("step")[-1]["end"], time.monotonic())

    def test_ends_when_nobody_reads_its_events(self):
        program = support.Program(TRAINER, *TINY, "--steps", 1_000_000)
        program.wait_for("step")
        program.close_events()
        self.assertEqual(program.finish(), 1)

    def test_tells_that_memory_ran_out(self):
        program = support.Program(TRAINER, "--workload", "resnet50", "--batch", 1_000_000_000_000)
        self.assertEqual(program.finish(), 1)
        self.assertEqual(program.events[-1]["kind"], "out-of-memory")


class Refusals(unittest.TestCase):
    def test_wrong_arguments_are_a_message(self):
        program = support.Program(TRAINER, "--workload", "bertt")
        self.assertEqual(program.finish(), 2)
        self.assertEqual(program.err, "trainmark-pytorch: --workload: there is no 'bertt'; did you mean 'bert'?\n")
        self.assertEqual(program.events, [])

    @support.needs_torch
    def test_what_cannot_be_trained_is_told_before_anything_is_measured(self):
        for words, variables in ((["--precision", "fp16"], {}), (["--mode", "graph"], {}), ([], {"WORLD_SIZE": "2"})):
            program = support.Program(TRAINER, *TINY, *words, **variables)
            self.assertEqual(program.finish(), 1)
            self.assertEqual([event.get("kind") for event in program.events], ["unsupported"])
