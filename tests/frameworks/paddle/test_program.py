import unittest

import support
from programs import ProgramTest


@support.needs("paddle")
class Program(ProgramTest, unittest.TestCase):
    framework = "paddle"
    heavy = {"paddle", "numpy"}
    tiny = ["--workload", "bert", "--size", "tiny"]
