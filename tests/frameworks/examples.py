"""The examples of docs/adding.md, put where that page says."""

import json
import shutil
import sys

import support

EXAMPLES = support.ROOT / "docs" / "examples"


class ExampleTest(support.TemporaryFolder):
    """`self.folder` is a copy of the project as far as trainers in Python know it, with one more workload."""

    def setUp(self):
        super().setUp()
        for name in ("workloads", "protocol", "frameworks/common"):
            shutil.copytree(support.ROOT / name, self.folder / name)
        shutil.copy(EXAMPLES / "perceptron.yaml", self.folder / "workloads")

    def add_framework(self, name):
        shutil.copytree(EXAMPLES / name, self.folder / "frameworks" / name)

    def program(self, framework, *words):
        main = self.folder / "frameworks" / "common" / "main.py"
        program = support.Program([sys.executable, main, framework], *words)
        self.assertEqual(program.finish(), 0, program.err)
        return program

    def train(self, framework, *words):
        return self.program(framework, "--workload", "perceptron", "--size", "tiny", "--steps", 30, *words)

    def offered(self, framework):
        description = json.loads(self.program(framework, "--describe").out)
        return [workload["name"] for workload in description["workloads"]]


def losses(program):
    return [step["loss"] for step in program.of("step")]
