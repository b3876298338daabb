import unittest

import support
from programs import ProgramTest


@support.needs("tensorflow")
class Program(ProgramTest, unittest.TestCase):
    framework = "tensorflow"
    package, distribution = "tensorflow", "tensorflow-cpu"
    heavy = {"tensorflow", "keras", "numpy"}
    workloads = 4
    tiny = ["--workload", "transformer", "--size", "tiny"]
