import unittest

import support
from programs import ProgramTest


@support.needs("torch")
class Program(ProgramTest, unittest.TestCase):
    framework = "pytorch"
    package, distribution = "torch", "torch"
    heavy = {"torch", "numpy"}
    tiny = ["--workload", "bert", "--size", "tiny"]
    unsupported = (ProgramTest.fp16, (["--mode", "graph"], {}))

    def test_the_graph_mode_is_for_gpus(self):
        for workload in self.describe(self.trainer())["workloads"]:
            self.assertEqual(workload["modes"], ["eager", "compile", "graph"])
            self.assertEqual(workload["mode_devices"], {"graph": ["cuda"]})
