import unittest

import support
from programs import ProgramTest


@support.needs("paddle")
class Program(ProgramTest, unittest.TestCase):
    framework = "paddle"
    package, distribution = "paddle", "paddlepaddle"
    heavy = {"paddle", "numpy"}
    tiny = ["--workload", "bert", "--size", "tiny"]
